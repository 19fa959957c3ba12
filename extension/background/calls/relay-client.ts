/** The relay's HTTP as the extension uses it (`relay/routes/`). Outcomes are values; every request has a time limit. */

import { z } from 'zod/mini';
import { withoutTrailingSlash } from '../../../shared/address.ts';
import { Call } from '../../../shared/call/call.ts';
import { privateRequest } from '../../../shared/private-request.ts';
import { DoNotCallEntry, type DoNotCallRequest } from '../../../shared/protocol/do-not-call.ts';
import {
  AnnouncedCall,
  CallbackPage,
  CallPage,
  type PlaceCallRequest,
  Problem,
  RecordCandidates,
  type RecordRequest,
} from '../../../shared/protocol/messages.ts';
import { DirectorySearchPage, NumberStatusPage } from '../../../shared/protocol/number-status.ts';
import { Rules } from '../../../shared/protocol/rules.ts';
import { ClaimReply, MadeSheet, SheetPage, type SheetRequest } from '../../../shared/protocol/sheets.ts';
import { readTextUpTo } from '../../../shared/read-text.ts';
import type { WrapUpRequest } from '../../../shared/record/wrap-up.ts';
import { isObject, parseJson } from '../../../shared/service/json.ts';
import { removeNotes } from './call-store.ts';
import { removeDrafts } from './forget-drafts.ts';
import { observeRelayDate } from './relay-clock.ts';

export type RelayOutcome<T> =
  | { kind: 'ok'; value: T }
  /** The relay answered with an error. */
  | { kind: 'problem'; status: number; problem: Problem | undefined }
  /** The reply cannot be read: it is a 2xx, or contains a Call. Its sender may have done what was requested. */
  | { kind: 'unreadable'; status: number }
  /** The address refused the request, but not in the form of a relay. */
  | { kind: 'notTheRelay'; status: number }
  /** No answer: the relay may have done what was requested. */
  | { kind: 'unreachable'; timedOut: boolean };

/** Whether the relay itself did not answer: it is out of reach, or a proxy, a login page of a network, or 5xx did. */
export const isUnanswered = (outcome: RelayOutcome<unknown>): boolean =>
  outcome.kind === 'problem' ? outcome.status >= 500 : outcome.kind !== 'ok';

/**
 * Whether the relay may have done what was requested, by this reply alone (Law 1). A gateway's 5xx says nothing about
 * the relay behind it. A relay's own 5xx does not say when the relay failed. 501 and 505 are refusals.
 */
export function isAmbiguous(outcome: RelayOutcome<unknown>): boolean {
  if (outcome.kind === 'unreachable' || outcome.kind === 'unreadable') return true;
  if (outcome.kind !== 'problem' || outcome.problem?.call) return false;
  return outcome.status >= 500 && outcome.status !== 501 && outcome.status !== 505;
}

export interface Relay {
  /** Base address. */
  url: string;
  key: string;
}

const maxBytes = 256 * 1024;
/** Two hundred calls with notes of 10,000 characters. */
const maxCallbacksBytes = 8 * 1024 * 1024;
/** The relay itself waits for the provider; its own limits are shorter than this. */
const placeTimeoutMs = 45_000;
const shortTimeoutMs = 10_000;
/** The relay waits for the service, at up to two addresses. */
const hangUpTimeoutMs = 25_000;

/** The same `clickId` and body always get the same Call, which is dialled once. */
export function postCall(relay: Relay, clickId: string, body: PlaceCallRequest) {
  return withKnownRecord(body, (known) =>
    requestRelay(relay, Call, '/v1/calls', {
      body: known,
      idempotencyKey: clickId,
      timeoutMs: placeTimeoutMs,
    }),
  );
}

export function announceCall(relay: Relay, clickId: string, body: PlaceCallRequest) {
  return withKnownRecord(body, (known) =>
    requestRelay(relay, AnnouncedCall, '/v1/calls', {
      body: { ...known, placedBy: 'client' },
      idempotencyKey: clickId,
    }),
  );
}

/**
 * If the relay does not know the record any more, the call is placed all the same. The agent chooses another record
 * later.
 */
async function withKnownRecord<T>(
  body: PlaceCallRequest,
  ask: (body: PlaceCallRequest) => Promise<RelayOutcome<T>>,
): Promise<RelayOutcome<T>> {
  const outcome = await ask(body);
  const isUnknown = outcome.kind === 'problem' && outcome.problem?.code === 'recordUnknown';
  return isUnknown && body.record ? ask({ ...body, record: { choose: 'recordUnknown' } }) : outcome;
}

export function reportReply(relay: Relay, callId: string, report: unknown) {
  return requestRelay(relay, Call, `/v1/calls/${callId}/reply`, { body: report });
}

export function fetchCall(relay: Relay, callId: string) {
  return requestRelay(relay, Call, `/v1/calls/${callId}`);
}

/** Asks the relay to hang up. The call's end is then reported like any other end. */
export function deleteCall(relay: Relay, callId: string) {
  return requestRelay(relay, Call, `/v1/calls/${callId}`, { method: 'DELETE', timeoutMs: hangUpTimeoutMs });
}

