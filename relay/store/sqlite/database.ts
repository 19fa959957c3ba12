/**
 * The store's operations on one SQLite connection, synchronous. `memory:` uses it in the relay's own thread, a file in a
 * worker (`worker.ts`). Callers wrap writes in `transaction`; events collected meanwhile are given out after the commit.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Call, isFinished } from '../../../shared/call/call.ts';
import { transition } from '../../../shared/call/transition.ts';
import { answer } from '../answer.ts';
import { belongsToNumber } from '../belongs-to-number.ts';
import type {
  Applied,
  Change,
  ForwardClaim,
  ForwardOutcome,
  ForwardState,
  History,
  Intent,
  Operations,
  Overdue,
  Placed,
  PlacedBy,
  Retention,
  Snapshot,
  StoredEvent,
  StoredKey,
} from '../store.ts';
import { schemaSteps } from './schema.ts';

type Connection = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Connection['prepare']>;
type Row = Record<string, string | number | null>;

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  path: string;
  maxMegabytes?: number | undefined;
}

/** Waiting for the command line beside us, or for another relay's checkpoint. */
const busyTimeout = 5000;
const pageSize = 4096;

export class SqliteDatabase implements Operations {
  readonly epoch: string;
  private readonly database: Connection;
  private readonly statements = new Map<string, Statement>();
  private head = 0;
  private floor = 0;
  /** `data_version` when `head` and `floor` were read. */
  private seenVersion = -1;
  private pending: StoredEvent[] = [];

  constructor(options: SqliteOptions) {
    this.database = new DatabaseSync(options.path, { timeout: busyTimeout });
    // FULL: in WAL mode only this syncs at every commit (Law 2). secure_delete: what is forgotten is overwritten.
    this.database.exec(`
      PRAGMA page_size = ${pageSize};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -32768;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA wal_autocheckpoint = 4000;
    `);
    if (options.maxMegabytes !== undefined)
      this.database.exec(
        `PRAGMA max_page_count = ${Math.floor((options.maxMegabytes * 1024 * 1024) / pageSize)}`,
      );
    this.migrate();
    this.epoch = this.meta('epoch')!;
    this.catchUp();
  }

  /** Runs `work` as one commit. @returns its result and the events it made; throws with nothing kept. */
  transaction<T>(work: () => T): { result: T; events: StoredEvent[] } {
    this.pending = [];
    const { head, floor } = this;
    try {
      const result = this.atomically(() => {
        this.catchUp();
        return work();
      });
      return { result, events: this.pending };
    } catch (error) {
      // A reader that is told a head that was never kept would skip the events that get its numbers.
      this.head = head;
      this.floor = floor;
      this.seenVersion = -1;
      throw error;
    }
  }

