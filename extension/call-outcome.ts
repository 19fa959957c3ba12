/** How a call ended, in the few kinds that a history is read by. */
import { type Call, isFinished } from '../shared/call/call.ts';

export const callOutcomes = ['answered', 'busy', 'notAnswered', 'lost', 'notPlaced', 'unknown'] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** Only talk time, or the service's word, proves that the callee answered; a busy one is named as such where the callflow shows it. */
export function outcomeOf(call: Call): CallOutcome | 'ongoing' {
  if (!isFinished(call)) return 'ongoing';
  if ((call.talkSeconds ?? 0) > 0) return 'answered';
  if (call.reason === 'callerNoAnswer') return 'lost';
  if (call.state === 'failed') return 'notPlaced';
  if (call.state === 'unknown') return 'unknown';
  const isBusy = call.reason === 'calleeBusy' || call.legs?.some(({ state }) => state === 'Busy');
  return isBusy ? 'busy' : 'notAnswered';
}
