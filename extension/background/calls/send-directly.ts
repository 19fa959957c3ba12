/**
 * Sends one `/call` from this browser to the provider (interface 4.1). The steps are durable before they are taken, so a
 * background that is killed in between leaves a record that says what may have happened; nothing is ever sent again (Law 1).
 */
import { buildCall, type CallMethod, type CallRequest } from '../../../shared/service/request.ts';
import { sendCall } from '../../../shared/service/send.ts';
import type { BrowserName } from '../../manifest.ts';
import type { Settings } from '../../settings.ts';
import type { CallRecord } from './call-record.ts';
import { changeCall, withFact, withRelayCall } from './call-store.ts';
import { demandFreshConnection } from './fresh-connection.ts';
import { failureOf } from './place-through-relay.ts';
import { firstThatAnswers } from './probe-address.ts';
import { announceCall, type Relay, reportReply } from './relay-client.ts';
import type { Route } from './route.ts';

declare const __BROWSER__: BrowserName;

/** Below the 30 s after which browsers stop an idle background. */
const answerTimeoutMs = 25_000;

type DirectRoute = Extract<Route, { mode: 'direct' }>;

export async function sendDirectly(
  record: CallRecord,
  route: DirectRoute,
  settings: Settings,
): Promise<void> {
  const { direct } = settings.connection;
  const method = safeMethod(direct.method);
  const callTo = (address: string, request: CallRequest) =>
    buildCall(address, request, { token: route.token, tokenIn: direct.tokenIn }, method);
  const first = route.addresses[0]!;
  // None of these rings a phone, and an agent waits for the slowest: they go side by side.
  const [announced, address] = await Promise.all([
    announce(record, route, settings),
    firstThatAnswers(route.addresses),
    demandFreshConnection(callTo(first, record.request).url),
  ]);
  if (announced === undefined) return;
  const returnurl = announced.returnUrl ?? (direct.returnTo === 'own' ? direct.ownReturnUrl : undefined);
  const request = { ...record.request, ...(returnurl === undefined ? {} : { returnurl }) };

  if (address === undefined) {
    const error = { code: 'unreachable', message: 'nothing answers at the service address' } as const;
    await changeCall(record.id, (current) => ({
      ...withFact(current, { kind: 'notSent', at: now(), error }),
      phase: 'placed',
      ...(announced.relay ? { report: { error: { kind: 'notSent', ...error } } } : {}),
    }));
    return reportToRelay(record.id, announced.relay);
  }

  const http = callTo(address, request);
  if (address !== first) await demandFreshConnection(http.url);
  // Whoever moves the record from `preparing` to `sending` sends; the transaction lets one only.
  let mine = false;
  await changeCall(
    record.id,
    (current) => {
      mine = current.phase === 'preparing';
      return mine ? { ...current, phase: 'sending' } : current;
    },
    'strict',
  );
  if (!mine) return;
  const { fact, reply } = await sendCall(http, answerTimeoutMs);
  // The relay reads the provider's own reply where there is one (design 4); else what its absence proves.
  const report =
    'error' in fact
      ? { error: { kind: fact.kind, ...fact.error, message: fact.error.message.slice(0, 500) } }
      : { reply: JSON.parse(reply!.body), httpStatus: reply!.status };
  await changeCall(record.id, (current) => ({
    ...withFact(current, fact),
    phase: 'placed',
    ...(announced.relay ? { report } : {}),
  }));
  await reportToRelay(record.id, announced.relay);
}

/** @returns where the end will go and who follows it; undefined where the call is not to be placed. */
async function announce(
  record: CallRecord,
  route: DirectRoute,
  settings: Settings,
): Promise<{ relay?: Relay; returnUrl?: string } | undefined> {
  if (route.relay === undefined) return {};
  const { to, from, timeout } = record.request;
  if (route.relay !== 'missingKey') {
    const relay = route.relay;
    const outcome = await announceCall(relay, record.id, {
      to,
      from,
      ...(timeout === undefined ? {} : { timeout }),
    });
    if (outcome.kind === 'ok') {
      await changeCall(record.id, (current) => ({
        ...withRelayCall(current, outcome.value.call),
        followed: 'relay',
      }));
      return { relay, returnUrl: outcome.value.returnUrl };
    }
    if (!settings.connection.direct.placeWithoutRelay) {
      const failure = (await failureOf(outcome, relay))!;
      await giveUp(record.id, failure);
      return undefined;
    }
  } else if (!settings.connection.direct.placeWithoutRelay) {
    await giveUp(record.id, { code: 'wrongKey' });
    return undefined;
  }
  await changeCall(record.id, (current) => ({ ...current, followed: 'none' }));
  return {};
}

async function giveUp(id: string, failure: NonNullable<CallRecord['failure']>): Promise<void> {
  await changeCall(id, (current) => ({
    ...withFact(current, {
      kind: 'notSent',
      at: now(),
      error: { code: 'notConfigured', message: 'the relay that would follow the call was not told of it' },
    }),
    phase: 'placed',
    failure,
  }));
}

/** Tells the relay what the provider answered; kept until it has been taken, since it may be the only one to know. */
export async function reportToRelay(id: string, relay: Relay | undefined): Promise<void> {
  const record = await changeCall(id, (current) => current);
  if (!relay || record?.report === undefined || record.relayId === undefined) return;
  const outcome = await reportReply(relay, record.relayId, record.report);
  if (outcome.kind === 'unreachable' || (outcome.kind === 'problem' && outcome.status >= 500)) return;
  await changeCall(id, (current) => {
    const { report: _taken, ...rest } = current;
    return outcome.kind === 'ok' ? withRelayCall(rest, outcome.value) : rest;
  });
}

/**
 * Firefox (153) resends a GET whose connection breaks before the answer, up to ten times, each on a new connection, and no
 * extension can stop it. Both methods mean the same to the service (interface 4.1), so there a GET goes as a POST (Law 1).
 */
function safeMethod(wanted: CallMethod): CallMethod {
  return __BROWSER__ === 'firefox' ? 'post' : wanted;
}

function now(): string {
  return new Date().toISOString();
}
