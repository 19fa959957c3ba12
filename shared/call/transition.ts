/**
 * The one way a Call changes: `(Call, Fact) -> Call`, pure, the same in relay and extension.
 *
 * Facts arrive late, twice and in the wrong order, so the function is a join: every fact is evidence for an outcome, outcomes
 * are ranked by strength of proof, and the call has the highest-ranked one so far. Fields are filled once and never
 * overwritten. Hence the same facts in any order, repeated or not, end in the same Call, except for `revision`.
 *
 * The provider reports nothing between `Trying` and the hang-up, so no outcome is called connected.
 */
import type { Call, CallError, EndDetails, Fact } from './call.ts';

type Outcome = Pick<Call, 'state' | 'reason'>;

/** From weakest to strongest evidence; the index is the rank. */
const rankedOutcomes: readonly Outcome[] = [
  { state: 'initiating' },
  { state: 'unknown', reason: 'notAnswered' },
  { state: 'callingCaller' },
  { state: 'unknown', reason: 'other' },
  { state: 'failed', reason: 'notSent' },
  { state: 'failed', reason: 'refused' },
  { state: 'disconnected', reason: 'hangUp' },
  // Above a hang-up without talk, which proves less: `lost-call` names who did not answer.
  { state: 'failed', reason: 'callerNoAnswer' },
];

function rankOf({ state, reason }: Outcome, talkSeconds = 0): number {
  // Talk time outranks everything: the call was answered, whatever else was reported.
  if (state === 'disconnected' && talkSeconds > 0) return rankedOutcomes.length;
  return rankedOutcomes.findIndex((outcome) => outcome.state === state && outcome.reason === reason);
}

interface Evidence {
  outcome: Outcome;
  fields?: EndDetails & Pick<Partial<Call>, 'acceptedAt'>;
  error?: CallError;
}

function evidenceOf(fact: Fact): Evidence {
  switch (fact.kind) {
    case 'accepted':
      return {
        outcome: { state: 'callingCaller' },
        fields: { acceptedAt: fact.at, ...(fact.callid === undefined ? {} : { callid: fact.callid }) },
      };
    case 'refused':
    case 'notSent':
      return { outcome: { state: 'failed', reason: fact.kind }, error: fact.error };
    case 'notAnswered':
      return { outcome: { state: 'unknown', reason: 'notAnswered' }, error: fact.error };
    case 'lostCall':
      return {
        outcome: { state: 'failed', reason: 'callerNoAnswer' },
        fields: fact.details ?? {},
        error: { code: 'lostCall', message: 'The phone of the caller was not answered in time.' },
      };
    case 'hungUp':
      return {
        outcome: { state: 'disconnected', reason: 'hangUp' },
        fields: { ...fact.details, endedAt: fact.details.endedAt ?? fact.at },
      };
    case 'noNotification':
      return { outcome: { state: 'unknown', reason: 'other' } };
  }
}

/** @returns the call after the fact; the very same object when the fact adds nothing, so `===` means "unchanged". */
export function transition(call: Call, fact: Fact): Call {
  const { outcome, fields = {}, error } = evidenceOf(fact);
  const next: Call = { ...call };

  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined && next[key as keyof Call] === undefined) Object.assign(next, { [key]: value });
  }

  const isStronger = rankOf(outcome, fields.talkSeconds) > rankOf(call, call.talkSeconds);
  if (isStronger) {
    next.state = outcome.state;
    delete next.reason;
    delete next.error;
    if (outcome.reason !== undefined) next.reason = outcome.reason;
    if (error !== undefined) next.error = error;
  }

  const isChanged = isStronger || Object.keys(next).length !== Object.keys(call).length;
  return isChanged ? { ...next, revision: call.revision + 1 } : call;
}
