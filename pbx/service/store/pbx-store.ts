/**
 * What the service must not forget: every call from the moment before it is dialled until its end is delivered, notifications on
 * their way, and hashed tokens. SQLite with full synchronisation: what a method has done when it returns survives a crash.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { CallRequestWithEvents } from '../../../shared/service/request.ts';
import type { CallProgress } from '../calls/call-progress.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS call (
    callid TEXT PRIMARY KEY,
    idempotency_key TEXT UNIQUE,
    fingerprint TEXT NOT NULL,
    request TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('sending', 'placed', 'refused', 'ended', 'unknown')),
    progress TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS call_open ON call (created_at) WHERE phase IN ('sending', 'placed');
  CREATE TABLE IF NOT EXISTS notification (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    callid TEXT NOT NULL,
    url TEXT NOT NULL,
    body TEXT NOT NULL,
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

/** Of each call the oldest that is left. */
const isNextOfItsCall = `next.is_dead = 0 AND NOT EXISTS
  (SELECT 1 FROM notification WHERE callid = next.callid AND is_dead = 0 AND id < next.id)`;

/**
 * `sending`: written down, and Originate may have been sent. `placed`: Asterisk took it. `refused`: Asterisk said no, or nothing
 * was sent. `ended`: its end is known. `unknown`: it may have rung, and how it ended cannot be found out any more.
 */
export type CallPhase = 'sending' | 'placed' | 'refused' | 'ended' | 'unknown';

export interface StoredCall {
  callid: string;
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
  createdAt: number;
  attempts: number;
}

export interface StoredToken {
  id: string;
  name: string;
  hash: string;
  createdAt: number;
}

type Row = Record<string, string | number | null>;

export class PbxStore {
  private readonly database: InstanceType<typeof DatabaseSync>;

  /** @param file path, or `:memory:`. */
  constructor(file: string) {
    if (file !== ':memory:') mkdirSync(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 });
    this.database = new DatabaseSync(file);
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
    this.database.exec(schema);
  }

  /** Writes a call down before it is dialled. @returns the call that has this key already, which is then not written. */
  addCall(call: StoredCall, idempotencyKey: string | undefined): StoredCall | undefined {
    return this.transaction(() => {
      const known = idempotencyKey === undefined ? undefined : this.row('idempotency_key', idempotencyKey);
      if (known) return known;
      this.database
        .prepare('INSERT INTO call VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(
          call.callid,
          idempotencyKey ?? null,
          call.fingerprint,
          JSON.stringify(call.request),
          call.createdAt,
          call.phase,
          JSON.stringify(call.progress),
        );
      return undefined;
    });
  }

  /** Writes what became of a call and, in the same transaction, what is owed to its `returnurl`. */
  saveCall(
    call: Pick<StoredCall, 'callid' | 'phase' | 'progress'>,
    notifications: readonly { url: string; body: string }[],
    now: number,
  ): void {
    this.transaction(() => {
      this.database
        .prepare('UPDATE call SET phase = ?, progress = ? WHERE callid = ?')
        .run(call.phase, JSON.stringify(call.progress), call.callid);
      for (const { url, body } of notifications)
        this.database
          .prepare('INSERT INTO notification (callid, url, body, created_at, due_at) VALUES (?, ?, ?, ?, ?)')
          .run(call.callid, url, body, now, now);
    });
  }

  call(callid: string): StoredCall | undefined {
    return this.row('callid', callid);
  }

  callOfKey(idempotencyKey: string): StoredCall | undefined {
    return this.row('idempotency_key', idempotencyKey);
  }

  openCalls(): StoredCall[] {
    return this.database
      .prepare("SELECT * FROM call WHERE phase IN ('sending', 'placed') ORDER BY created_at")
      .all()
      .map((row) => storedCall(row as Row));
  }

  /** Notifications that may be sent now: of each call only the oldest that is left, so that they arrive in order. */
  dueNotifications(now: number, limit: number): StoredNotification[] {
    return this.database
      .prepare(
        `SELECT * FROM notification AS next WHERE ${isNextOfItsCall} AND due_at <= ? ORDER BY due_at LIMIT ?`,
      )
      .all(now, limit)
      .map((row) => {
        const { id, callid, url, body, created_at, attempts } = row as Row;
        return { id, callid, url, body, createdAt: created_at, attempts } as StoredNotification;
      });
  }

  /** When the next notification is due that waits for no other of its call, milliseconds since the epoch; undefined where none waits. */
  nextDueAt(): number | undefined {
    const row = this.database
      .prepare(`SELECT min(due_at) AS due FROM notification AS next WHERE ${isNextOfItsCall}`)
      .get() as Row;
    return (row.due as number | null) ?? undefined;
  }

  pendingNotifications(): { waiting: number; dead: number } {
    const row = this.database
      .prepare(
        'SELECT count(*) - coalesce(sum(is_dead), 0) AS waiting, coalesce(sum(is_dead), 0) AS dead FROM notification',
      )
      .get() as { waiting: number; dead: number };
    return { waiting: row.waiting, dead: row.dead };
  }

  removeNotification(id: number): void {
    this.database.prepare('DELETE FROM notification WHERE id = ?').run(id);
  }

  /** @param dueAt of the next attempt; undefined: there will be none. */
  postponeNotification(id: number, dueAt: number | undefined, note: string): void {
    this.database
      .prepare(
        'UPDATE notification SET attempts = attempts + 1, due_at = coalesce(?, due_at), is_dead = ?, note = ? WHERE id = ?',
      )
      .run(dueAt ?? null, dueAt === undefined ? 1 : 0, note, id);
  }

  addToken({ id, name, hash, createdAt }: StoredToken): void {
    this.database.prepare('INSERT INTO token VALUES (?, ?, ?, ?)').run(id, name, hash, createdAt);
  }

  tokens(): StoredToken[] {
    return this.database
      .prepare('SELECT * FROM token ORDER BY created_at')
      .all()
      .map((row) => {
        const { id, name, hash, created_at } = row as Row;
        return { id, name, hash, createdAt: created_at } as StoredToken;
      });
  }

  hasToken(hash: string): boolean {
    return this.database.prepare('SELECT 1 FROM token WHERE hash = ?').get(hash) !== undefined;
  }

  /** @returns whether there was such a token. */
  removeToken(id: string): boolean {
    return this.database.prepare('DELETE FROM token WHERE id = ?').run(id).changes > 0;
  }

  /** Deletes finished calls from before this time, and notifications given up before it. */
  forgetBefore(time: number): void {
    this.transaction(() => {
      this.database.prepare('DELETE FROM notification WHERE is_dead = 1 AND created_at < ?').run(time);
      this.database
        .prepare("DELETE FROM call WHERE phase NOT IN ('sending', 'placed') AND created_at < ?")
        .run(time);
    });
  }

  close(): void {
    this.database.close();
  }

  private row(column: 'callid' | 'idempotency_key', value: string): StoredCall | undefined {
    const row = this.database.prepare(`SELECT * FROM call WHERE ${column} = ?`).get(value);
    return row === undefined ? undefined : storedCall(row as Row);
  }

  private transaction<T>(work: () => T): T {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.database.exec('COMMIT');
      return result;
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }
}

function storedCall(row: Row): StoredCall {
  return {
    callid: String(row.callid),
    fingerprint: String(row.fingerprint),
    request: JSON.parse(String(row.request)),
    createdAt: Number(row.created_at),
    phase: row.phase as CallPhase,
    progress: JSON.parse(String(row.progress)),
  };
}
