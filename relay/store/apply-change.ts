/** What a change does to a call, decided here alone and purely: the engines read, call this, and write what it returns. */
import { type Call, isFinished } from '../../shared/call/call.ts';
import { transition } from '../../shared/call/transition.ts';
import type { Applied, Arrival, CallChange, Intent } from './store.ts';

/** The changing part of a call as the engines keep it. */
export interface CallState {
  /** The Call as JSON on one line. */
  data: string;
  isOpen: boolean;
  /** Between journal and the provider's answer. */
  isDialling: boolean;
  /** Milliseconds since 1970; undefined when nothing is expected any more. */
  deadline: number | undefined;
  /** The notifications so far, as JSON of `ArrivalRecord[]`. */
  arrivals: string;
}

/** The first of a kind of end is believed; another one is kept after it with its details, and never shown. */
interface ArrivalRecord {
  event: string;
  digest: string;
  at?: number;
  details?: unknown;
}

export interface DecidedChange {
  answer: Applied;
  /** To be written; where `data` is new, as one event too. */
  next?: CallState;
  forward?: Arrival['forward'];
}

/** Ever different notifications must not fill the store. */
const maxContradictions = 20;

export function newRecord({ call, placedBy, deadline }: Intent): CallState {
  return {
    data: JSON.stringify(call),
    isOpen: true,
    isDialling: placedBy === 'relay',
    deadline,
    arrivals: '[]',
  };
}

export function applyChange(current: CallState, change: CallChange): DecidedChange {
  const { arrival, fact, now } = change;
  let { arrivals } = current;
  if (arrival) {
    const { event, digest } = arrival;
    const known = JSON.parse(arrivals) as ArrivalRecord[];
    const sameEnd = known.filter((each) => each.event === event);
    if (sameEnd.some((each) => each.digest === digest)) return { answer: { kind: 'repeat' } };
    if (sameEnd.length > maxContradictions) return { answer: { kind: 'conflict' } };
    if (sameEnd.length > 0) {
      const details = 'details' in fact ? fact.details : undefined;
      const contradiction: ArrivalRecord = { event, digest, at: now, details };
      const next = { ...current, arrivals: JSON.stringify([...known, contradiction]) };
      return { answer: { kind: 'conflict' }, next };
    }
    arrivals = JSON.stringify([...known, { event, digest }]);
  }
  const before = JSON.parse(current.data) as Call;
  const call = transition(before, fact);
  const data = call === before ? current.data : JSON.stringify(call);
  // A notification may beat the provider's answer; then the journal's entry is still undecided.
  const isDialling = arrival !== undefined && current.isDialling;
  const deadline = isDialling ? current.deadline : (change.deadline ?? current.deadline);
  return {
    answer: {
      kind: call === before ? 'unchanged' : 'applied',
      state: call.state,
      reason: call.reason,
      ...(change.wantsCall ? { data } : {}),
    },
    next: {
      data,
      isOpen: !isFinished(call),
      isDialling,
      deadline: isFinished(call) && !isDialling ? undefined : deadline,
      arrivals,
    },
    forward: arrival?.forward,
  };
}
