/**
 * Calls from the moment before they are dialled until their end is delivered, notifications on their way, and
 * hashed tokens. SQLite with full synchronisation: what a method has done when it returns survives a crash.
 */
import { statSync } from 'node:fs';
import { minuteMs } from '../../../shared/durations.ts';
import { type Sql, sql } from '../../../shared/server/sql.ts';
import { SqliteConnection } from '../../../shared/server/sqlite-connection.ts';
import { sqliteErrorText } from '../../../shared/server/sqlite-error-text.ts';
import { privateFile } from '../../../shared/server/store-lock.ts';
import {
  finishedPhase,
  isNextOfItsCall,
  type OwedNotification,
  pbxTables,
  recordingFile,
  recordingFiles,
  type StoredCall,
  type StoredNotification,
  type StoredToken,
  schemaVersion,
} from './schema.ts';

type StoredCallRow = Omit<StoredCall, 'request' | 'progress'> & { request: string; progress: string };

const callColumns = sql`callid, token_id AS tokenId, fingerprint, request, created_at AS createdAt, phase, progress`;

/** How long the service waits for a lock. `forget` holds its lock for longer, and writes then fail. */
const servingBusyTimeoutMs = 100;
/** The longest pause before a repeated notification. A notification is due later only if the clock was set back. */
const maxDelayMs = 20 * minuteMs;

/** The most attempts for a notification while the end waits for it: some 20 seconds and their time-outs. */
const maxAttemptsBeforeEnd = 5;

export class PbxStore {
  private readonly database: SqliteConnection;
  private readonly identity: string | undefined;

  /** @param file path, or `:memory:`. @throws Error naming the file where it is not a store that can be opened. */
  constructor(private readonly file: string) {
    try {
      if (file !== ':memory:') privateFile(file);
      this.database = new SqliteConnection(file);
      // Deleted rows leave nothing in the file's free pages.
      this.database.exec('PRAGMA secure_delete = ON');
      this.createSchema();
    } catch (error) {
      throw new Error(`DIALMARK_PBX_STORE: expected a store at ${file}; ${sqliteErrorText(error)}`);
    }
    this.identity = this.identityOnDisk();
  }

  /** Fails soon while another program writes to the file: the service must answer others meanwhile. */
  failSoonWhenBusy(): void {
    this.database.exec(`PRAGMA busy_timeout = ${servingBusyTimeoutMs}`);
  }

  /** Whether another file, or no file, is now at the path of this store. Writes would be lost at the next start. */
  isReplaced(): boolean {
    return this.identityOnDisk() !== this.identity;
  }

  /**
   * Writes a call down before it is dialled.
   * @returns the call that has this key already. The new call is then not written.
   * @throws Error if the file was replaced.
   */
  addCall(call: StoredCall, idempotencyKey: string | undefined): StoredCall | undefined {
    if (this.isReplaced())
      throw new Error(`${this.file} was moved or replaced while the service ran: start the service again`);
    return this.database.transaction(() => {
      const known = idempotencyKey === undefined ? undefined : this.callOfKey(call.tokenId, idempotencyKey);
      if (known) return known;
      const [request, progress] = [JSON.stringify(call.request), JSON.stringify(call.progress)];
      this.database.run(sql`
        INSERT INTO call VALUES (
          ${call.callid}, ${call.tokenId}, ${idempotencyKey ?? null}, ${call.fingerprint}, ${request},
          ${call.createdAt}, ${call.phase}, ${progress}
        )`);
      return undefined;
    });
  }

