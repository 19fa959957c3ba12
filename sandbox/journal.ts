/** What the sandbox received and did, for tests and for the demo's output on the terminal. */
import type { TokenPlace } from '../shared/service/request.ts';

/** One request to /call. */
export interface JournalEntry {
  /** The time when its headers had arrived, ISO 8601 UTC. */
  at: string;
  method: string;
  /** The values as the sandbox read them, or as they were sent if the request was refused. Never the token. */
  fields: Readonly<Record<string, unknown>>;
  tokenPlace?: TokenPlace;
  /** False if the client went away before the end, or if the request was too long for a call. */
  readWhole: boolean;
  scenario?: string;
  /** The id of the call, if one was placed. */
  callid?: string;
  /** HTTP status of the reply; 0: the connection was reset; absent: no reply yet. */
  status?: number;
}

/** One delivery to a `returnurl`. */
export interface SentNotification {
  at: string;
  callid: string;
  returnurl: string;
  body: Record<string, unknown>;
  /** The receiver's HTTP status. If the receiver could not be reached, `error` is set instead. */
  status?: number;
  error?: string;
}

export type SandboxEvent =
  | { kind: 'call'; call: JournalEntry }
  | { kind: 'reply'; call: JournalEntry }
  | { kind: 'notification'; notification: SentNotification };

/**
 * The journal for `GET /sandbox/calls`, which any page here may read. It lacks the addresses that would let a page
 * forge a call's end (Law 6).
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

/** `map` may have renamed `request`. So it is found by its member `returnurl`. */
const holdsReturnUrl = (value: unknown) =>
  typeof value === 'object' && value !== null && 'returnurl' in value;

function withoutReturnUrl(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return 'returnurl' in fields ? { ...fields, returnurl: '(not shown)' } : { ...fields };
}
