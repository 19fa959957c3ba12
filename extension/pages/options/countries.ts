import { getCountries } from 'libphonenumber-js/max';
import { languageTag } from '../../text.ts';

type Country = readonly [code: string, name: string];

/** The sorted countries, by language. Sorting their names takes milliseconds, and lists need them after every key. */
const sorted = new Map<string, readonly Country[]>();

/** Every country that has phone numbers, by its name in the page's language. */
export function countryOptions(): readonly Country[] {
  const language = languageTag();
  const known = sorted.get(language);
  if (known) return known;
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  const countries = getCountries()
    .map((code): Country => [code, `${names.of(code) ?? code} (${code})`])
    .sort(([, one], [, other]) => compare(one, other));
  sorted.set(language, countries);
  return countries;
}
