/** The numbers that dialled digits may reach, as the directory names them. */
import { numbersOfDigits } from '../../shared/numbers/dial/allow-or-refuse.ts';
import { withoutOutsidePrefixes } from '../../shared/numbers/dial/reachable-numbers.ts';
import type { GuardSettings } from '../dial/operator-policy.ts';

/**
 * @param to digits as the provider gets them.
 * @returns E.164 or an extension's digits; empty where nothing is known of them.
 */
export function dialledNumbers(
  to: string,
  { country, dialExtensions, dialOutsidePrefix }: GuardSettings,
): string[] {
  if (country === undefined) return [to];
  const [digits = to] = withoutOutsidePrefixes(to, dialOutsidePrefix ? [dialOutsidePrefix] : []);
  const numbers = numbersOfDigits(digits, { country, extensions: [...dialExtensions], dialRules: [] });
  return [...new Set(numbers.map(({ e164, national }) => e164 ?? national))];
}