  private atomically<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      // A full disk may have rolled back already; then there is nothing to undo.
      if (this.database.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /** Changes whenever another connection wrote. */
  dataVersion(): number {
    return Number(this.get('PRAGMA data_version')!.data_version);
  }

  /** A relay that is being replaced may still write beside us, and `seq` is never used twice. */
  private catchUp(): void {
    const version = this.dataVersion();
    if (version === this.seenVersion) return;
    this.seenVersion = version;
    this.floor = Number(this.meta('floor') ?? 0);
    const newest = this.get('SELECT max(seq) AS seq FROM event')!.seq;
    this.head = Math.max(Number(newest ?? 0), Number(this.meta('head') ?? 0), this.floor);
  }

  place(intent: Intent): Placed {
    const known = this.get(
      'SELECT fingerprint, call_id FROM idempotency WHERE owner = ? AND key = ?',
      intent.owner,
      intent.idempotencyKey,
    );
    if (known) {
      if (known.fingerprint !== intent.fingerprint) return { kind: 'otherRequest' };
      const found = this.call(String(known.call_id));
      return found ? { kind: 'same', call: found.call, placedBy: found.placedBy } : { kind: 'otherRequest' };
    }
    if (this.get('SELECT 1 FROM call WHERE id = ?', intent.call.id)) return { kind: 'idTaken' };
    for (const tally of intent.tallies) {
      const row = this.get('SELECT count FROM tally WHERE bucket = ?', tally.bucket);
      if (Number(row?.count ?? 0) >= tally.max) return { kind: 'limited', bucket: tally.bucket };
    }
    for (const tally of intent.tallies)
      this.run(
        'INSERT INTO tally VALUES (?, 1, ?) ON CONFLICT (bucket) DO UPDATE SET count = count + 1',
        tally.bucket,
        tally.expires,
      );
    const { call } = intent;
    const data = JSON.stringify(call);
    const seq = this.append(call.from, call.id, data, intent.now);
    this.run(
      `INSERT INTO call (id, channel, callee, placed_by, dialling, open, deadline, created_at, seq, data)
       VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?)`,
      call.id,
      call.from,
      call.to,
      intent.placedBy,
      intent.placedBy === 'relay' ? 1 : 0,
      intent.deadline,
      intent.now,
      seq,
      data,
    );
    this.run(
      'INSERT INTO idempotency VALUES (?, ?, ?, ?, ?)',
      intent.owner,
      intent.idempotencyKey,
      intent.fingerprint,
      call.id,
      intent.now,
    );
    return { kind: 'placed' };
  }

  apply(change: Change): Applied {
    const row = this.get(
      'SELECT n, channel, data, dialling, deadline, arrived FROM call WHERE id = ?',
      change.callId,
    );
    if (!row) return { kind: 'unknownCall' };
    let arrived = String(row.arrived);
    if (change.arrival) {
      const digests = JSON.parse(arrived) as Record<string, string>;
      const { event, digest, forward } = change.arrival;
      if (digests[event] === digest) return { kind: 'repeat' };
      if (digests[event] !== undefined) return { kind: this.contradict(change) };
      arrived = JSON.stringify({ ...digests, [event]: digest });
      if (forward)
        this.run(
          "INSERT INTO forward VALUES (?, ?, ?, 0, 0, 0, '', ?)",
          forward.id,
          change.callId,
          change.now,
          forward.body,
        );
    }
    const before = JSON.parse(String(row.data)) as Call;
    const call = transition(before, change.fact);
    // A notification may beat the provider's answer; then the journal's entry is still undecided.
    const dialling = change.arrival ? Number(row.dialling) : 0;
    const deadline = isFinished(call) && dialling === 0 ? null : (change.deadline ?? row.deadline ?? null);
    if (call === before) {
      if (dialling !== row.dialling || deadline !== row.deadline || arrived !== row.arrived)
        this.run(
          'UPDATE call SET dialling = ?, deadline = ?, arrived = ? WHERE n = ?',
          dialling,
          deadline,
          arrived,
          row.n!,
        );
      return answer('unchanged', call, change.wantsCall ? String(row.data) : undefined);
    }
    const data = JSON.stringify(call);
    const seq = this.append(String(row.channel), call.id, data, change.now);
    this.run(
      'UPDATE call SET data = ?, seq = ?, open = ?, dialling = ?, deadline = ?, arrived = ? WHERE n = ?',
      data,
      seq,
      isFinished(call) ? 0 : 1,
      dialling,
      deadline,
      arrived,
      row.n!,
    );
    return answer('applied', call, change.wantsCall ? data : undefined);
  }

  call(id: string): { call: Call; channel: string; placedBy: PlacedBy } | undefined {
    const row = this.get('SELECT channel, placed_by, data FROM call WHERE id = ?', id);
    if (!row) return undefined;
    return {
      call: JSON.parse(String(row.data)) as Call,
      channel: String(row.channel),
      placedBy: row.placed_by as PlacedBy,
    };
  }

  history(channels: readonly string[], limit: number, before: string | undefined): History | undefined {
    let below = Number.MAX_SAFE_INTEGER;
    if (before !== undefined) {
      const row = this.get('SELECT n, channel FROM call WHERE id = ?', before);
      if (!row || !channels.includes(String(row.channel))) return undefined;
      below = Number(row.n);
    }
    const rows = channels
      .flatMap((channel) =>
        this.all(
          'SELECT n, id, data FROM call WHERE channel = ? AND n < ? ORDER BY n DESC LIMIT ?',
          channel,
          below,
          limit + 1,
        ),
      )
      .sort((a, b) => Number(b.n) - Number(a.n));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      calls: page.map((row) => JSON.parse(String(row.data)) as Call),
      ...(rows.length > limit && last ? { next: String(last.id) } : {}),
    };
  }

  openCalls(channels: readonly string[]): Snapshot {
    const events = channels.flatMap((channel) =>
      this.all(
        'SELECT seq, channel, id AS call_id, data FROM call WHERE channel = ? AND open = 1',
        channel,
      ).map(toEvent),
    );
    return { events: events.sort((a, b) => a.seq - b.seq), head: this.head, more: false };
  }

