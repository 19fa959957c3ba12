import type { Call } from '../../../shared/call/call.ts';
import { decideChange, newRecord } from '../decide-change.ts';
import type {
  Applied,
  CallOperations,
  Change,
  FoundCall,
  History,
  Intent,
  Overdue,
  Placed,
  PlacedBy,
  Snapshot,
} from '../store.ts';
import { type EventLog, toEvent } from './event-log.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export class SqliteCalls implements CallOperations {
  constructor(
    private readonly database: SqliteConnection,
    private readonly log: EventLog,
  ) {}

  place(intent: Intent): Placed {
    const { call, owner, idempotencyKey, fingerprint, now } = intent;
    const known = this.database.get(
      'SELECT fingerprint, call_id FROM idempotency WHERE owner = ? AND key = ?',
      owner,
      idempotencyKey,
    );
    if (known) {
      const found = known.fingerprint === fingerprint ? this.find(String(known.call_id)) : undefined;
      return found ? { kind: 'same', call: found.call, placedBy: found.placedBy } : { kind: 'otherRequest' };
    }
    if (this.database.get('SELECT 1 FROM call WHERE id = ?', call.id)) return { kind: 'idTaken' };
    for (const { bucket, max } of intent.tallies) {
      const row = this.database.get('SELECT count FROM tally WHERE bucket = ?', bucket);
      if (Number(row?.count ?? 0) >= max) return { kind: 'limited', bucket };
    }
    for (const { bucket, expires } of intent.tallies)
      this.database.run(
        'INSERT INTO tally VALUES (?, 1, ?) ON CONFLICT (bucket) DO UPDATE SET count = count + 1',
        bucket,
        expires,
      );
    const { data, isOpen, isDialling, deadline, arrivals } = newRecord(intent);
    this.database.run(
      `INSERT INTO call (id, channel, callee, placed_by, created_at, dialling, open, deadline, seq, data, arrivals)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      call.id,
      call.from,
      call.to,
      intent.placedBy,
      now,
      Number(isDialling),
      Number(isOpen),
      deadline ?? null,
      this.log.append(call.from, call.id, data, now),
      data,
      arrivals,
    );
    this.database.run(
      'INSERT INTO idempotency VALUES (?, ?, ?, ?, ?)',
      owner,
      idempotencyKey,
      fingerprint,
      call.id,
      now,
    );
    return { kind: 'placed' };
  }

  apply(change: Change): Applied {
    const { callId, now } = change;
    const row = this.database.get(
      'SELECT n, channel, seq, data, open, dialling, deadline, arrivals FROM call WHERE id = ?',
      callId,
    );
    if (!row) return { kind: 'unknownCall' };
    const current = {
      data: String(row.data),
      isOpen: row.open === 1,
      isDialling: row.dialling === 1,
      deadline: row.deadline == null ? undefined : Number(row.deadline),
      arrivals: String(row.arrivals),
    };
    const { answer, next, forward } = decideChange(current, change);
    if (next)
      this.database.run(
        'UPDATE call SET data = ?, seq = ?, open = ?, dialling = ?, deadline = ?, arrivals = ? WHERE n = ?',
        next.data,
        next.data === current.data ? row.seq! : this.log.append(String(row.channel), callId, next.data, now),
        Number(next.isOpen),
        Number(next.isDialling),
        next.deadline ?? null,
        next.arrivals,
        row.n!,
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
    const row = this.database.get('SELECT channel, placed_by, data FROM call WHERE id = ?', id);
    return (
      row && {
        call: JSON.parse(String(row.data)) as Call,
        channel: String(row.channel),
        placedBy: row.placed_by as PlacedBy,
      }
    );
  }

  history(channels: readonly string[], limit: number, before: string | undefined): History | undefined {
    let below = Number.MAX_SAFE_INTEGER;
    if (before !== undefined) {
      const row = this.database.get('SELECT n, channel FROM call WHERE id = ?', before);
      if (!row || !channels.includes(String(row.channel))) return undefined;
      below = Number(row.n);
    }
    const rows = channels
      .flatMap((channel) =>
        this.database.all(
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

  listOpen(channels: readonly string[]): Snapshot {
    const events = channels.flatMap((channel) =>
      this.database
        .all('SELECT seq, channel, id AS call_id, data FROM call WHERE channel = ? AND open = 1', channel)
        .map(toEvent),
    );
    return { events: events.sort((a, b) => a.seq - b.seq), head: this.log.head, more: false };
  }

  eventsAfter(channels: readonly string[], seq: number, limit: number): Snapshot | undefined {
    return this.log.after(channels, seq, limit);
  }

  listOverdue(now: number, limit: number): Overdue[] {
    return this.database
      .all(
        `SELECT id, dialling FROM call WHERE (open = 1 OR dialling = 1) AND deadline < ? ORDER BY deadline LIMIT ?`,
        now,
        limit,
      )
      .map((row) => ({ callId: String(row.id), isDialling: row.dialling === 1 }));
  }

  listInterrupted(): string[] {
    return this.database.all('SELECT id FROM call WHERE dialling = 1').map((row) => String(row.id));
  }
}
