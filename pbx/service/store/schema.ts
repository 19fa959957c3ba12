/** The tables of the calling service's store with their rows, and conditions that several statements share. */
import { sql } from '../../../shared/server/sql.ts';
import type { CallRequestWithEvents } from '../../../shared/service/request.ts';
import type { CallProgress } from '../calls/call-channels.ts';

/** The file carries it as `user_version`. */
export const schemaVersion = 1;

export const pbxTables = `
  CREATE TABLE IF NOT EXISTS call (
    callid TEXT PRIMARY KEY,
    token_id TEXT NOT NULL,
    idempotency_key TEXT,
    fingerprint TEXT NOT NULL,
    request TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('sending', 'placed', 'refused', 'ended', 'unknown')),
    progress TEXT NOT NULL,
    UNIQUE (token_id, idempotency_key)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS call_open ON call (created_at) WHERE phase IN ('sending', 'placed');
  CREATE INDEX IF NOT EXISTS call_finished ON call (created_at) WHERE phase NOT IN ('sending', 'placed');
  CREATE TABLE IF NOT EXISTS notification (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    callid TEXT NOT NULL,
    url TEXT NOT NULL,
    body TEXT NOT NULL,
    is_end INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    note TEXT NOT NULL DEFAULT '',
    is_dead INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS notification_call ON notification (callid, id);
  CREATE TABLE IF NOT EXISTS token (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

export const finishedPhase = sql`phase NOT IN ('sending', 'placed')`;

/** The recording's file of a call, or NULL. */
export const recordingFile = sql`json_extract(progress, '$.recordingFile')`;
/** The recordings' files of a call, as a JSON array. The last one is the newest, or NULL. */
export const recordingFiles = sql`json_insert(
  ifnull(progress -> '$.earlierRecordings', '[]'), '$[#]', ${recordingFile})`;

/** True for the oldest notification that is left of its call. */
export const isNextOfItsCall = sql`next.is_dead = 0 AND NOT EXISTS
  (SELECT 1 FROM notification WHERE callid = next.callid AND is_dead = 0 AND id < next.id)`;

/**
 * `sending`: written down, and Originate may have been sent. `placed`: Asterisk accepted it. `refused`: Asterisk
 * refused it, or nothing was sent. `ended`: its end is known. `unknown`: the phone may have rung, and how the call
 * ended cannot be found out any more.
 */
type CallPhase = 'sending' | 'placed' | 'refused' | 'ended' | 'unknown';

export interface StoredCall {
  callid: string;
  /** The id of the token that placed the call. */
  tokenId: string;
  fingerprint: string;
  request: CallRequestWithEvents;
  /** Milliseconds since the epoch. */
  createdAt: number;
  phase: CallPhase;
  progress: CallProgress;
}

export interface StoredNotification {
  id: number;
  callid: string;
  url: string;
  body: string;
  /** SQLite's boolean: whether it reports the end of its call. */
  isEnd: 0 | 1;
  /** Number of the next attempt, from 1. */
  attempt: number;
}

export interface OwedNotification {
  url: string;
  body: string;
  /** Whether it reports the end of its call. All other notifications only matter until the end. */
  isEnd: boolean;
}

export interface StoredToken {
  id: string;
  name: string;
  hash: string;
  createdAt: number;
}
