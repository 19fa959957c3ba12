/** What the progress of a call has new for those who follow it. */
import type { Party } from '../../../shared/call/call.ts';
import type { CallProgress } from './call-channels.ts';

/** The news of this step for those who follow the call: which phone began to ring, who answered. */
export function newsBetween(before: CallProgress, after: CallProgress) {
  const news: { event: 'ringing' | 'answer'; party: Party; at: number }[] = [];
  for (const party of ['caller', 'callee'] as const) {
    // Up without Ringing before is an answer alone.
    const answeredAt = after.answered[party];
    const isAnswered = answeredAt !== undefined && before.answered[party] === undefined;
    const ringingAt = after.ringing[party];
    if (ringingAt !== undefined && before.ringing[party] === undefined && !isAnswered)
      news.push({ event: 'ringing', party, at: ringingAt });
    if (isAnswered) news.push({ event: 'answer', party, at: answeredAt });
  }
  return news;
}
