/** What agents and pages see of a resolved number: its display, its place, and the guard's reason. */
import type { DialReading, ResolvedNumber } from '../../../shared/numbers/dial/resolve.ts';
import { guardSentence, placeName } from '../../guard-sentence.ts';
import type { JudgedNumber, OfferedReading } from '../../messages/views.ts';
import type { Settings } from '../../settings.ts';

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
