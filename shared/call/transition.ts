/**
 * The one way a Call changes: `(Call, Fact) -> Call`, pure, the same in relay and extension.
 *
 * Facts arrive late, twice and in the wrong order. So every fact is evidence for an outcome, outcomes are ranked by
 * strength of proof, and the call has the highest-ranked one so far. Two values of one field join to the same value
 * in either order: the earlier time, the longer duration, the smaller text. Hence the same facts in any order,
 * repeated or not, end in the same Call, except for `revision`. That holds for ends that contradict each other, too.
 *
 * The provider's cloud reports nothing between `Trying` and the hang-up. Only a service that reports the callee's
 * answer makes a call `connected`.
 */
import { type Call, type CallError, type EndDetails, type Fact, isFinished } from './call.ts';

type Ranked = Pick<Call, 'state' | 'reason'>;

/** The outcomes from the weakest to the strongest evidence. The index is the rank. */
const rankedOutcomes: readonly Ranked[] = [
  { state: 'initiating' },
  { state: 'unknown', reason: 'notAnswered' },
  { state: 'callingCaller' },
  { state: 'callingCallee' },
  { state: 'connected' },
  { state: 'unknown', reason: 'other' },
  { state: 'failed', reason: 'notSent' },
  { state: 'failed', reason: 'refused' },
  { state: 'disconnected', reason: 'hangUp' },
  // These outcomes rank above a hang-up without talk, because they name who was not reached.
  { state: 'disconnected', reason: 'calleeUnknown' },
  { state: 'disconnected', reason: 'calleeNoAnswer' },
  { state: 'disconnected', reason: 'calleeBusy' },
  { state: 'disconnected', reason: 'calleeRefused' },
  { state: 'failed', reason: 'callerNoAnswer' },
  { state: 'failed', reason: 'callerFailure' },
  { state: 'failed', reason: 'callerBusy' },
  { state: 'failed', reason: 'callerRefused' },
];

function rankOf({ state, reason }: Ranked, talkSeconds = 0): number {
  // Talk time outranks everything: the call was answered, whatever else was reported.
  if (state === 'disconnected' && talkSeconds > 0) return rankedOutcomes.length;
  return rankedOutcomes.findIndex((outcome) => outcome.state === state && outcome.reason === reason);
}

interface EndEvidence {
  outcome: Ranked;
  fields?: Omit<EndDetails, 'reason'> & Pick<Partial<Call>, 'acceptedAt' | 'canHangUp'>;
  error?: CallError;
}

function evidenceOf(fact: Fact): EndEvidence {
  switch (fact.kind) {
    case 'accepted':
      return {
        outcome: { state: 'callingCaller' },
        fields: { acceptedAt: fact.at, callid: fact.callid, canHangUp: fact.canHangUp },
      };
    case 'ringing':
      return {
        outcome: { state: fact.party === 'caller' ? 'callingCaller' : 'callingCallee' },
        fields: { callid: fact.callid },
      };
    case 'answered':
      return {
        outcome: { state: fact.party === 'caller' ? 'callingCallee' : 'connected' },
        fields: {
          callid: fact.callid,
          connectedAt: fact.party === 'callee' ? fact.at : undefined,
        },
      };
    case 'hangUpAsked':
      return { outcome: { state: 'initiating' }, fields: { endedBy: 'caller' } };
    case 'refused':
    case 'notSent':
      return { outcome: { state: 'failed', reason: fact.kind }, error: fact.error };
    case 'notAnswered':
      return { outcome: { state: 'unknown', reason: 'notAnswered' }, error: fact.error };
    case 'lostCall':
      return lostCall(fact.details ?? {});
    case 'hungUp':
      return hungUp({ ...fact.details, endedAt: fact.details.endedAt ?? fact.at });
    case 'endUnknown':
    case 'noNotification':
      return { outcome: { state: 'unknown', reason: 'other' } };
  }
}

