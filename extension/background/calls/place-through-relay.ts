/** Places a call through the relay: asked with the click id as Idempotency-Key, so asking again never dials again. */
import type { PlaceCallRequest } from '../../../shared/protocol/messages.ts';
import type { ErrorCode } from '../../messages.ts';
import type { CallRecord } from './call-record.ts';
import { changeCall, withFact, withRelayCall } from './call-store.ts';
import { placeThroughRelay, type Relay, type RelayOutcome } from './relay-client.ts';
import { mayReach } from './route.ts';

/** Milliseconds before each further try. A relay that restarts is back within them. */
const pauses = [250, 1000];

export async function askRelay(record: CallRecord, relay: Relay): Promise<void> {
  const { to, from, timeout, force_from, callerid } = record.request;
  const body: PlaceCallRequest = {
    to,
    ...(from === '' ? {} : { from }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(force_from === undefined ? {} : { force_from }),
    ...(callerid === undefined ? {} : { callerid }),
  };
  let outcome = await placeThroughRelay(relay, record.id, body);
  for (const pause of pauses) {
    if (!isPassing(outcome)) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
    outcome = await placeThroughRelay(relay, record.id, body);
  }
  const failure = await failureOf(outcome, relay);
  const at = new Date().toISOString();
  await changeCall(record.id, (current) => {
    if (outcome.kind === 'ok') return { ...withRelayCall(current, outcome.value), phase: 'placed' };
    const placed = { ...current, phase: 'placed' as const, failure: failure! };
    if (outcome.kind === 'problem' && outcome.problem?.call)
      return withRelayCall(placed, outcome.problem.call);
    // The relay said no: nothing was placed. No answer at all proves nothing.
    return isRefusal(outcome)
      ? withFact(placed, {
          kind: 'notSent',
          at,
          error: { code: 'badRequest', message: failure!.detail ?? '' },
        })
      : withFact(placed, {
          kind: 'notAnswered',
          at,
          error: { code: 'connectionLost', message: 'the relay did not answer' },
        });
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

/** In the words of `error_<code>`; undefined where the relay did what it was asked. */
export async function failureOf(
  outcome: RelayOutcome<unknown>,
  relay: Relay,
): Promise<{ code: ErrorCode; detail?: string } | undefined> {
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
