/**
 * What the service must not forget: every call from the moment before it is dialled until its end is delivered, notifications on
 * their way, and hashed tokens. SQLite with full synchronisation: what a method has done when it returns survives a crash.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { SqliteConnection } from '../../../shared/server/sqlite-connection.ts';
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
  /** Number of the next attempt, from 1. */
  attempt: number;
}

export interface StoredToken {
  id: string;
  name: string;
  hash: string;
  createdAt: number;
}

type CallRow = Omit<StoredCall, 'request' | 'progress'> & { request: string; progress: string };

const callColumns = 'callid, fingerprint, request, created_at AS createdAt, phase, progress';

export class PbxStore {
  private readonly database: SqliteConnection;

  /** @param file path, or `:memory:`. */
  constructor(file: string) {
    if (file !== ':memory:') mkdirSync(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 });
    this.database = new SqliteConnection(file);
    this.database.exec(schema);
  }

  /** Writes a call down before it is dialled. @returns the call that has this key already, which is then not written. */
  addCall(call: StoredCall, idempotencyKey: string | undefined): StoredCall | undefined {
    return this.database.transaction(() => {
      const known = idempotencyKey === undefined ? undefined : this.callOfKey(idempotencyKey);
      if (known) return known;
      this.database.run(
        'INSERT INTO call VALUES (?, ?, ?, ?, ?, ?, ?)',
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
    { callid, phase, progress }: Pick<StoredCall, 'callid' | 'phase' | 'progress'>,
    notifications: readonly { url: string; body: string }[],
    now: number,
  ): void {
    this.database.transaction(() => {
      this.database.run(
        'UPDATE call SET phase = ?, progress = ? WHERE callid = ?',
        phase,
        JSON.stringify(progress),
        callid,
      );
      for (const { url, body } of notifications)
        this.database.run(
          'INSERT INTO notification (callid, url, body, created_at, due_at) VALUES (?, ?, ?, ?, ?)',
          callid,
          url,
          body,
          now,
          now,
        );
    });
  }

  call(callid: string): StoredCall | undefined {
    return this.calls('callid = ?', callid)[0];
  }

  callOfKey(idempotencyKey: string): StoredCall | undefined {
    return this.calls('idempotency_key = ?', idempotencyKey)[0];
  }

  /** Oldest first. */
  openCalls(): StoredCall[] {
    return this.calls("phase IN ('sending', 'placed') ORDER BY created_at");
  }

  /**
   * Notifications that may be sent now: of each call only the oldest that is left, so that they arrive in order.
   * @param except ids of notifications that are being sent.
   */
  dueNotifications(now: number, limit: number, except: readonly number[] = []): StoredNotification[] {
    return this.database.all(
      `SELECT id, callid, url, body, attempts + 1 AS attempt FROM notification AS next
       WHERE ${isNextOfItsCall} AND due_at <= ? AND id NOT IN (SELECT value FROM json_each(?))
       ORDER BY due_at LIMIT ?`,
      now,
      JSON.stringify(except),
      limit,
    );
  }

  /** When the next notification is due that waits for no other of its call, milliseconds since the epoch; undefined where none waits. */
  nextDueAt(except: readonly number[] = []): number | undefined {
    const { due } = this.database.get<{ due: number | null }>(
      `SELECT min(due_at) AS due FROM notification AS next
       WHERE ${isNextOfItsCall} AND id NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify(except),
    )!;
    return due ?? undefined;
  }

  pendingNotifications(): { waiting: number; dead: number } {
    return this.database.get<{ waiting: number; dead: number }>(
      'SELECT count(*) - coalesce(sum(is_dead), 0) AS waiting, coalesce(sum(is_dead), 0) AS dead FROM notification',
    )!;
  }

  removeNotification(id: number): void {
    this.database.run('DELETE FROM notification WHERE id = ?', id);
  }

  /** @param dueAt of the next attempt; undefined: there will be none. */
  postponeNotification(id: number, dueAt: number | undefined, note: string): void {
    this.database.run(
      'UPDATE notification SET attempts = attempts + 1, due_at = coalesce(?, due_at), is_dead = ?, note = ? WHERE id = ?',
      dueAt ?? null,
      Number(dueAt === undefined),
      note,
      id,
    );
  }

  addToken({ id, name, hash, createdAt }: StoredToken): void {
    this.database.run('INSERT INTO token VALUES (?, ?, ?, ?)', id, name, hash, createdAt);
  }

  tokens(): StoredToken[] {
    return this.database.all('SELECT id, name, hash, created_at AS createdAt FROM token ORDER BY created_at');
  }

  hasToken(hash: string): boolean {
    return this.database.get('SELECT 1 FROM token WHERE hash = ?', hash) !== undefined;
  }

  /** @returns whether there was such a token. */
  removeToken(id: string): boolean {
    return this.database.run('DELETE FROM token WHERE id = ?', id) > 0;
  }

  /** Deletes finished calls from before this time, and notifications given up before it. */
  forgetBefore(time: number): void {
    this.database.transaction(() => {
      this.database.run('DELETE FROM notification WHERE is_dead = 1 AND created_at < ?', time);
      this.database.run("DELETE FROM call WHERE phase NOT IN ('sending', 'placed') AND created_at < ?", time);
    });
  }

  close(): void {
    this.database.close();
  }

  private calls(where: string, ...values: string[]): StoredCall[] {
    return this.database
      .all<CallRow>(`SELECT ${callColumns} FROM call WHERE ${where}`, ...values)
      .map((row) => ({ ...row, request: JSON.parse(row.request), progress: JSON.parse(row.progress) }));
  }
}
