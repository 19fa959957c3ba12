/**
 * The one way a Call changes: `(Call, Fact) -> Call`, pure, the same in relay, extension and widget.
 *
 * Facts arrive late, twice and in the wrong order, so the function is a join: every fact names the outcome it is
 * evidence for, outcomes are ranked by how much they prove, and the call stands at the highest it has seen.
 * Fields are filled once and never overwritten. Hence any order and repetition of the same facts ends in the same
 * Call; only `revision`, which counts the changes on the way, tells the paths apart.
 *
 * Nothing between `Trying` and the hang-up is reported by the provider, so no outcome is called connected.
 */
import type { Call, CallError, EndDetails, Fact } from './call.ts';

type Outcome = Pick<Call, 'state' | 'reason'>;

/** From weakest to strongest evidence; the index is the rank. */
const ladder = [
  { state: 'initiating' },
  { state: 'unknown', reason: 'notAnswered' },
  { state: 'callingCaller' },
  { state: 'unknown', reason: 'other' },
  { state: 'failed', reason: 'notSent' },
  { state: 'failed', reason: 'refused' },
  { state: 'disconnected', reason: 'hangUp' },
  // Above a hang-up without talk, which says less: `lost-call` names who did not answer.
  { state: 'failed', reason: 'callerNoAnswer' },
] as const satisfies readonly Outcome[];

/** Above every rung: somebody talked, whatever else was said. */
const talkedRank = ladder.length;

type Rung = (typeof ladder)[number];

function rankOf(outcome: Outcome, talkSeconds: number | undefined): number {
  if (outcome.state === 'disconnected' && (talkSeconds ?? 0) > 0) return talkedRank;
  return ladder.findIndex((rung: Rung) => rung.state === outcome.state && reasonOf(rung) === outcome.reason);
}

function reasonOf(rung: Rung): Call['reason'] {
  return 'reason' in rung ? rung.reason : undefined;
}

interface Evidence {
  outcome: Outcome;
  fields: EndDetails & Pick<Partial<Call>, 'acceptedAt' | 'endedAt'>;
  error?: CallError;
}

const evidenceOf: { [K in Fact['kind']]: (fact: Extract<Fact, { kind: K }>) => Evidence } = {
  accepted: (fact) => ({
    outcome: { state: 'callingCaller' },
    fields: { acceptedAt: fact.at, ...(fact.callid === undefined ? {} : { callid: fact.callid }) },
  }),
  refused: (fact) => ({
    outcome: { state: 'failed', reason: 'refused' },
    fields: {},
    error: fact.error,
  }),
  notSent: (fact) => ({
    outcome: { state: 'failed', reason: 'notSent' },
    fields: {},
    error: fact.error,
  }),
  notAnswered: (fact) => ({
    outcome: { state: 'unknown', reason: 'notAnswered' },
    fields: {},
    error: fact.error,
  }),
  lostCall: (fact) => ({
    outcome: { state: 'failed', reason: 'callerNoAnswer' },
    fields: fact.details ?? {},
    error: { code: 'lostCall', message: 'The phone of the caller was not answered in time.' },
  }),
  hungUp: (fact) => ({
    outcome: { state: 'disconnected', reason: 'hangUp' },
    fields: { ...fact.details, endedAt: fact.details.endedAt ?? fact.at },
  }),
  noNotification: () => ({ outcome: { state: 'unknown', reason: 'other' }, fields: {} }),
};

/**
 * @returns the call after the fact; the very same object when the fact tells nothing new, so `===` means "unchanged".
 */
export function transition(call: Call, fact: Fact): Call {
  const evidence = (evidenceOf[fact.kind] as (fact: Fact) => Evidence)(fact);
  const next: Call = { ...call };

  for (const [key, value] of Object.entries(evidence.fields)) {
    if (value !== undefined && next[key as keyof Call] === undefined) Object.assign(next, { [key]: value });
  }

  const risen = rankOf(evidence.outcome, evidence.fields.talkSeconds) > rankOf(call, call.talkSeconds);
  if (risen) {
    next.state = evidence.outcome.state;
    delete next.reason;
    delete next.error;
    if (evidence.outcome.reason !== undefined) next.reason = evidence.outcome.reason;
    if (evidence.error !== undefined) next.error = evidence.error;
  }

  const changed = risen || Object.keys(next).length !== Object.keys(call).length;
  return changed ? { ...next, revision: call.revision + 1 } : call;
}
