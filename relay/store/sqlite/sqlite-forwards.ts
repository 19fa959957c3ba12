import type { DeliveryClaim, DeliveryOutcome } from '../../../shared/server/delivery.ts';
import type { Forward, ForwardOperations, ForwardState } from '../store.ts';
import type { RelayDatabase } from './relay-database.ts';

export class SqliteForwards implements ForwardOperations {
  constructor(private readonly database: RelayDatabase) {}

  claim({ now, until, limit }: { now: number; until: number; limit: number }): DeliveryClaim<Forward> {
    const items = this.database.all<Forward>(
      `SELECT id, call_id AS callId, attempts + 1 AS attempt, body
       FROM forward WHERE dead = 0 AND due <= ? ORDER BY due LIMIT ?`,
      now,
      limit,
    );
    for (const { id } of items)
      this.database.run(
        'UPDATE forward SET due = ?, claimed = 1, attempts = attempts + 1 WHERE id = ?',
        until,
        id,
      );
    const { pending, next } = this.database.get<{ pending: number; next: number | null }>(
      'SELECT count(*) AS pending, min(due) AS next FROM forward WHERE dead = 0',
    )!;
    return { items, pending, ...(next === null ? {} : { next }) };
  }

  settle(id: string, attempt: number, outcome: DeliveryOutcome): void {
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
      .all<ForwardState>(
        `SELECT forward.id, call_id AS callId, channel AS "from", callee AS "to", dead, attempts, due AS at, note
         FROM forward JOIN call ON call.id = call_id ORDER BY dead, due LIMIT ?`,
        limit,
      )
      .map((state) => ({ ...state, dead: Boolean(state.dead) }));
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
