/** What the team knows of a number, as sentences for the tip, our pages and the relay's refusals. */
import type { Problem } from '../../../shared/protocol/messages.ts';
import type { NumberStatus } from '../../../shared/protocol/number-status.ts';
import { dayAndTime, durationInWords } from '../../format.ts';
import { text } from '../../text.ts';

type DoNotCall = Pick<NonNullable<NumberStatus['doNotCall']>, 'by' | 'at' | 'until' | 'reason'>;

/** "Asked not to be called. Rui, today, 10:14." */
export const doNotCallSentence = ({ by, at, until, reason }: DoNotCall): string =>
  [
    text('known_doNotCall', by, dayAndTime(at)),
    until === undefined ? '' : text('known_until', dayAndTime(until)),
    reason ?? '',
  ]
    .filter((part) => part !== '')
    .join(' ');

/** @param lease without a name if the caller belongs to another team. */
export const leaseSentence = ({ by }: Pick<NonNullable<NumberStatus['lease']>, 'by'>): string =>
  by ? text('known_lease', by) : text('known_leaseByOther');

export const lastTalkSentence = ({ by, at, seconds }: NonNullable<NumberStatus['lastTalk']>): string =>
  text('known_lastTalk', by, dayAndTime(at), durationInWords(seconds));

/** Why the relay refused a number. Undefined if it names neither a do-not-call entry nor a lease. */
export function numberProblemSentence({ doNotCall, lease }: Problem): string | undefined {
  if (doNotCall) return doNotCallSentence(doNotCall);
  return lease && leaseSentence(lease);
}
