import type { Call } from '../../../shared/call/call.ts';
import { belongsToNumber } from '../belongs-to-number.ts';
import type { MaintenanceOperations, Retention } from '../store.ts';
import type { EventLog } from './event-log.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

type Row = { id: string; channel: string; data: string };

export class SqliteMaintenance implements MaintenanceOperations {
  constructor(
    private readonly database: SqliteConnection,
    private readonly log: EventLog,
  ) {}

  prune({ callsBefore, eventsBefore, idempotencyBefore, now, limit }: Retention): number {
    const events = this.log.prune(eventsBefore, limit);
    const calls = this.database.all<Row>(
      'SELECT id, channel, data FROM call WHERE created_at < ? AND open = 0 ORDER BY created_at LIMIT ?',
      callsBefore,
      limit,
    );
    this.deleteCalls(calls);
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

  forget(digits: string): number {
    const calls = this.database
      .all<Row>('SELECT id, channel, data FROM call')
      .filter(({ data }) => belongsToNumber(JSON.parse(data) as Call, digits));
    this.deleteCalls(calls);
    return calls.length;
  }

  check(): void {
    this.database.setMeta('checked', String(Date.now()));
  }

  private deleteCalls(rows: readonly Row[]): void {
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
