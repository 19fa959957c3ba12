import { getCountries } from 'libphonenumber-js/max';
import { languageTag } from '../../text.ts';

/** Every country that has phone numbers, by its name in the page's language. */
export function countryOptions(): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(languageTag(), { type: 'region' });
  return getCountries()
    .map((code) => [code as string, `${names.of(code) ?? code} (${code})`] as const)
    .sort(([, one], [, other]) => one.localeCompare(other, languageTag()));
}

export function countryName(code: string): string {
  return new Intl.DisplayNames(languageTag(), { type: 'region' }).of(code) ?? code;
}
