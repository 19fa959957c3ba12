/** What the sandbox saw and did, for tests and for the demo's words on the terminal. */
import type { TokenPlace } from '../shared/service/request.ts';

/** One request to /call. */
export interface JournalEntry {
  /** When its headers had arrived, ISO 8601 UTC. */
  at: string;
  method: string;
  /** The values as they were read, or as they were sent where the request was refused. Never the token. */
  fields: Readonly<Record<string, unknown>>;
  tokenPlace?: TokenPlace;
  /** False: the client went away before its end, or it was longer than any call. */
  readWhole: boolean;
  scenario?: string;
  /** The id of the call, if one was placed. */
  callid?: string;
  /** HTTP status of the answer; 0: the connection was reset; absent: not answered yet. */
  status?: number;
}

/** One delivery to a `returnurl`. */
export interface SentNotification {
  at: string;
  callid: string;
  returnurl: string;
  body: Record<string, unknown>;
  /** What the receiver answered; absent with `error`: it could not be reached. */
  status?: number;
  error?: string;
}

export type SandboxEvent =
  | { kind: 'call'; call: JournalEntry }
  | { kind: 'reply'; call: JournalEntry }
  | { kind: 'notification'; notification: SentNotification };

/**
 * For `GET /sandbox/calls`, which any page here may read: without the addresses that would let it forge an
 * end (Law 6).
 */
export function publicJournal(calls: readonly JournalEntry[], notifications: readonly SentNotification[]) {
  return {
    calls: calls.map((call) => ({ ...call, fields: withoutReturnUrl(call.fields) })),
    notifications: notifications.map(({ at, callid, body, status, error }) => ({
      at,
      callid,
      body: Object.fromEntries(Object.entries(body).filter(([, value]) => !holdsReturnUrl(value))),
      status,
      error,
    })),
  };
}

/** `request` may have been renamed by `map`: known by its member. */
const holdsReturnUrl = (value: unknown) =>
  typeof value === 'object' && value !== null && 'returnurl' in value;

function withoutReturnUrl(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return 'returnurl' in fields ? { ...fields, returnurl: '(not shown)' } : { ...fields };
}
