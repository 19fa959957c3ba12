import type { Decision } from '../shared/numbers/number.ts';
import { countryName, isTextKey, text } from './text.ts';

/** The guard's reason in words. Empty for a call that is allowed. */
export function guardSentence({ reason, detail }: Pick<Decision, 'reason' | 'detail'>): string {
  const key = `guard_${reason}`;
  return isTextKey(key) ? text(key, placeName(detail) ?? detail ?? '') : '';
}

/** A country's name in the agent's language; undefined for anything but a country's code. */
export function placeName(country: string | undefined): string | undefined {
  return country !== undefined && /^[A-Z]{2}$/.test(country) ? countryName(country) : undefined;
}
