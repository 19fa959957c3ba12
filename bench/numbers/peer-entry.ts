/** The entry whose bundle is measured: what a content script needs to find numbers by libphonenumber-js. */
export { findPhoneNumbersInText } from 'libphonenumber-js/max';
