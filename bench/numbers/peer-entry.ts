/** What a content script that finds numbers with libphonenumber-js would have to carry. */
export { findPhoneNumbersInText } from 'libphonenumber-js/max';
