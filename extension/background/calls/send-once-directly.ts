/**
 * Sends one `/call` from this browser to the provider (interface 4.1). Each step is written down before it is taken.
 * So a killed background leaves a record of what may have happened, and nothing is sent twice (Law 1).
 */

import type { Call } from '../../../shared/call/call.ts';
import { buildCall, type CallMethod, type CallRequest } from '../../../shared/service/request.ts';
import { capabilityIn } from '../../../shared/service/without-secrets.ts';
import { browserName } from '../../browser-name.ts';
import type { Refusal } from '../../messages/result.ts';
import type { Settings } from '../../settings.ts';
import { aboutCall, type CallRecord, isFreshClick } from './call-record.ts';
import { changeCall, withFact, withRelayCall } from './call-store.ts';
import { forbidConnectionReuse } from './forbid-connection-reuse.ts';
import { firstReachable } from './probe-address.ts';
import { announceCall, isUnanswered, type Relay, reportReply } from './relay-client.ts';
import { relayFailure } from './relay-refusal.ts';
import type { Route } from './route.ts';
import { sendCall } from './send-call.ts';

/** Below the 30 s after which browsers stop an idle background. */
const answerTimeoutMs = 25_000;

type DirectRoute = Extract<Route, { mode: 'direct' }>;

export async function sendOnceDirectly(
  record: CallRecord,
  route: DirectRoute,
  settings: Settings,
): Promise<void> {
  const { direct } = settings.connection;
  const method = safeMethod(direct.method);
  const callTo = (address: string, request: CallRequest) =>
    buildCall(address, request, { token: route.token, tokenIn: direct.tokenIn }, method);
  const first = route.addresses[0]!;
  // These three steps run at the same time, since the agent waits for the slowest. They do not ring a phone.
  const [announced, address] = await Promise.all([
    announce(record, route, settings),
    firstReachable(route.addresses),
    forbidConnectionReuse(callTo(first, record.request).url),
  ]);
  if (announced === undefined) return;
  const { relay, call, returnUrl } = announced;
  /** Adds the announcement to the next write of the record. A separate write would delay the click. */
  const withAnnouncement = (current: CallRecord): CallRecord =>
    call ? { ...withRelayCall(current, call), followed: 'relay' } : current;
  const returnurl = returnUrl ?? (direct.returnTo === 'own' ? direct.ownReturnUrl : undefined);
  const request = { ...record.request, returnurl };

  // The computer may have slept meanwhile.
  if (address === undefined || !isFreshClick(record)) {
    const error =
      address === undefined
        ? ({ code: 'unreachable', message: 'nothing answers at the service address' } as const)
        : ({ code: 'interrupted', message: 'the service answered long after the click' } as const);
    await changeCall(record.id, (current) => ({
      ...withFact(withAnnouncement(current), { kind: 'notSent', at: now(), error }),
      phase: 'placed',
      ...(relay && { report: { error: { kind: 'notSent', ...error } } }),
    }));
    return reportToRelay(record.id, relay);
  }

  const http = callTo(address, request);
  if (address !== first) await forbidConnectionReuse(http.url);
  // Only the run that changes `preparing` to `sending` sends the request. The transaction allows one run to do so.
  let isOurs = false;
  await changeCall(
    record.id,
    (current) => {
      isOurs = current.phase === 'preparing';
      return isOurs ? { ...withAnnouncement(current), phase: 'sending' } : current;
    },
    'strict',
  );
  if (!isOurs) return;
  const { fact, reply } = await sendCall(
    http,
    [route.token, returnurl, capabilityIn(returnurl)],
    answerTimeoutMs,
  );
  // The relay gets the provider's own reply. If the reply is a refusal, unclear or missing, the relay gets our error
  // instead.
  const report =
    'error' in fact
      ? { error: { kind: fact.kind, ...fact.error, message: fact.error.message.slice(0, 500) } }
      : { reply: JSON.parse(reply!.body), httpStatus: reply!.status };
  await changeCall(record.id, (current) => ({
    ...withFact(current, fact),
    phase: 'placed',
    ...(relay && { report }),
  }));
  await reportToRelay(record.id, relay);
}

/**
 * Announces the call to the relay that will follow it.
 * @returns the relay and its reply. Empty: the call is placed without a relay. Undefined: the call must not be placed.
 */
async function announce(
  record: CallRecord,
  route: DirectRoute,
  settings: Settings,
): Promise<{ relay?: Relay; call?: Call; returnUrl?: string } | undefined> {
  const { relay } = route;
  // Only the relay knows which agent may call an item of a call sheet. So such a call must be announced.
  const mustAnnounce = record.item !== undefined;
  if (relay === undefined && !mustAnnounce) return {};
  let failure: Refusal = { code: 'wrongKey' };
  let isRefused = false;
  if (relay !== undefined && relay !== 'missingKey') {
    const { to, from, timeout } = record.request;
    const outcome = await announceCall(relay, record.id, { to, from, timeout, ...aboutCall(record) });
    if (outcome.kind === 'ok') return { relay, ...outcome.value };
    failure = (await relayFailure(outcome, relay))!;
    // The team's rules hold for direct calls too.
    isRefused = outcome.kind === 'problem' && outcome.problem !== undefined && outcome.status < 500;
  }
  if (settings.connection.direct.placeWithoutRelay && !mustAnnounce && !isRefused) return {};
  const error = {
    code: 'notConfigured',
    message: 'the relay that would follow the call does not know of it',
  } as const;
  await changeCall(record.id, (current) => ({
    ...withFact(current, { kind: 'notSent', at: now(), error }),
    phase: 'placed',
    failure,
  }));
  return undefined;
}

/**
 * Reports the provider's reply to the relay. Only this browser knows the reply, so it is kept until the relay has it.
 */
export async function reportToRelay(id: string, relay: Relay | undefined): Promise<void> {
  const record = await changeCall(id, (current) => current);
  if (!relay || record?.report === undefined || record.relayRevision === undefined) return;
  const outcome = await reportReply(relay, id, record.report);
  if (isUnanswered(outcome)) return;
  await changeCall(id, (current) => {
    const reported = { ...current, report: undefined };
    return outcome.kind === 'ok' ? withRelayCall(reported, outcome.value) : reported;
  });
}

/**
 * Firefox (153) resends a GET whose connection breaks before the answer, up to ten times. No extension can stop it.
 * Both methods mean the same to the service (interface 4.1), so Firefox sends a POST (Law 1).
 */
function safeMethod(wanted: CallMethod): CallMethod {
  return browserName === 'firefox' ? 'post' : wanted;
}

function now(): string {
  return new Date().toISOString();
}
