/** The operator's limits on calls: by key, by number, and of a day. */
import { dayMs, minuteMs } from '../../shared/durations.ts';
import { ProblemError } from '../problem.ts';
import type { RelaySettings } from '../settings.ts';
import type { Tally } from '../store/store.ts';
import { limitWords } from './refusal-words.ts';

type LimitSettings = Pick<
  RelaySettings,
  'maxCallsPerMinute' | 'maxCallsPerDestinationPerMinute' | 'maxCallsPerDay'
>;

/**
 * The store counts calls in the commit of the journal, so that every dialled call is counted.
 * @param callee the key of the callee, the same for every form of its number in one country.
 * @param to the dialled digits, the same for every country.
 */
export function talliesOfLimits(
  settings: LimitSettings,
  keyId: string,
  callee: string,
  to: string,
  now: number,
): Tally[] {
  const thisMinute = Math.floor(now / minuteMs);
  const today = Math.floor(now / dayMs);
  const expires = (thisMinute + 2) * minuteMs;
  return [
    { bucket: `minute/key/${keyId}/${thisMinute}`, max: settings.maxCallsPerMinute, expires },
    ...[callee, to].map((destination) => ({
      bucket: `minute/to/${destination}/${thisMinute}`,
      max: settings.maxCallsPerDestinationPerMinute,
      expires,
    })),
    { bucket: `day/${today}`, max: settings.maxCallsPerDay, expires: (today + 2) * dayMs },
  ];
}

/** @param bucket the full bucket of `talliesOfLimits`. */
export function problemOfLimit(bucket: string, now: number) {
  const limit = bucket.startsWith('day/') ? 'day' : bucket.startsWith('minute/to/') ? 'destination' : 'key';
  const period = limit === 'day' ? dayMs : minuteMs;
  const problem = new ProblemError('tooManyCalls', {
    detail: limitWords[limit],
    retryAfterSeconds: Math.ceil((period - (now % period)) / 1000),
  });
  return { limit, problem };
}