/** @param revision of the wrap-up that the agent changed. The relay answers 412 if its revision is another. */
export function patchWrapUp(relay: Relay, callId: string, revision: number, changes: WrapUpRequest) {
  return requestRelay(relay, Call, `/v1/calls/${callId}/wrap-up`, {
    method: 'PATCH',
    body: changes,
    revision,
  });
}

export function postRecord(relay: Relay, callId: string, record: RecordRequest) {
  return requestRelay(relay, Call, `/v1/calls/${callId}/record`, { body: record });
}

/** Newest first. @param before `next` of the previous page. */
export function fetchCalls(relay: Relay, limit: number, before?: string) {
  const query = new URLSearchParams({ limit: String(limit), ...(before === undefined ? {} : { before }) });
  return requestRelay(relay, CallPage, `/v1/calls?${query}`, { maxBytes: maxCallbacksBytes });
}

export function fetchRecordCandidates(relay: Relay, callId: string) {
  return requestRelay(relay, RecordCandidates, `/v1/calls/${callId}/records`);
}

export function fetchCallbacks(relay: Relay) {
  return requestRelay(relay, CallbackPage, '/v1/callbacks', { maxBytes: maxCallbacksBytes });
}

/** @param numbers at most fifty: E.164, or an extension's digits. */
export function fetchStatuses(relay: Relay, numbers: readonly string[]) {
  return requestRelay(relay, NumberStatusPage, '/v1/numbers/status', { body: { numbers } });
}

export function searchDirectory(relay: Relay, q: string) {
  return requestRelay(relay, DirectorySearchPage, '/v1/directory/search', { body: { q } });
}

export function postDoNotCall(relay: Relay, entry: DoNotCallRequest) {
  return requestRelay(relay, DoNotCallEntry, '/v1/rules/do-not-call', { body: entry });
}

export function fetchSheets(relay: Relay) {
  return requestRelay(relay, SheetPage, '/v1/sheets');
}

export function postSheet(relay: Relay, sheet: SheetRequest) {
  return requestRelay(relay, MadeSheet, '/v1/sheets', { body: sheet });
}

export function deleteSheetAtRelay(relay: Relay, sheet: string) {
  return requestRelay(relay, z.unknown(), `/v1/sheets/${sheet}`, { method: 'DELETE' });
}

/** Claims the next item. If the caller already has an item, its claim is made longer. */
export function postClaim(relay: Relay, sheet: string, from: string | undefined) {
  return requestRelay(relay, ClaimReply, `/v1/sheets/${sheet}/claim`, { body: { from } });
}

export function deleteClaim(relay: Relay, sheet: string, item: number, from: string | undefined) {
  return requestRelay(relay, z.unknown(), `/v1/sheets/${sheet}/items/${item}/claim`, {
    method: 'DELETE',
    body: { from },
  });
}

export function fetchRules(relay: Relay) {
  return requestRelay(relay, Rules, '/v1/rules');
}

export const keyCheckPath = '/v1/calls?limit=1';

/** Reads one call of the history, which shows whether address and key are right, and whose key it is. */
export function checkKey(relay: Relay) {
  const schema = z.looseObject({ calls: z.array(z.unknown()), callers: z.optional(z.array(z.string())) });
  return requestRelay(relay, schema, keyCheckPath);
}

async function requestRelay<T>(
  relay: Relay,
  schema: z.ZodMiniType<T>,
  path: string,
  options: {
    body?: unknown;
    method?: 'DELETE' | 'PATCH';
    idempotencyKey?: string;
    revision?: number;
    /** Without it, the limit of a request that the relay answers by itself. */
    timeoutMs?: number;
    maxBytes?: number;
  } = {},
): Promise<RelayOutcome<T>> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? shortTimeoutMs);
  try {
    const response = await fetch(withoutTrailingSlash(relay.url) + path, {
      method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${relay.key}`,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        ...(options.revision === undefined ? {} : { 'if-match': String(options.revision) }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: timeout,
      ...privateRequest,
    });
    const body = parseJson(await readTextUpTo(response, options.maxBytes ?? maxBytes));
    if (response.ok) {
      const parsed = schema.safeParse(body);
      if (parsed.success) observeRelayDate(response.headers.get('date'));
      return parsed.success
        ? { kind: 'ok', value: parsed.data }
        : { kind: 'unreadable', status: response.status };
    }
    const problem = Problem.safeParse(body);
    if (problem.success && problem.data.removeNotes) await Promise.all([removeNotes(), removeDrafts()]);
    if (problem.success) return { kind: 'problem', status: response.status, problem: problem.data };
    if (isObject(body) && body.call !== undefined) return { kind: 'unreadable', status: response.status };
    // A proxy in front of the relay does not answer with the relay's problem object.
    if (response.status === 401 || response.status >= 500)
      return { kind: 'problem', status: response.status, problem: undefined };
    return { kind: 'notTheRelay', status: response.status };
  } catch {
    return { kind: 'unreachable', timedOut: timeout.aborted };
  }
}
