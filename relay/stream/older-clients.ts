/**
 * Widgets and extensions of before `connected` refuse a Call whose state or reason they do not know, and would wait for its end
 * forever. Newer ones accept `;states=all`; a browser that does not gets the nearest state and reason of that time. Pages pin a
 * version of the widget for years.
 */
import type { FastifyRequest } from 'fastify';
import type { Call } from '../../shared/call/call.ts';
import type { StoredEvent } from '../store/store.ts';

const states: Partial<Record<Call['state'], Call['state']>> = {
  callingCallee: 'callingCaller',
  connected: 'callingCaller',
};
const reasons: Partial<Record<NonNullable<Call['reason']>, Call['reason']>> = {
  callerBusy: 'callerNoAnswer',
  callerRefused: 'callerNoAnswer',
  calleeNoAnswer: 'hangUp',
  calleeBusy: 'hangUp',
  calleeRefused: 'hangUp',
  calleeUnknown: 'hangUp',
};

/** Scripts, which are no browsers, get all states: they have no list of them. */
export function isOlderClient({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return !/;\s*states=all\b/.test(headers.accept ?? '') && /^Mozilla\//.test(headers['user-agent'] ?? '');
}

/** @returns the same object where an older client knows its state and reason. */
export function callForOlderClient(call: Call): Call {
  const state = states[call.state] ?? call.state;
  const reason = call.reason && (reasons[call.reason] ?? call.reason);
  if (state === call.state && reason === call.reason) return call;
  return { ...call, state, ...(reason === undefined ? {} : { reason }) };
}

export function eventForOlderClient(event: StoredEvent): StoredEvent {
  const call = JSON.parse(event.data) as Call;
  const readable = callForOlderClient(call);
  return readable === call ? event : { ...event, data: JSON.stringify(readable) };
}

/** What a route answers (a Call, or members that are or hold Calls), for the reader that sent the request. */
export function answerFor<T>(request: Pick<FastifyRequest, 'headers'>, answer: T): T {
  return isOlderClient(request) ? (mapCalls(answer) as T) : answer;
}

function mapCalls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mapCalls);
  if (typeof value !== 'object' || value === null) return value;
  if ('state' in value && 'createdAt' in value) return callForOlderClient(value as Call);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapCalls(member)]));
}
