import type { Call } from '../../../shared/call/call.ts';
import { applyChange, type CallState, newRecord } from '../apply-change.ts';
import type {
  Applied,
  CallChange,
  CallOperations,
  EventBatch,
  FoundCall,
  History,
  Intent,
  Overdue,
  PlacedBy,
  PlaceResult,
  StoredEvent,
} from '../store.ts';
import type { EventLog } from './event-log.ts';
import type { RelayDatabase } from './relay-database.ts';

type CallRow = Pick<CallState, 'data' | 'arrivals'> & {
  n: number;
  channel: string;
  seq: number;
  isOpen: number;
  isDialling: number;
  deadline: number | null;
};

export class SqliteCalls implements CallOperations {
  constructor(
    private readonly database: RelayDatabase,
    private readonly log: EventLog,
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
    for (const { bucket, max } of intent.tallies) {
      const row = this.database.get<{ count: number }>('SELECT count FROM tally WHERE bucket = ?', bucket);
      if (row && row.count >= max) return { kind: 'limited', bucket };
    }
    for (const { bucket, expires } of intent.tallies)
      this.database.run(
        'INSERT INTO tally VALUES (?, 1, ?) ON CONFLICT (bucket) DO UPDATE SET count = count + 1',
        bucket,
        expires,
      );
    const { data, isOpen, isDialling, deadline, arrivals } = newRecord(intent);
    this.database.run(
      'INSERT INTO call VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
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
    );
    return { kind: 'placed' };
  }

  apply(change: CallChange): Applied {
    const { callId, now } = change;
    const row = this.database.get<CallRow>(
      `SELECT n, channel, seq, data, open AS isOpen, dialling AS isDialling, deadline, arrivals
       FROM call WHERE id = ?`,
      callId,
    );
    if (!row) return { kind: 'unknownCall' };
    const current: CallState = {
      ...row,
      isOpen: row.isOpen === 1,
      isDialling: row.isDialling === 1,
      deadline: row.deadline ?? undefined,
    };
    const { answer, next, forward } = applyChange(current, change);
    if (next)
      this.database.run(
        'UPDATE call SET data = ?, seq = ?, open = ?, dialling = ?, deadline = ?, arrivals = ? WHERE n = ?',
        next.data,
        next.data === current.data
          ? row.seq
          : this.log.append({ channel: row.channel, callId, data: next.data }, row.seq, now),
        Number(next.isOpen),
        Number(next.isDialling),
        next.deadline ?? null,
        next.arrivals,
        row.n,
      );
    if (forward)
      this.database.run(
        "INSERT INTO forward VALUES (?, ?, ?, 0, 0, 0, '', ?)",
        forward.id,
        callId,
        now,
        forward.body,
      );
    return answer;
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
        `SELECT id AS callId, dialling FROM call WHERE (open = 1 OR dialling = 1) AND deadline < ? ORDER BY deadline LIMIT ?`,
        now,
        limit,
      )
      .map(({ callId, dialling }) => ({ callId, isDialling: dialling === 1 }));
  }

  listInterrupted(): string[] {
    return this.database.all<{ id: string }>('SELECT id FROM call WHERE dialling = 1').map(({ id }) => id);
  }
}
