/** The SQLite schema and its version, which a file has as `user_version`. */
export const schemaVersion = 11;

/**
 * A commit writes every changed page whole to the log, so a notification must change few pages. For this reason, one
 * index has only the calls that are not finished. Notifications are in their call's row. Events are indexed by channel
 * alone.
 */
export const relayTables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE call (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    callee TEXT NOT NULL,
    placed_by TEXT NOT NULL,
    owner TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    dialling INTEGER NOT NULL,
    open INTEGER NOT NULL,
    deadline INTEGER,
    seq INTEGER NOT NULL,
    data TEXT NOT NULL,
    arrivals TEXT NOT NULL,
    log TEXT NOT NULL,
    call_back INTEGER,
    call_back_by TEXT,
    unlogged INTEGER NOT NULL,
    callee_key TEXT,
    lease TEXT,
    leased_until INTEGER NOT NULL,
    attempt TEXT NOT NULL
  );
  CREATE UNIQUE INDEX call_key ON call (owner, idempotency_key);
  CREATE INDEX call_channel ON call (channel, n);
  CREATE INDEX call_live ON call (channel, deadline) WHERE open = 1 OR dialling = 1;
  CREATE INDEX call_created ON call (created_at);
  -- Without the end of a lease: the end of a call would rewrite a page of the index.
  CREATE INDEX call_callee ON call (callee_key, n) WHERE callee_key IS NOT NULL;
  CREATE INDEX call_unlogged ON call (n) WHERE unlogged = 1;
  CREATE INDEX call_back ON call (call_back_by, call_back) WHERE call_back IS NOT NULL;
  -- Entries that are neither done nor given up;
  -- lane: the record, on which entries are sent in the order of their calls.
  CREATE TABLE due_entry (
    n INTEGER NOT NULL, call_id TEXT NOT NULL, system TEXT NOT NULL, lane TEXT NOT NULL, due INTEGER NOT NULL,
    PRIMARY KEY (n, system, lane)
  ) WITHOUT ROWID;
  CREATE INDEX due_entry_due ON due_entry (system, due);
  CREATE INDEX due_entry_lane ON due_entry (system, lane, n);
  -- previous: the event of the same call before this one, or 0.
  -- From call.seq on, the events of a call are found without an index.
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY, channel TEXT NOT NULL, call_id TEXT NOT NULL,
    previous INTEGER NOT NULL, at INTEGER NOT NULL,
    data TEXT NOT NULL
  );
  CREATE INDEX event_channel ON event (channel, seq);
  CREATE TABLE tally (bucket TEXT PRIMARY KEY, count INTEGER NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX tally_expires ON tally (expires);
  CREATE TABLE key (id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, data TEXT NOT NULL) WITHOUT ROWID;
  -- ends: when an entry ends, 0 where it stays.
  CREATE TABLE do_not_call (key TEXT PRIMARY KEY, ends INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE audit (n INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, data TEXT NOT NULL);
  CREATE INDEX audit_at ON audit (at);
  CREATE TABLE key_use (id TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;
  -- Notifications on their way to the operator's own system. While one is claimed, due is the end of its claim.
  CREATE TABLE forward (
    id TEXT PRIMARY KEY, call_id TEXT NOT NULL, due INTEGER NOT NULL, claimed INTEGER NOT NULL, dead INTEGER NOT NULL,
    attempts INTEGER NOT NULL, note TEXT NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX forward_due ON forward (dead, due);
  CREATE INDEX forward_call ON forward (call_id);
  -- removed: the sheet is not there any more; its items go bit by bit.
  CREATE TABLE sheet (
    id TEXT PRIMARY KEY, team TEXT NOT NULL, created_at INTEGER NOT NULL, removed INTEGER NOT NULL, data TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE sheet_item (
    sheet TEXT NOT NULL, n INTEGER NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, due INTEGER NOT NULL,
    leased_until INTEGER NOT NULL, caller TEXT NOT NULL, attempts INTEGER NOT NULL, call_id TEXT NOT NULL,
    outcome TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (sheet, n)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX sheet_item_key ON sheet_item (sheet, key);
  CREATE INDEX sheet_item_due ON sheet_item (sheet, due, n) WHERE state = 'open';
  CREATE INDEX sheet_item_free ON sheet_item (sheet, max(due, leased_until)) WHERE state = 'open';
  CREATE INDEX sheet_item_held ON sheet_item (sheet, caller) WHERE state = 'open' AND leased_until > 0;
  -- Counted as they change: a sheet may have 100,000 items, and every claim shows how far it is.
  CREATE TABLE sheet_count (
    sheet TEXT NOT NULL, state TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (sheet, state)
  ) WITHOUT ROWID;
  CREATE TRIGGER sheet_item_added AFTER INSERT ON sheet_item BEGIN
    INSERT INTO sheet_count VALUES (new.sheet, new.state, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  END;
  CREATE TRIGGER sheet_item_deleted AFTER DELETE ON sheet_item BEGIN
    UPDATE sheet_count SET count = count - 1 WHERE sheet = old.sheet AND state = old.state;
  END;
  CREATE TRIGGER sheet_item_moved AFTER UPDATE OF state ON sheet_item WHEN old.state <> new.state BEGIN
    UPDATE sheet_count SET count = count - 1 WHERE sheet = old.sheet AND state = old.state;
    INSERT INTO sheet_count VALUES (new.sheet, new.state, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  END;
`;
