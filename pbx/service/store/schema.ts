/** The tables of the calling service's store, and conditions that several statements share. */

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

export const finishedPhase = "phase NOT IN ('sending', 'placed')";

/** Of each call the oldest that is left. */
export const isNextOfItsCall = `next.is_dead = 0 AND NOT EXISTS
  (SELECT 1 FROM notification WHERE callid = next.callid AND is_dead = 0 AND id < next.id)`;

export interface StoredToken {
  id: string;
  name: string;
  hash: string;
  createdAt: number;
}
