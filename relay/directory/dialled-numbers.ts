/** The numbers that dialled digits may reach, as the directory names them. */
import { numbersOfDigits } from '../../shared/numbers/dial/allow-or-refuse.ts';
import { withoutOutsidePrefixes } from '../../shared/numbers/dial/reachable-numbers.ts';
import type { RelaySettings } from '../settings.ts';

/**
 * @param to digits as the provider gets them.
 * @returns E.164 or an extension's digits; empty where nothing is known of them.
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
  // What no plan has as it stands is a number of the agents' own area.
  const isLocal = areaCode !== undefined && found.every(({ type }) => type === 'unknown');
  const numbers = isLocal ? [...found, ...numbersOfDigits(areaCode + digits, settings)] : found;
  return [...new Set(numbers.map(({ e164, national }) => e164 ?? national))];
}
