/** Places a call through the relay, with the click's id as Idempotency-Key: a repeated request never dials again. */
import type { Call } from '../../../shared/call/call.ts';
import type { PlaceCallRequest } from '../../../shared/protocol/messages.ts';
import type { Refusal } from '../../messages/result.ts';
import { aboutCall, type CallRecord, isFreshClick } from './call-record.ts';
import { changeCall, withFact, withRelayCall } from './call-store.ts';
import { isAmbiguous, postCall, type Relay, type RelayOutcome } from './relay-client.ts';
import { relayFailure } from './relay-refusal.ts';

/** The pause before each retry. Both pauses together are longer than a restart of the relay. */
const pausesMs = [250, 1000];

export async function placeThroughRelay(record: CallRecord, relay: Relay): Promise<void> {
  const { to, from, timeout, force_from, callerid } = record.request;
  const body: PlaceCallRequest = {
    to,
    ...(from !== '' && { from }),
    timeout,
    force_from,
    callerid,
    ...aboutCall(record),
  };
  let outcome = await postCall(relay, record.id, body);
  // If any try may have reached the relay, the call may be placed. A later refusal does not disprove that (Law 1).
  let mayBePlaced = isAmbiguous(outcome);
  for (const pauseMs of pausesMs) {
    if (!isAmbiguous(outcome) || outcome.kind === 'unreadable') break;
    // After a timeout the request is not repeated. So long after the click, the agent does not expect the phone to
    // ring.
    if (outcome.kind === 'unreachable' && outcome.timedOut) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // The computer may have slept meanwhile.
    if (!isFreshClick(record)) break;
    outcome = await postCall(relay, record.id, body);
    mayBePlaced ||= isAmbiguous(outcome);
  }
  const failure = await relayFailure(outcome, relay);
  await changeCall(record.id, (current) => ({
    ...withRelayOutcome(current, outcome, mayBePlaced, failure),
    phase: 'placed',
  }));
}

function withRelayOutcome(
  record: CallRecord,
  outcome: RelayOutcome<Call>,
  mayBePlaced: boolean,
  failure: Refusal | undefined,
): CallRecord {
  if (outcome.kind === 'ok') return withRelayCall(record, outcome.value);
  // A refusal may contain another Call, such as the agent's last call whose outcome is missing.
  const named = outcome.kind === 'problem' ? outcome.problem?.call : undefined;
  if (named?.id === record.id) return { ...withRelayCall(record, named), failure };
  const at = new Date().toISOString();
  if (mayBePlaced) {
    const error = { code: 'connectionLost', message: 'the relay did not confirm the call' } as const;
    return withFact(record, { kind: 'notAnswered', at, error });
  }
  const error = { code: 'badRequest', message: failure?.detail ?? '' } as const;
  return { ...withFact(record, { kind: 'notSent', at, error }), failure };
}
