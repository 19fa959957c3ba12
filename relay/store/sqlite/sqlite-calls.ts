import type { Call } from '../../../shared/call/call.ts';
import { sql } from '../../../shared/server/sql.ts';
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
    const known = this.database.get<{ fingerprint: string; data: string; placedBy: PlacedBy }>(sql`
      SELECT fingerprint, data, placed_by AS placedBy FROM call
      WHERE owner = ${owner} AND idempotency_key = ${idempotencyKey}`);
    if (known?.fingerprint === fingerprint)
      return { kind: 'same', call: JSON.parse(known.data) as Call, placedBy: known.placedBy };
    if (known) return { kind: 'otherRequest' };
    if (this.database.get(sql`SELECT 1 FROM call WHERE id = ${call.id}`)) return { kind: 'idTaken' };
    const refused = this.rules.refusalOf(intent);
    if (refused) return refused;
    if (!this.sheets.isHeld(intent)) return { kind: 'itemTaken' };
    const tallies = talliesOf(intent);
    for (const { bucket, max } of tallies) {
      const [count = 0] = this.rules.tallies([bucket]);
      if (count >= max) return { kind: 'limited', bucket };
    }
    for (const { bucket, expires } of tallies)
      this.database.run(sql`
        INSERT INTO tally VALUES (${bucket}, 1, ${expires})
        ON CONFLICT (bucket) DO UPDATE SET count = count + 1`);
    const { data, isOpen, isDialling, deadline, arrivals, log, leasedUntil, attempt } = newCallState(intent);
    const seq = this.log.append({ channel: call.from, callId: call.id, data }, 0, now);
    const key = intent.callee?.key ?? null;
    const lease = intent.lease ? JSON.stringify(intent.lease) : null;
    this.database.run(sql`
      INSERT INTO call VALUES (
        NULL, ${call.id}, ${call.from}, ${call.to}, ${intent.placedBy}, ${owner}, ${idempotencyKey}, ${fingerprint},
        ${now}, ${Number(isDialling)}, ${Number(isOpen)}, ${deadline ?? null}, ${seq}, ${data}, ${arrivals}, ${log},
        NULL, NULL, 0, ${key}, ${lease}, ${leasedUntil}, ${attempt}
      )`);
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
      this.database.run(sql`
        INSERT INTO forward VALUES (${forward.id}, ${change.callId}, ${change.now}, 0, 0, 0, '', ${forward.body})`);
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
    return this.database.get<SqliteCallRow>(sql`
      SELECT n, id, channel, seq, data, open AS isOpen, dialling AS isDialling, deadline, arrivals, log, attempt,
        leased_until AS leasedUntil
      FROM call WHERE id = ${callId}`);
  }

  private write(row: SqliteCallRow, next: CallState, now: number): void {
    const { n, id: callId, channel, seq, data } = row;
    const newest = next.data === data ? seq : this.log.append({ channel, callId, data: next.data }, seq, now);
    this.database.run(sql`
      UPDATE call SET data = ${next.data}, seq = ${newest}, open = ${Number(next.isOpen)},
        dialling = ${Number(next.isDialling)}, deadline = ${next.deadline ?? null}, arrivals = ${next.arrivals},
        leased_until = ${next.leasedUntil}
      WHERE n = ${n}`);
    if (changesIndex(row, next)) this.writeIndex(row, next);
  }

  private writeIndex({ n, id }: SqliteCallRow, next: CallState): void {
    const { due, callback, isUnlogged } = indexOf(next);
    this.database.run(sql`
      UPDATE call SET log = ${next.log}, call_back = ${callback?.at ?? null}, call_back_by = ${callback?.by ?? null},
        unlogged = ${Number(isUnlogged)}
      WHERE n = ${n}`);
    this.database.run(sql`DELETE FROM due_entry WHERE n = ${n}`);
    for (const { system, lane, due: at } of due)
      this.database.run(sql`INSERT INTO due_entry VALUES (${n}, ${id}, ${system}, ${lane}, ${at})`);
  }

  listDueEntries({ system, now, limit }: { system: string; now: number; limit: number }): DueCalls {
    // Entries on one record are sent in the order of their calls.
    const first = sql`FROM due_entry AS own WHERE system = ${system} AND NOT EXISTS (
      SELECT 1 FROM due_entry AS earlier
      WHERE earlier.system = own.system AND earlier.lane = own.lane AND earlier.n < own.n)`;
    const due = this.database.all<{ callId: string }>(
      sql`SELECT call_id AS callId ${first} AND due <= ${now} ORDER BY due LIMIT ${limit}`,
    );
    const next = this.database.get<{ due: number }>(
      sql`SELECT due ${first} AND due > ${now} ORDER BY due LIMIT 1`,
    );
    const { pending } = this.database.get<{ pending: number }>(
      sql`SELECT count(*) AS pending FROM due_entry WHERE system = ${system}`,
    )!;
    return { callIds: due.map(({ callId }) => callId), pending, ...(next ? { next: next.due } : {}) };
  }

  listUnlogged(limit: number): UnloggedCall[] {
    return this.database
      .all<{ data: string; log: string }>(
        sql`SELECT data, log FROM call WHERE unlogged = 1 ORDER BY n LIMIT ${limit}`,
      )
      .map(({ data, log }) => ({ call: JSON.parse(data) as Call, entries: parseLog(log).entries }));
  }

  listCallbacks(channels: readonly string[], limit: number): Call[] {
    return channels
      .flatMap((channel) =>
        this.database.all<{ at: number; data: string }>(sql`
          SELECT call_back AS at, data FROM call
          WHERE call_back_by = ${channel} AND call_back IS NOT NULL ORDER BY at LIMIT ${limit}`),
      )
      .sort((a, b) => a.at - b.at)
      .slice(0, limit)
      .map(({ data }) => JSON.parse(data) as Call);
  }

  find(id: string): FoundCall | undefined {
    const row = this.database.get<Omit<FoundCall, 'call'> & { data: string }>(
      sql`SELECT channel, placed_by AS placedBy, data FROM call WHERE id = ${id}`,
    );
    return row && { call: JSON.parse(row.data) as Call, channel: row.channel, placedBy: row.placedBy };
  }

  history(channels: readonly string[], limit: number, before: string | undefined): History | undefined {
    let below = Number.MAX_SAFE_INTEGER;
    if (before !== undefined) {
      const row = this.database.get<{ n: number; channel: string }>(
        sql`SELECT n, channel FROM call WHERE id = ${before}`,
      );
      if (!row || !channels.includes(row.channel)) return undefined;
      below = row.n;
    }
    const rows = channels
      .flatMap((channel) =>
        this.database.all<{ n: number; id: string; data: string }>(sql`
          SELECT n, id, data FROM call WHERE channel = ${channel} AND n < ${below} ORDER BY n DESC LIMIT ${limit + 1}`),
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
        sql`SELECT seq, channel, id AS callId, data FROM call WHERE channel = ${channel} AND open = 1`,
      ),
    );
    return { events: events.sort((a, b) => a.seq - b.seq), head: this.log.head, more: false };
  }

  eventsAfter(channels: readonly string[], seq: number, limit: number): EventBatch | undefined {
    return this.log.after(channels, seq, limit);
  }

  listOverdue(now: number, limit: number): Overdue[] {
    return this.database
      .all<{ callId: string; dialling: number }>(sql`
        SELECT id AS callId, dialling FROM call WHERE (open = 1 OR dialling = 1) AND deadline < ${now}
        ORDER BY deadline LIMIT ${limit}`)
      .map(({ callId, dialling }) => ({ callId, isDialling: dialling === 1 }));
  }

  listInterrupted(): string[] {
    return this.database.all<{ id: string }>(sql`SELECT id FROM call WHERE dialling = 1`).map(({ id }) => id);
  }
}
