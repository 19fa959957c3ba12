/** The SQLite schema as ordered steps; `user_version` says how many were taken. */
export const schemaSteps: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE call (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    callee TEXT NOT NULL,
    placed_by TEXT NOT NULL,
    dialling INTEGER NOT NULL,
    open INTEGER NOT NULL,
    deadline INTEGER,
    created_at INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    data TEXT NOT NULL
  );
  CREATE INDEX call_channel ON call (channel, n);
  CREATE INDEX call_open ON call (channel, seq) WHERE open = 1;
  CREATE INDEX call_deadline ON call (deadline) WHERE deadline IS NOT NULL;
  CREATE INDEX call_dialling ON call (n) WHERE dialling = 1;
  CREATE INDEX call_created ON call (created_at);
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    channel TEXT NOT NULL,
    call_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    data TEXT NOT NULL
  );
  CREATE INDEX event_channel ON event (channel, seq);
  CREATE INDEX event_call ON event (call_id);
  CREATE TABLE idempotency (
    owner TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, call_id TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
  ) WITHOUT ROWID;
  CREATE INDEX idempotency_at ON idempotency (at);
  CREATE INDEX idempotency_call ON idempotency (call_id);
  CREATE TABLE arrival (
    call_id TEXT NOT NULL, event TEXT NOT NULL, digest TEXT NOT NULL, at INTEGER NOT NULL, conflict INTEGER NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (call_id, event, digest)
  ) WITHOUT ROWID;
  CREATE TABLE tally (bucket TEXT PRIMARY KEY, count INTEGER NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX tally_expires ON tally (expires);
  CREATE TABLE key (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, origins TEXT NOT NULL,
    callers TEXT NOT NULL, created_at TEXT NOT NULL, revoked_at TEXT
  ) WITHOUT ROWID;
  `,
  // Notifications on their way to the operator's own system. `due` of a claimed one is the end of its claim.
  `
  CREATE TABLE forward (
    id TEXT PRIMARY KEY, call_id TEXT NOT NULL, due INTEGER NOT NULL, claimed INTEGER NOT NULL, dead INTEGER NOT NULL,
    attempts INTEGER NOT NULL, note TEXT NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX forward_due ON forward (dead, due);
  CREATE INDEX forward_call ON forward (call_id);
  `,
  // What a notification changes lies on few pages, since every page of a commit goes to the log whole: one index of the calls
  // that are not over yet in place of three, the digests of what arrived beside their call, events found by channel alone.
  `
  ALTER TABLE call ADD COLUMN arrived TEXT NOT NULL DEFAULT '{}';
  UPDATE call SET arrived = (
    SELECT json_group_object(event, digest) FROM arrival WHERE call_id = call.id AND conflict = 0
  );
  CREATE TABLE contradiction (
    call_id TEXT NOT NULL, event TEXT NOT NULL, digest TEXT NOT NULL, at INTEGER NOT NULL, details TEXT NOT NULL,
    PRIMARY KEY (call_id, event, digest)
  ) WITHOUT ROWID;
  INSERT INTO contradiction SELECT call_id, event, digest, at, details FROM arrival WHERE conflict = 1;
  DROP TABLE arrival;
  DROP INDEX call_open;
  DROP INDEX call_deadline;
  DROP INDEX call_dialling;
  CREATE INDEX call_live ON call (channel, deadline) WHERE open = 1 OR dialling = 1;
  CREATE TABLE event_by_seq (
    seq INTEGER PRIMARY KEY, channel TEXT NOT NULL, call_id TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL
  );
  INSERT INTO event_by_seq SELECT seq, channel, call_id, at, data FROM event;
  INSERT OR REPLACE INTO meta SELECT 'head', CAST(seq AS TEXT) FROM sqlite_sequence WHERE name = 'event';
  DROP TABLE event;
  ALTER TABLE event_by_seq RENAME TO event;
  CREATE INDEX event_channel ON event (channel, seq);
  `,
];
