import type { CountryCode } from 'libphonenumber-js/max';
import { judge } from '../../shared/numbers/reading/judge.ts';
import { scan } from '../../shared/numbers/text/scan.ts';

/** The numbers in a text for an agent of the country. */
export const numbersIn = (country: CountryCode, text: string): string[] =>
  scan(text)
    .filter((found) => 'number' in judge(found, { country, extensions: [], dialRules: [] }))
    .map((found) => found.text);
