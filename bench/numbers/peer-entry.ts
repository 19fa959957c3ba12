/** What a content script that finds numbers by libphonenumber-js would contain. */
export { findPhoneNumbersInText } from 'libphonenumber-js/max';