  /**
   * Writes what became of a call and, in the same transaction, the notifications for its `returnurl`. The end of a call
   * does not wait for notifications that failed again and again. They are given up.
   */
  saveCall(
    { callid, phase, progress }: Pick<StoredCall, 'callid' | 'phase' | 'progress'>,
    notifications: readonly OwedNotification[],
    now: number,
  ): void {
    this.database.transaction(() => {
      this.database.run(
        sql`UPDATE call SET phase = ${phase}, progress = ${JSON.stringify(progress)} WHERE callid = ${callid}`,
      );
      for (const { url, body, isEnd } of notifications)
        this.database.run(sql`
          INSERT INTO notification (callid, url, body, is_end, created_at, due_at)
          VALUES (${callid}, ${url}, ${body}, ${Number(isEnd)}, ${now}, ${now})`);
      if (notifications.some(({ isEnd }) => isEnd))
        this.database.run(sql`
          DELETE FROM notification WHERE callid = ${callid} AND is_end = 0 AND attempts >= ${maxAttemptsBeforeEnd}`);
    });
  }

  call(callid: string): StoredCall | undefined {
    return this.calls(sql`callid = ${callid}`)[0];
  }

  callOfKey(tokenId: string, idempotencyKey: string): StoredCall | undefined {
    return this.calls(sql`token_id = ${tokenId} AND idempotency_key = ${idempotencyKey}`)[0];
  }

  /** Oldest first. */
  openCalls(): StoredCall[] {
    return this.calls(sql`phase IN ('sending', 'placed') ORDER BY created_at`);
  }

  /**
   * Notifications that may be sent now: of each call only the oldest that is left, so that they arrive in order. The
   * repeated ones are last, since their receiver may hang.
   * @param except ids of notifications that are being sent.
   */
  dueNotifications(now: number, limit: number, except: readonly number[] = []): StoredNotification[] {
    return this.database.all(sql`
      SELECT id, callid, url, body, is_end AS isEnd, attempts + 1 AS attempt FROM notification AS next
      WHERE ${isNextOfItsCall} AND (due_at <= ${now} OR due_at > ${now + maxDelayMs})
        AND id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)}))
      ORDER BY attempts > 0, due_at LIMIT ${limit}`);
  }

  /**
   * When the next notification is due, in milliseconds since the epoch. Notifications that wait for another of their
   * call do not count. Undefined if no notification waits.
   */
  nextDueAt(except: readonly number[] = []): number | undefined {
    const { due } = this.database.get<{ due: number | null }>(sql`
      SELECT min(due_at) AS due FROM notification AS next
      WHERE ${isNextOfItsCall} AND id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)}))`)!;
    return due ?? undefined;
  }

  /** When the oldest notification was made that is neither delivered nor given up. */
  oldestNotificationAt(): number | undefined {
    const { at } = this.database.get<{ at: number | null }>(
      sql`SELECT min(created_at) AS at FROM notification WHERE is_dead = 0`,
    )!;
    return at ?? undefined;
  }

  pendingNotifications(): { waiting: number; dead: number } {
    const dead = sql`coalesce(sum(is_dead), 0)`;
    return this.database.get<{ waiting: number; dead: number }>(
      sql`SELECT count(*) - ${dead} AS waiting, ${dead} AS dead FROM notification`,
    )!;
  }

  removeNotification(id: number): void {
    this.database.run(sql`DELETE FROM notification WHERE id = ${id}`);
  }

  /**
   * @param dueAt of the next attempt; undefined: no further attempt. If the end of the call waits, a notification
   * before it that failed too often is given up.
   */
  postponeNotification(id: number, dueAt: number | undefined, note: string): void {
    const deleteOvertaken = sql`DELETE FROM notification
      WHERE id = ${id} AND is_end = 0 AND attempts + 1 >= ${maxAttemptsBeforeEnd} AND EXISTS
        (SELECT 1 FROM notification AS other WHERE other.callid = notification.callid AND other.is_end = 1)`;
    if (this.database.run(deleteOvertaken) > 0) return;
    this.database.run(sql`
      UPDATE notification SET attempts = attempts + 1, due_at = coalesce(${dueAt ?? null}, due_at),
        is_dead = ${Number(dueAt === undefined)}, note = ${note}
      WHERE id = ${id}`);
  }

  addToken({ id, name, hash, createdAt }: StoredToken): void {
    this.database.run(sql`INSERT INTO token VALUES (${id}, ${name}, ${hash}, ${createdAt})`);
  }

