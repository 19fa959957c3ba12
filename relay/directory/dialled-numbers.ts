/** The numbers that dialled digits may reach, in the form in which the directory stores numbers. */
import { numbersOfDigits } from '../../shared/numbers/dial/allow-or-refuse.ts';
import { withoutOutsidePrefixes } from '../../shared/numbers/dial/reachable-numbers.ts';
import type { RelaySettings } from '../settings.ts';

/**
 * @param to digits as the provider gets them.
 * @returns E.164; or digits without a plus, for an extension, or if the international form is not known. Never empty.
 */
export function dialledNumbers(
  to: string,
  {
    country,
    areaCode,
    dialExtensions,
    dialOutsidePrefix,
  }: Pick<RelaySettings, 'country' | 'areaCode' | 'dialExtensions' | 'dialOutsidePrefix'>,
): string[] {
  if (country === undefined) return [to];
  const [digits = to] = withoutOutsidePrefixes(to, dialOutsidePrefix ? [dialOutsidePrefix] : []);
  const settings = { country, extensions: [...dialExtensions], dialRules: [] };
  const found = numbersOfDigits(digits, settings);
  // Digits that are not in a plan may also be a local number of the agents' own area.
  const isLocal = areaCode !== undefined && found.every(({ type }) => type === 'unknown');
  const numbers = isLocal ? [...found, ...numbersOfDigits(areaCode + digits, settings)] : found;
  return [...new Set(numbers.map(({ e164, national }) => e164 ?? national))];
}