  eventsAfter(channels: readonly string[], seq: number, limit: number): Snapshot | undefined {
    if (seq > this.head || seq < this.floor) return undefined;
    const events = channels
      .flatMap((channel) =>
        this.all(
          'SELECT seq, channel, call_id, data FROM event WHERE channel = ? AND seq > ? ORDER BY seq LIMIT ?',
          channel,
          seq,
          limit + 1,
        ).map(toEvent),
      )
      .sort((a, b) => a.seq - b.seq);
    return { events: events.slice(0, limit), head: this.head, more: events.length > limit };
  }

  overdue(now: number, limit: number): Overdue[] {
    return this.all(
      `SELECT id, dialling FROM call WHERE (open = 1 OR dialling = 1) AND deadline < ? ORDER BY deadline LIMIT ?`,
      now,
      limit,
    ).map((row) => ({ callId: String(row.id), dialling: row.dialling === 1 }));
  }

  interrupted(): string[] {
    return this.all('SELECT id FROM call WHERE dialling = 1').map((row) => String(row.id));
  }

  claimForwards(claim: { now: number; until: number; limit: number }): ForwardClaim {
    const rows = this.all(
      'SELECT id, call_id, attempts, body FROM forward WHERE dead = 0 AND due <= ? ORDER BY due LIMIT ?',
      claim.now,
      claim.limit,
    );
    for (const { id } of rows)
      this.run(
        'UPDATE forward SET due = ?, claimed = 1, attempts = attempts + 1 WHERE id = ?',
        claim.until,
        id!,
      );
    const rest = this.get('SELECT count(*) AS pending, min(due) AS next FROM forward WHERE dead = 0')!;
    return {
      forwards: rows.map((row) => ({
        id: String(row.id),
        callId: String(row.call_id),
        body: String(row.body),
        attempt: Number(row.attempts) + 1,
      })),
      pending: Number(rest.pending),
      ...(rest.next == null ? {} : { next: Number(rest.next) }),
    };
  }

  settleForward(id: string, attempt: number, outcome: ForwardOutcome): void {
    if (outcome.kind === 'delivered') this.dropForward(id);
    else
      this.run(
        'UPDATE forward SET due = ?, claimed = 0, dead = ?, note = ? WHERE id = ? AND attempts = ?',
        outcome.at,
        outcome.kind === 'dead' ? 1 : 0,
        outcome.note,
        id,
        attempt,
      );
  }

  releaseForwards(now: number): number {
    return this.run('UPDATE forward SET due = ?, claimed = 0 WHERE claimed = 1', now);
  }

  forwards(limit: number): ForwardState[] {
    return this.all(
      `SELECT forward.id, call_id, channel, callee, dead, attempts, due, note
       FROM forward JOIN call ON call.id = call_id ORDER BY dead, due LIMIT ?`,
      limit,
    ).map((row) => ({
      id: String(row.id),
      callId: String(row.call_id),
      from: String(row.channel),
      to: String(row.callee),
      dead: row.dead === 1,
      attempts: Number(row.attempts),
      at: Number(row.due),
      note: String(row.note),
    }));
  }

  retryForwards(id: string | undefined, now: number): number {
    const anew = "UPDATE forward SET due = ?, claimed = 0, dead = 0, attempts = 0, note = ''";
    return id === undefined
      ? this.run(`${anew} WHERE dead = 1`, now)
      : this.run(`${anew} WHERE id = ?`, now, id);
  }

  dropForward(id: string): boolean {
    return this.run('DELETE FROM forward WHERE id = ?', id) > 0;
  }

  addKey(key: StoredKey): void {
    this.run(
      'INSERT INTO key VALUES (?, ?, ?, ?, ?, ?, ?, NULL)',
      key.id,
      key.kind,
      key.name,
      key.hash,
      JSON.stringify(key.origins),
      JSON.stringify(key.callers),
      key.createdAt,
    );
  }

  keys(): StoredKey[] {
    return this.all('SELECT * FROM key ORDER BY created_at, id').map(toKey);
  }

  keyByHash(hash: string): StoredKey | undefined {
    const row = this.get('SELECT * FROM key WHERE hash = ?', hash);
    return row && toKey(row);
  }

