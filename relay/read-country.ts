import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max';

/** Reads a country code in any case. @throws Error that says what was expected. */
export function readCountry(text: string): CountryCode {
  const code = text.toUpperCase();
  if (!isSupportedCountry(code))
    throw new Error(`expected a country code of ISO 3166 like BR, got "${text}"`);
  return code;
}
