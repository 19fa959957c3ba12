import type { Call } from '../../../shared/call/call.ts';
import { belongsToNumber } from '../belongs-to-number.ts';
import type { CallsOfNumber, MaintenanceOperations, Retention } from '../store.ts';
import type { EventLog } from './event-log.ts';
import type { RelayDatabase } from './relay-database.ts';

type Row = { id: string; channel: string; data: string };

export class SqliteMaintenance implements MaintenanceOperations {
  constructor(
    private readonly database: RelayDatabase,
    private readonly log: EventLog,
  ) {}

  prune({ callsBefore, eventsBefore, idempotencyBefore, now, limit }: Retention): number {
    const events = this.log.prune(eventsBefore, limit);
    const calls = this.database.all<Row>(
      'SELECT id, channel, data FROM call WHERE created_at < ? AND open = 0 ORDER BY created_at LIMIT ?',
      callsBefore,
      limit,
    );
    this.deleteRows(calls);
    const idempotency = this.database.run(
      'DELETE FROM idempotency WHERE (owner, key) IN (SELECT owner, key FROM idempotency WHERE at < ? LIMIT ?)',
      idempotencyBefore,
      limit,
    );
    const tallies = this.database.run(
      'DELETE FROM tally WHERE bucket IN (SELECT bucket FROM tally WHERE expires < ? LIMIT ?)',
      now,
      limit,
    );
    return events + calls.length + idempotency + tallies;
  }

  findCallsOfNumber(digits: string, cursor: string, limit: number): CallsOfNumber {
    const rows = this.database.all<Row & { n: number }>(
      'SELECT n, id, channel, data FROM call WHERE n > ? ORDER BY n LIMIT ?',
      Number(cursor),
      limit,
    );
    const found = rows.filter(({ data }) => belongsToNumber(JSON.parse(data) as Call, digits));
    return {
      ids: found.map(({ id }) => id),
      ...(rows.length < limit ? {} : { next: String(rows.at(-1)!.n) }),
    };
  }

  deleteCalls(ids: readonly string[]): number {
    const rows = ids.flatMap((id) => this.database.all<Row>('SELECT id, channel FROM call WHERE id = ?', id));
    this.deleteRows(rows);
    return rows.length;
  }

  check(): void {
    this.database.setMeta('checked', String(Date.now()));
  }

  private deleteRows(rows: readonly Omit<Row, 'data'>[]): void {
    if (rows.length === 0) return;
    this.log.saveHead();
    for (const { id, channel } of rows) {
      this.database.run('DELETE FROM call WHERE id = ?', id);
      this.database.run('DELETE FROM event WHERE channel = ? AND call_id = ?', channel, id);
      this.database.run('DELETE FROM forward WHERE call_id = ?', id);
      this.database.run('DELETE FROM idempotency WHERE call_id = ?', id);
    }
  }
}
