import type { Call } from '../../../shared/call/call.ts';
import { parseLog } from '../../log/call-log.ts';
import { amendCall } from '../amend-call.ts';
import type { Amend, Amended, AmendedRules } from '../amendment.ts';
import { applyChange, changesIndex, indexOf, newCallState } from '../apply-change.ts';
import type { CallState } from '../call-state.ts';
import { overrideRecords, talliesOf } from '../judge-intent.ts';
import type {
  Applied,
  CallChange,
  CallOperations,
  DueCalls,
  EventBatch,
  FoundCall,
  History,
  Intent,
  Overdue,
  PlacedBy,
  PlaceResult,
  StoredEvent,
  UnloggedCall,
} from '../store.ts';
import type { EventLog } from './event-log.ts';
import type { RelayDatabase } from './relay-database.ts';
import type { SqliteRules } from './sqlite-rules.ts';
import type { SqliteSheets } from './sqlite-sheets.ts';

type SqliteCallRow = { id: string } & Pick<CallState, 'data' | 'arrivals' | 'log' | 'attempt'> & {
    n: number;
    channel: string;
    seq: number;
    isOpen: number;
    isDialling: number;
    deadline: number | null;
    leasedUntil: number;
  };

const callStateOf = (row: SqliteCallRow): CallState => ({
  data: row.data,
  arrivals: row.arrivals,
  log: row.log,
  attempt: row.attempt,
  leasedUntil: row.leasedUntil,
  isOpen: row.isOpen === 1,
  isDialling: row.isDialling === 1,
  deadline: row.deadline ?? undefined,
});

export class SqliteCalls implements CallOperations {
  constructor(
    private readonly database: RelayDatabase,
    private readonly log: EventLog,
    private readonly rules: SqliteRules,
    private readonly sheets: SqliteSheets,
  ) {}

  place(intent: Intent): PlaceResult {
    const { call, owner, idempotencyKey, fingerprint, now } = intent;
    const known = this.database.get<{ fingerprint: string; data: string; placedBy: PlacedBy }>(
      'SELECT fingerprint, data, placed_by AS placedBy FROM call WHERE owner = ? AND idempotency_key = ?',
      owner,
      idempotencyKey,
    );
    if (known?.fingerprint === fingerprint)
      return { kind: 'same', call: JSON.parse(known.data) as Call, placedBy: known.placedBy };
    if (known) return { kind: 'otherRequest' };
    if (this.database.get('SELECT 1 FROM call WHERE id = ?', call.id)) return { kind: 'idTaken' };
    const refused = this.rules.refusalOf(intent);
    if (refused) return refused;
    if (!this.sheets.isHeld(intent)) return { kind: 'itemTaken' };
    const tallies = talliesOf(intent);
    for (const { bucket, max } of tallies) {
      const row = this.database.get<{ count: number }>('SELECT count FROM tally WHERE bucket = ?', bucket);
      if (row && row.count >= max) return { kind: 'limited', bucket };
    }
    for (const { bucket, expires } of tallies)
      this.database.run(
        'INSERT INTO tally VALUES (?, 1, ?) ON CONFLICT (bucket) DO UPDATE SET count = count + 1',
        bucket,
        expires,
      );
    const { data, isOpen, isDialling, deadline, arrivals, log, leasedUntil, attempt } = newCallState(intent);
    this.database.run(
      'INSERT INTO call VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, 0, ?, ?, ?, ?)',
      call.id,
      call.from,
      call.to,
      intent.placedBy,
      owner,
      idempotencyKey,
      fingerprint,
      now,
      Number(isDialling),
      Number(isOpen),
      deadline ?? null,
      this.log.append({ channel: call.from, callId: call.id, data }, 0, now),
      data,
      arrivals,
      log,
      intent.callee?.key ?? null,
      intent.lease ? JSON.stringify(intent.lease) : null,
      leasedUntil,
      attempt,
    );
    this.rules.record(overrideRecords(intent));
    this.sheets.markCalled(intent);
    return { kind: 'placed' };
  }

  apply(change: CallChange): Applied {
    const row = this.row(change.callId);
    if (!row) return { kind: 'unknownCall' };
    const { answer, next, forward, rules } = applyChange(callStateOf(row), change);
    if (next) this.write(row, next, change.now);
    this.writeRules(rules);
    if (forward)
      this.database.run(
        "INSERT INTO forward VALUES (?, ?, ?, 0, 0, 0, '', ?)",
        forward.id,
        change.callId,
        change.now,
        forward.body,
      );
    return answer;
  }

  amend({ callId, amendment, now }: Amend): Amended {
    const row = this.row(callId);
    if (!row) return { kind: 'unknownCall' };
    const { answer, next, rules } = amendCall(callStateOf(row), amendment, now);
    if (next) this.write(row, next, now);
    this.writeRules(rules);
    return answer;
  }

  private writeRules(rules: AmendedRules | undefined): void {
    if (rules) this.rules.list(rules.entries, rules.audit);
    if (rules?.takenBack) this.rules.takeBack(rules.takenBack);
    if (rules?.attempt) this.rules.count(rules.attempt);
    if (rules?.move) this.sheets.move(rules.move);
  }

  private row(callId: string): SqliteCallRow | undefined {
    return this.database.get<SqliteCallRow>(
      `SELECT n, id, channel, seq, data, open AS isOpen, dialling AS isDialling, deadline, arrivals, log, attempt,
         leased_until AS leasedUntil
       FROM call WHERE id = ?`,
      callId,
    );
  }