  revokeKey(id: string, at: string): boolean {
    return this.run('UPDATE key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id) > 0;
  }

  prune(retention: Retention): number {
    const { limit } = retention;
    const last = this.get(
      'SELECT max(seq) AS seq FROM (SELECT seq FROM event WHERE at < ? ORDER BY seq LIMIT ?)',
      retention.eventsBefore,
      limit,
    );
    let deleted = 0;
    if (last?.seq != null) {
      deleted += this.run('DELETE FROM event WHERE seq <= ? AND at < ?', last.seq, retention.eventsBefore);
      this.floor = Number(last.seq);
      this.setMeta('floor', String(this.floor));
    }
    const old = this.all(
      'SELECT id, channel FROM call WHERE created_at < ? AND open = 0 ORDER BY created_at LIMIT ?',
      retention.callsBefore,
      limit,
    );
    this.deleteCalls(old);
    deleted += old.length;
    deleted += this.run(
      'DELETE FROM idempotency WHERE (owner, key) IN (SELECT owner, key FROM idempotency WHERE at < ? LIMIT ?)',
      retention.idempotencyBefore,
      limit,
    );
    deleted += this.run(
      'DELETE FROM tally WHERE bucket IN (SELECT bucket FROM tally WHERE expires < ? LIMIT ?)',
      retention.now,
      limit,
    );
    return deleted;
  }

  forget(digits: string): number {
    const theirs = this.all('SELECT id, channel, data FROM call').filter((row) =>
      belongsToNumber(JSON.parse(String(row.data)) as Call, digits),
    );
    this.deleteCalls(theirs);
    return theirs.length;
  }

  check(): void {
    this.setMeta('checked', String(Date.now()));
  }

  /** Puts what was deleted out of the write-ahead log too. */
  checkpoint(): void {
    this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.statements.clear();
    this.database.close();
  }

  /** Another end than the one that is believed: kept beside it, never shown. */
  private contradict({ callId, arrival, fact, now }: Change): 'repeat' | 'conflict' {
    const { event, digest } = arrival!;
    const known = this.all('SELECT digest FROM contradiction WHERE call_id = ? AND event = ?', callId, event);
    if (known.some((row) => row.digest === digest)) return 'repeat';
    // A flood of ever different ones must not fill the store.
    if (known.length < maxContradictions)
      this.run(
        'INSERT INTO contradiction VALUES (?, ?, ?, ?, ?)',
        callId,
        event,
        digest,
        now,
        JSON.stringify('details' in fact ? fact.details : {}),
      );
    return 'conflict';
  }

  private append(channel: string, callId: string, data: string, now: number): number {
    this.head += 1;
    this.run('INSERT INTO event VALUES (?, ?, ?, ?, ?)', this.head, channel, callId, now, data);
    this.pending.push({ seq: this.head, channel, callId, data });
    return this.head;
  }

  private deleteCalls(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    // The newest event may be among theirs.
    this.setMeta('head', String(this.head));
    for (const { id, channel } of rows) {
      this.run('DELETE FROM call WHERE id = ?', id!);
      this.run('DELETE FROM event WHERE channel = ? AND call_id = ?', channel!, id!);
      for (const table of ['contradiction', 'forward', 'idempotency'])
        this.run(`DELETE FROM ${table} WHERE call_id = ?`, id!);
    }
  }

  private migrate(): void {
    if (this.version() === schemaSteps.length) return;
    this.atomically(() => {
      // Read again inside the transaction: the command line may have started at the same moment.
      for (const step of schemaSteps.slice(this.version())) this.database.exec(step);
      if (this.version() === 0) this.setMeta('epoch', randomBytes(6).toString('hex'));
      this.database.exec(`PRAGMA user_version = ${schemaSteps.length}`);
    });
  }

  private version(): number {
    return Number(this.database.prepare('PRAGMA user_version').get().user_version);
  }

  private meta(name: string): string | undefined {
    return this.get('SELECT value FROM meta WHERE name = ?', name)?.value as string | undefined;
  }

  private setMeta(name: string, value: string): void {
    this.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', name, value);
  }

  private prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  private get(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined;
  }

  private all(sql: string, ...values: (string | number)[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }

  private run(sql: string, ...values: (string | number | null)[]): number {
    return this.prepare(sql).run(...values).changes;
  }
}

const maxContradictions = 20;

function toEvent(row: Row): StoredEvent {
  return {
    seq: Number(row.seq),
    channel: String(row.channel),
    callId: String(row.call_id),
    data: String(row.data),
  };
}

function toKey(row: Row): StoredKey {
  return {
    id: String(row.id),
    kind: row.kind as StoredKey['kind'],
    name: String(row.name),
    hash: String(row.hash),
    origins: JSON.parse(String(row.origins)),
    callers: JSON.parse(String(row.callers)),
    createdAt: String(row.created_at),
    ...(row.revoked_at === null ? {} : { revokedAt: String(row.revoked_at) }),
  };
}