  tokens(): StoredToken[] {
    return this.database.all(
      sql`SELECT id, name, hash, created_at AS createdAt FROM token ORDER BY created_at`,
    );
  }

  /** @returns the token's id. */
  tokenId(hash: string): string | undefined {
    return this.database.get<{ id: string }>(sql`SELECT id FROM token WHERE hash = ${hash}`)?.id;
  }

  /** @returns whether there was such a token. */
  removeToken(id: string): boolean {
    return this.database.run(sql`DELETE FROM token WHERE id = ${id}`) > 0;
  }

  /**
   * Deletes finished calls from before this time, and notifications given up before it, at most `limit` of each.
   * @param keepsRecorded whether calls remain that name a recording: only they say where it is.
   * @returns how many: fewer than `limit` once none is left.
   */
  forgetBefore(time: number, limit: number, { keepsRecorded = false } = {}): number {
    const mayGo = keepsRecorded ? sql`${recordingFile} IS NULL` : sql`true`;
    return this.database.transaction(() => {
      const dead = sql`SELECT id FROM notification WHERE is_dead = 1 AND created_at < ${time} LIMIT ${limit}`;
      const old = sql`SELECT callid FROM call WHERE ${finishedPhase} AND created_at < ${time} AND ${mayGo}
        ORDER BY created_at LIMIT ${limit}`;
      const notifications = this.database.run(sql`DELETE FROM notification WHERE id IN (${dead})`);
      const calls = this.database.run(sql`DELETE FROM call WHERE callid IN (${old})`);
      return Math.max(notifications, calls);
    });
  }

  *finishedCalls(): Generator<StoredCall> {
    const ids = this.database.all<{ callid: string }>(sql`SELECT callid FROM call WHERE ${finishedPhase}`);
    for (const { callid } of ids) {
      const call = this.call(callid);
      if (call) yield call;
    }
  }

  /** Deletes calls with their notifications, without a trace. Others cannot write while the file is rewritten. */
  deleteCalls(callids: readonly string[]): void {
    const ids = JSON.stringify(callids);
    this.database.transaction(() => {
      for (const table of [sql`notification`, sql`call`])
        this.database.run(sql`DELETE FROM ${table} WHERE callid IN (SELECT value FROM json_each(${ids}))`);
    });
    this.database.rewrite();
  }

  /** Recordings of finished calls from before this time. The recordings of one call are next to each other. */
  recordingsBefore(time: number): { callid: string; file: string }[] {
    return this.database.all(sql`
      SELECT callid, value AS file FROM call, json_each(${recordingFiles})
      WHERE ${finishedPhase} AND created_at < ${time} AND value IS NOT NULL`);
  }

  forgetRecordings(callid: string): void {
    this.database.run(sql`
      UPDATE call SET progress = json_remove(progress, '$.recordingFile', '$.earlierRecordings')
      WHERE callid = ${callid}`);
  }

  close(): void {
    this.database.close();
  }

  private createSchema(): void {
    const isNew = !this.database.get(sql`SELECT 1 FROM sqlite_master WHERE type = 'table'`);
    if (isNew) this.database.exec(`BEGIN; ${pbxTables}; PRAGMA user_version = ${schemaVersion}; COMMIT`);
    const { user_version } = this.database.get<{ user_version: number }>(sql`PRAGMA user_version`)!;
    if (user_version !== schemaVersion)
      throw new Error(
        `it was made by another version of the service (schema ${user_version}, expected ${schemaVersion})`,
      );
  }

  private identityOnDisk(): string | undefined {
    if (this.file === ':memory:') return undefined;
    const stats = statSync(this.file, { throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  }

  private calls(where: Sql): StoredCall[] {
    return this.database
      .all<StoredCallRow>(sql`SELECT ${callColumns} FROM call WHERE ${where}`)
      .map((row) => ({ ...row, request: JSON.parse(row.request), progress: JSON.parse(row.progress) }));
  }
}
