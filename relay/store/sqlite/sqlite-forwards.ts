import type { ForwardClaim, ForwardOperations, ForwardOutcome, ForwardState } from '../store.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export class SqliteForwards implements ForwardOperations {
  constructor(private readonly database: SqliteConnection) {}

  claim({ now, until, limit }: { now: number; until: number; limit: number }): ForwardClaim {
    const rows = this.database.all(
      'SELECT id, call_id, attempts, body FROM forward WHERE dead = 0 AND due <= ? ORDER BY due LIMIT ?',
      now,
      limit,
    );
    for (const { id } of rows)
      this.database.run(
        'UPDATE forward SET due = ?, claimed = 1, attempts = attempts + 1 WHERE id = ?',
        until,
        id!,
      );
    const rest = this.database.get(
      'SELECT count(*) AS pending, min(due) AS next FROM forward WHERE dead = 0',
    )!;
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

  settle(id: string, attempt: number, outcome: ForwardOutcome): void {
    if (outcome.kind === 'delivered') this.drop(id);
    else
      this.database.run(
        'UPDATE forward SET due = ?, claimed = 0, dead = ?, note = ? WHERE id = ? AND attempts = ?',
        outcome.at,
        outcome.kind === 'dead' ? 1 : 0,
        outcome.note,
        id,
        attempt,
      );
  }

  release(now: number): number {
    return this.database.run('UPDATE forward SET due = ?, claimed = 0 WHERE claimed = 1', now);
  }

  list(limit: number): ForwardState[] {
    return this.database
      .all(
        `SELECT forward.id, call_id, channel, callee, dead, attempts, due, note
         FROM forward JOIN call ON call.id = call_id ORDER BY dead, due LIMIT ?`,
        limit,
      )
      .map((row) => ({
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

  retry(id: string | undefined, now: number): number {
    const reset = "UPDATE forward SET due = ?, claimed = 0, dead = 0, attempts = 0, note = ''";
    return id === undefined
      ? this.database.run(`${reset} WHERE dead = 1`, now)
      : this.database.run(`${reset} WHERE id = ?`, now, id);
  }

  drop(id: string): boolean {
    return this.database.run('DELETE FROM forward WHERE id = ?', id) > 0;
  }
}
