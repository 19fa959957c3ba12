/** Places a call through the relay, with the click's id as Idempotency-Key: a repeated request never dials again. */
import type { PlaceCallRequest } from '../../../shared/protocol/messages.ts';
import type { Refusal } from '../../messages.ts';
import type { CallRecord } from './call-record.ts';
import { changeCall, withFact, withRelayCall } from './call-store.ts';
import { postCall, type Relay, type RelayOutcome } from './relay-client.ts';
import { mayReach } from './route.ts';

/** Before each further try. A relay that restarts is back within them. */
const pausesMs = [250, 1000];

export async function placeThroughRelay(record: CallRecord, relay: Relay): Promise<void> {
  const { to, from, timeout, force_from, callerid } = record.request;
  const body: PlaceCallRequest = {
    to,
    ...(from !== '' && { from }),
    timeout,
    force_from,
    callerid,
  };
  let outcome = await postCall(relay, record.id, body);
  for (const pauseMs of pausesMs) {
    if (!isPassing(outcome)) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    outcome = await postCall(relay, record.id, body);
  }
  const failure = await failureOf(outcome, relay);
  const at = new Date().toISOString();
  await changeCall(record.id, (current) => {
    if (outcome.kind === 'ok') return { ...withRelayCall(current, outcome.value), phase: 'placed' };
    const ended =
      outcome.kind === 'problem' && outcome.problem?.call
        ? withRelayCall(current, outcome.problem.call)
        : withFact(
            current,
            // A refusal: nothing was placed. No answer at all proves nothing.
            isRefusal(outcome)
              ? { kind: 'notSent', at, error: { code: 'badRequest', message: failure!.detail ?? '' } }
              : {
                  kind: 'notAnswered',
                  at,
                  error: { code: 'connectionLost', message: 'the relay did not answer' },
                },
          );
    return { ...ended, phase: 'placed', failure };
  });
}

function isPassing(outcome: RelayOutcome<unknown>): boolean {
  return outcome.kind === 'unreachable' || (outcome.kind === 'problem' && outcome.status >= 502);
}

function isRefusal(outcome: RelayOutcome<unknown>): boolean {
  return (
    outcome.kind === 'notTheRelay' ||
    (outcome.kind === 'problem' && outcome.status < 500) ||
    (outcome.kind === 'problem' && outcome.problem?.code !== undefined && outcome.status === 503)
  );
}

/** In the words of `error_<code>`; undefined where the relay did what was requested. */
export async function failureOf(outcome: RelayOutcome<unknown>, relay: Relay): Promise<Refusal | undefined> {
  if (outcome.kind === 'ok') return undefined;
  if (outcome.kind === 'problem') {
    if (outcome.status === 401) return { code: 'wrongKey' };
    return {
      code: 'relayRefused',
      detail: outcome.problem?.detail ?? outcome.problem?.title ?? `HTTP ${outcome.status}`,
    };
  }
  if (!(await mayReach(relay.url))) return { code: 'noPermission', detail: new URL(relay.url).hostname };
  return { code: 'relayUnreachable' };
}