  private write(row: SqliteCallRow, next: CallState, now: number): void {
    const { n, id: callId, channel, seq, data } = row;
    this.database.run(
      'UPDATE call SET (data, seq, open, dialling, deadline, arrivals, leased_until) = (?,?,?,?,?,?,?) WHERE n = ?',
      next.data,
      next.data === data ? seq : this.log.append({ channel, callId, data: next.data }, seq, now),
      Number(next.isOpen),
      Number(next.isDialling),
      next.deadline ?? null,
      next.arrivals,
      next.leasedUntil,
      n,
    );
    if (changesIndex(row, next)) this.writeIndex(row, next);
  }

  private writeIndex({ n, id }: SqliteCallRow, next: CallState): void {
    const { due, callback, isUnlogged } = indexOf(next);
    this.database.run(
      'UPDATE call SET log = ?, call_back = ?, call_back_by = ?, unlogged = ? WHERE n = ?',
      next.log,
      callback?.at ?? null,
      callback?.by ?? null,
      Number(isUnlogged),
      n,
    );
    this.database.run('DELETE FROM due_entry WHERE n = ?', n);
    for (const entry of due)
      this.database.run(
        'INSERT INTO due_entry VALUES (?, ?, ?, ?, ?)',
        n,
        id,
        entry.system,
        entry.lane,
        entry.due,
      );
  }

  listDueEntries({ system, now, limit }: { system: string; now: number; limit: number }): DueCalls {
    // Entries on one record are sent in the order of their calls.
    const first = `NOT EXISTS (SELECT 1 FROM due_entry AS earlier
      WHERE earlier.system = own.system AND earlier.lane = own.lane AND earlier.n < own.n)`;
    const due = this.database.all<{ callId: string }>(
      `SELECT call_id AS callId FROM due_entry AS own WHERE system = ? AND due <= ? AND ${first} ORDER BY due LIMIT ?`,
      system,
      now,
      limit,
    );
    const next = this.database.get<{ due: number }>(
      `SELECT due FROM due_entry AS own WHERE system = ? AND due > ? AND ${first} ORDER BY due LIMIT 1`,
      system,
      now,
    );
    const { pending } = this.database.get<{ pending: number }>(
      'SELECT count(*) AS pending FROM due_entry WHERE system = ?',
      system,
    )!;
    return { callIds: due.map(({ callId }) => callId), pending, ...(next ? { next: next.due } : {}) };
  }

  listUnlogged(limit: number): UnloggedCall[] {
    return this.database
      .all<{ data: string; log: string }>(
        'SELECT data, log FROM call WHERE unlogged = 1 ORDER BY n LIMIT ?',
        limit,
      )
      .map(({ data, log }) => ({ call: JSON.parse(data) as Call, entries: parseLog(log).entries }));
  }

  listCallbacks(channels: readonly string[], limit: number): Call[] {
    return channels
      .flatMap((channel) =>
        this.database.all<{ at: number; data: string }>(
          'SELECT call_back AS at, data FROM call WHERE call_back_by = ? AND call_back IS NOT NULL ORDER BY at LIMIT ?',
          channel,
          limit,
        ),
      )
      .sort((a, b) => a.at - b.at)
      .slice(0, limit)
      .map(({ data }) => JSON.parse(data) as Call);
  }

  find(id: string): FoundCall | undefined {
    const row = this.database.get<Omit<FoundCall, 'call'> & { data: string }>(
      'SELECT channel, placed_by AS placedBy, data FROM call WHERE id = ?',
      id,
    );
    return row && { call: JSON.parse(row.data) as Call, channel: row.channel, placedBy: row.placedBy };
  }

  history(channels: readonly string[], limit: number, before: string | undefined): History | undefined {
    let below = Number.MAX_SAFE_INTEGER;
    if (before !== undefined) {
      const row = this.database.get<{ n: number; channel: string }>(
        'SELECT n, channel FROM call WHERE id = ?',
        before,
      );
      if (!row || !channels.includes(row.channel)) return undefined;
      below = row.n;
    }
    const rows = channels
      .flatMap((channel) =>
        this.database.all<{ n: number; id: string; data: string }>(
          'SELECT n, id, data FROM call WHERE channel = ? AND n < ? ORDER BY n DESC LIMIT ?',
          channel,
          below,
          limit + 1,
        ),
      )
      .sort((a, b) => b.n - a.n);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      calls: page.map((row) => JSON.parse(row.data) as Call),
      ...(rows.length > limit && last ? { next: last.id } : {}),
    };
  }

  listOpen(channels: readonly string[]): EventBatch {
    const events = channels.flatMap((channel) =>
      this.database.all<StoredEvent>(
        'SELECT seq, channel, id AS callId, data FROM call WHERE channel = ? AND open = 1',
        channel,
      ),
    );
    return { events: events.sort((a, b) => a.seq - b.seq), head: this.log.head, more: false };
  }

  eventsAfter(channels: readonly string[], seq: number, limit: number): EventBatch | undefined {
    return this.log.after(channels, seq, limit);
  }

  listOverdue(now: number, limit: number): Overdue[] {
    return this.database
      .all<{ callId: string; dialling: number }>(
        'SELECT id AS callId, dialling FROM call WHERE (open = 1 OR dialling = 1) AND deadline < ? ' +
          'ORDER BY deadline LIMIT ?',
        now,
        limit,
      )
      .map(({ callId, dialling }) => ({ callId, isDialling: dialling === 1 }));
  }

  listInterrupted(): string[] {
    return this.database.all<{ id: string }>('SELECT id FROM call WHERE dialling = 1').map(({ id }) => id);
  }
}
