import type { DeliveryClaim, DeliveryOutcome } from '../../../shared/server/delivery.ts';
import { sql } from '../../../shared/server/sql.ts';
import type { Forward, ForwardOperations, ForwardState } from '../store.ts';
import type { RelayDatabase } from './relay-database.ts';

export class SqliteForwards implements ForwardOperations {
  constructor(private readonly database: RelayDatabase) {}

  claim({ now, until, limit }: { now: number; until: number; limit: number }): DeliveryClaim<Forward> {
    const items = this.database.all<Forward>(sql`
      SELECT id, call_id AS callId, attempts + 1 AS attempt, body
      FROM forward WHERE dead = 0 AND due <= ${now} ORDER BY due LIMIT ${limit}`);
    for (const { id } of items)
      this.database.run(
        sql`UPDATE forward SET due = ${until}, claimed = 1, attempts = attempts + 1 WHERE id = ${id}`,
      );
    const { pending, next } = this.database.get<{ pending: number; next: number | null }>(
      sql`SELECT count(*) AS pending, min(due) AS next FROM forward WHERE dead = 0`,
    )!;
    return { items, pending, ...(next === null ? {} : { next }) };
  }

  settle(id: string, attempt: number, outcome: DeliveryOutcome): void {
    if (outcome.kind === 'delivered') this.drop(id);
    else
      this.database.run(sql`
        UPDATE forward SET due = ${outcome.at}, claimed = 0, dead = ${Number(outcome.kind === 'dead')},
          note = ${outcome.note} WHERE id = ${id} AND attempts = ${attempt}`);
  }

  release(now: number): number {
    return this.database.run(sql`UPDATE forward SET due = ${now}, claimed = 0 WHERE claimed = 1`);
  }

  list(limit: number): ForwardState[] {
    return this.database
      .all<ForwardState>(sql`
        SELECT forward.id, call_id AS callId, channel AS "from", callee AS "to", dead, attempts, due AS at, note
        FROM forward JOIN call ON call.id = call_id ORDER BY dead, due LIMIT ${limit}`)
      .map((state) => ({ ...state, dead: Boolean(state.dead) }));
  }

  retry(id: string | undefined, now: number): number {
    const wanted = id === undefined ? sql`dead = 1` : sql`id = ${id}`;
    const reset = sql`due = ${now}, claimed = 0, dead = 0, attempts = 0, note = ''`;
    return this.database.run(sql`UPDATE forward SET ${reset} WHERE ${wanted}`);
  }

  drop(id: string): boolean {
    return this.database.run(sql`DELETE FROM forward WHERE id = ${id}`) > 0;
  }
}