const lostCallMessages = {
  callerNoAnswer: 'The phone of the caller was not answered in time.',
  callerFailure: 'The phone of the caller could not be reached.',
  callerBusy: 'The phone of the caller was busy.',
  callerRefused: 'The call was declined at the phone of the caller.',
};

const isLostCallReason = (reason: Call['reason']): reason is keyof typeof lostCallMessages =>
  reason !== undefined && reason in lostCallMessages;

function lostCall({ reason: given, ...fields }: EndDetails): EndEvidence {
  if (hasTalk(fields)) return talked(fields);
  const reason = isLostCallReason(given) ? given : 'callerNoAnswer';
  return {
    outcome: { state: 'failed', reason },
    fields,
    error: { code: 'lostCall', message: lostCallMessages[reason] },
  };
}

const hasTalk = ({ talkSeconds = 0 }: EndDetails): boolean => talkSeconds > 0;

/** Talk proves that both were reached, whatever the reason. */
const talked = (fields: EndDetails): EndEvidence => ({
  outcome: { state: 'disconnected', reason: 'hangUp' },
  fields,
});

function hungUp({ reason = 'hangUp', ...fields }: EndDetails): EndEvidence {
  if (hasTalk(fields)) return talked(fields);
  return isLostCallReason(reason)
    ? lostCall({ reason, ...fields })
    : { outcome: { state: 'disconnected', reason }, fields };
}

/**
 * Who ended a call, the stronger evidence first. The agent is before the service, which reports a hang-up by the button
 * as its own.
 */
const enders = ['callee', 'caller', 'system'];

/** The fields that are times. Of two times, the earlier time is kept. */
const times = new Set(['acceptedAt', 'connectedAt', 'startedAt', 'endedAt']);

/** Joins two values of one field to the same value in either order. */
function join(field: string, one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return one ?? other;
  if (typeof one === 'number' && typeof other === 'number') return Math.max(one, other);
  if (typeof one === 'boolean') return one || other;
  if (times.has(field)) return Date.parse(String(one)) <= Date.parse(String(other)) ? one : other;
  if (field === 'endedBy') return enders.find((party) => party === one || party === other);
  if (typeof one === 'string' && typeof other === 'string') return one <= other ? one : other;
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
  // Of two callflows, the longer one has more information.
  if (first.length !== second.length) return first.length > second.length ? one : other;
  return first <= second ? one : other;
}

/** @returns the call after the fact; the very same object when the fact adds nothing, so `===` means "unchanged". */
export function transition(call: Call, fact: Fact): Call {
  const { outcome, fields = {}, error } = evidenceOf(fact);
  const rank = rankOf(outcome, fields.talkSeconds);
  const rankBefore = rankOf(call, call.talkSeconds);
  const isStronger = rank > rankBefore;
  const isOver = isFinished(isStronger ? outcome : call);
  const isDropped = (key: string) =>
    (isStronger && (key === 'reason' || key === 'error')) || (isOver && key === 'canHangUp');

  // Copied member by member: spreading, and deleting from the copy, took most of the time of a notification's decision.
  const next: Record<string, unknown> = {};
  let isChanged = isStronger;
  const set = (key: string, value: unknown) => {
    isChanged ||= next[key] !== value;
    next[key] = value;
  };
  for (const key in call) {
    if (isDropped(key)) isChanged = true;
    else next[key] = call[key as keyof Call];
  }
  for (const key in fields) {
    const value = fields[key as keyof typeof fields];
    if (value !== undefined && !isDropped(key)) set(key, join(key, next[key], value));
  }
  if (rank === rankBefore && error !== undefined) set('error', join('error', next.error, error));
  if (!isChanged) return call;
  if (isStronger) {
    next.state = outcome.state;
    if (outcome.reason !== undefined) next.reason = outcome.reason;
    if (error !== undefined) next.error = error;
  }
  next.revision = call.revision + 1;
  return next as unknown as Call;
}
