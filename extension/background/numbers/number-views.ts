/** What agents and pages see of a resolved number: its display, its place, and the guard's reason in words. */
import type { DialReading, ResolvedNumber } from '../../../shared/numbers/dial/resolve.ts';
import type { Decision } from '../../../shared/numbers/number.ts';
import type { JudgedNumber, OfferedReading } from '../../messages/views.ts';
import type { Settings } from '../../settings.ts';
import { countryName, isTextKey, text } from '../../text.ts';

/** What a page may see of a number. */
export function toJudgedNumber(
  { number, digits, decision, isDoubtful }: ResolvedNumber,
  { numbers }: Pick<Settings, 'numbers'>,
): JudgedNumber {
  const { display, extension, country } = number;
  const place = country === numbers.country ? undefined : placeName(country);
  return {
    display,
    to: digits.to,
    ...(extension !== undefined && { extension }),
    ...(country !== undefined && { country }),
    ...(place !== undefined && { place }),
    verdict: decision.verdict,
    ...(isDoubtful && { isDoubtful }),
    ...(decision.verdict !== 'allow' && { reason: guardSentence(decision) }),
  };
}

/** The readings that the agent is asked about, if a number has several or is doubtful. Else undefined. */
export function offeredReadings({
  isDoubtful,
  alternatives,
  ...own
}: ResolvedNumber): OfferedReading[] | undefined {
  if (!isDoubtful && alternatives.length === 0) return undefined;
  return [own, ...alternatives].slice(0, 2).map(({ number, digits }: DialReading) => ({
    display: number.display,
    to: digits.to,
    ...(number.country !== undefined && { place: placeName(number.country) }),
  }));
}

/** The guard's reason in words. Empty for a call that is allowed. */
export function guardSentence({ reason, detail }: Pick<Decision, 'reason' | 'detail'>): string {
  const key = `guard_${reason}`;
  return isTextKey(key) ? text(key, placeName(detail) ?? detail ?? '') : '';
}

/** A country's name in the agent's language; undefined for anything but a country's code. */
function placeName(country: string | undefined): string | undefined {
  return country !== undefined && /^[A-Z]{2}$/.test(country) ? countryName(country) : undefined;
}
