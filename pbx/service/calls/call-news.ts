/** The changes of a call that are reported to those who follow it. */
import type { Party } from '../../../shared/call/call.ts';
import type { CallProgress } from './call-channels.ts';

/** The changes between two steps: which phone began to ring, and who answered. */
export function newsBetween(before: CallProgress, after: CallProgress) {
  const news: { event: 'ringing' | 'answer'; party: Party; at: number }[] = [];
  for (const party of ['caller', 'callee'] as const) {
    // If a channel is Up without Ringing before, only the answer is reported.
    const answeredAt = after.answered[party];
    const isAnswered = answeredAt !== undefined && before.answered[party] === undefined;
    const ringingAt = after.ringing[party];
    if (ringingAt !== undefined && before.ringing[party] === undefined && !isAnswered)
      news.push({ event: 'ringing', party, at: ringingAt });
    if (isAnswered) news.push({ event: 'answer', party, at: answeredAt });
  }
  return news;
}
