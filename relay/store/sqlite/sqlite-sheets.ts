import { type ItemKey, type ItemState, itemStates } from '../../../shared/protocol/sheets.ts';
import { type Sql, sql } from '../../../shared/server/sql.ts';
import type {
  ClaimedItem,
  ItemClaim,
  ItemMove,
  NewItem,
  SheetHead,
  SheetOperations,
  StoredItem,
  StoredSheet,
} from '../../sheets/sheet.ts';
import type { Intent } from '../store.ts';
import type { RelayDatabase } from './relay-database.ts';

type ItemRow = Omit<StoredItem, keyof NewItem> & { data: string };
type GoneItem = Pick<ItemRow, 'state' | 'due'> & { sheet: string; n: number; key: string; team: string };
type SheetRow = { data: string; counts: string };

const columns = sql`n AS id, state, due, leased_until AS leasedUntil, caller, attempts, outcome, data`;

const toItem = ({ data, ...row }: ItemRow): StoredItem => ({ ...(JSON.parse(data) as NewItem), ...row });

function toSheet({ data, counts }: SheetRow): StoredSheet {
  const known = JSON.parse(counts) as Partial<Record<ItemState, number>>;
  return {
    ...(JSON.parse(data) as SheetHead),
    counts: Object.fromEntries(
      itemStates.map((state) => [state, known[state] ?? 0]),
    ) as StoredSheet['counts'],
  };
}

export class SqliteSheets implements SheetOperations {
  constructor(private readonly database: RelayDatabase) {}

  add(sheet: SheetHead, items: readonly NewItem[], now: number): number {
    const { id, team, createdAt } = sheet;
    this.database.run(sql`
      INSERT OR IGNORE INTO sheet VALUES (${id}, ${team}, ${Date.parse(createdAt)}, 0, ${JSON.stringify(sheet)})`);
    if (!this.isThere(id)) return 0;
    const { last } = this.database.get<{ last: number }>(
      sql`SELECT ifnull(max(n), 0) AS last FROM sheet_item WHERE sheet = ${id}`,
    )!;
    let added = 0;
    for (const item of items)
      added += this.database.run(sql`
        INSERT OR IGNORE INTO sheet_item VALUES (
          ${id}, ${last + added + 1}, ${item.key}, 'open', ${now}, 0, '', 0, '', '', ${JSON.stringify(item)}
        )`);
    return added;
  }

  list(team?: string): StoredSheet[] {
    return this.sheets(team === undefined ? sql`true` : sql`team = ${team}`);
  }

  find(id: string): StoredSheet | undefined {
    return this.sheets(sql`id = ${id}`)[0];
  }

  private sheets(condition: Sql): StoredSheet[] {
    const counts = sql`SELECT json_group_object(state, count) FROM sheet_count WHERE sheet = sheet.id`;
    return this.database
      .all<SheetRow>(sql`
        SELECT data, (${counts}) AS counts FROM sheet
        WHERE removed = 0 AND ${condition} ORDER BY created_at DESC, id`)
      .map(toSheet);
  }

  items(sheet: string, after: number, limit: number): StoredItem[] {
    return this.database
      .all<ItemRow>(
        sql`SELECT ${columns} FROM sheet_item WHERE sheet = ${sheet} AND n > ${after} ORDER BY n LIMIT ${limit}`,
      )
      .map(toItem);
  }

  claim({ sheet, caller, now, until }: ItemClaim): ClaimedItem {
    if (!this.isThere(sheet)) return {};
    // The index is named, since SQLite would otherwise search all items in the order of their turns.
    const own = sql`FROM sheet_item INDEXED BY sheet_item_held WHERE sheet = ${sheet} AND state = 'open'
      AND caller = ${caller} AND leased_until > 0 AND leased_until > ${now}`;
    const open = sql`FROM sheet_item WHERE sheet = ${sheet} AND state = 'open'`;
    const isFirstDue = sql`due <= ${now} ORDER BY due, n LIMIT 1`;
    const row =
      this.database.get<ItemRow>(sql`SELECT ${columns} ${own} AND ${isFirstDue}`) ??
      this.database.get<ItemRow>(sql`SELECT ${columns} ${open} AND leased_until <= ${now} AND ${isFirstDue}`);
    if (!row) {
      // The expression is that of the index of the open items.
      const { at } = this.database.get<{ at: number | null }>(sql`
        SELECT min(at) AS at FROM (
          SELECT min(due) AS at ${own} UNION ALL SELECT min(max(due, leased_until)) AS at ${open}
        )`)!;
      return at === null ? {} : { next: at };
    }
    const leasedUntil = Math.max(row.leasedUntil, until);
    this.database.run(sql`
      UPDATE sheet_item SET caller = ${caller}, leased_until = ${leasedUntil}, call_id = ''
      WHERE sheet = ${sheet} AND n = ${row.id}`);
    return { item: toItem({ ...row, caller, leasedUntil }) };
  }

  release(
    { sheet, id }: ItemKey,
    caller: string,
    state: 'open' | 'doNotCall',
    due: number,
    keepsLeaseAfter?: number,
  ): boolean {
    const keepsAfter = state === 'open' ? (keepsLeaseAfter ?? null) : null;
    // If the limit is NULL, the comparison fails, and the lease ends.
    const leased = sql`CASE WHEN leased_until > ${keepsAfter} THEN leased_until ELSE 0 END`;
    const release = sql`UPDATE sheet_item SET state = ${state}, due = ${due}, leased_until = ${leased}
      WHERE sheet = ${sheet} AND n = ${id} AND caller = ${caller} AND state = 'open' AND leased_until > 0`;
    return this.database.run(release) > 0;
  }

  reopen(sheet: string, state: 'called' | 'duplicate', caller: string | undefined, now: number): number {
    if (!this.isThere(sheet)) return 0;
    return this.database.run(sql`
      UPDATE sheet_item SET state = 'open', due = ${now}, leased_until = 0
      WHERE sheet = ${sheet} AND state = ${state} AND caller = ifnull(${caller ?? null}, caller)`);
  }

  remove(id: string): boolean {
    return this.database.run(sql`UPDATE sheet SET removed = 1 WHERE id = ${id} AND removed = 0`) > 0;
  }

  /** Whether the caller has a claim on the item of the call, and the call is to its number. */
  isHeld({ call, callee }: Intent): boolean {
    if (!call.item) return true;
    const { sheet, id } = call.item;
    const row = this.database.get<{ key: string }>(sql`
      SELECT key FROM sheet_item
      WHERE sheet = ${sheet} AND n = ${id} AND state = 'open' AND caller = ${call.from} AND leased_until > 0`);
    return row !== undefined && callee?.numbers.includes(row.key) === true && this.isThere(sheet);
  }

  /**
   * Called in the transaction that journals the call. A person who is also on another sheet of the team is not called
   * from that sheet.
   */
  markCalled({ call }: Intent): void {
    if (!call.item) return;
    const { sheet, id } = call.item;
    const { key } = this.database.get<{ key: string }>(sql`
      UPDATE sheet_item
      SET state = 'called', attempts = attempts + 1, call_id = ${call.id}, leased_until = 0, outcome = ''
      WHERE sheet = ${sheet} AND n = ${id} RETURNING key`)!;
    this.database.run(sql`
      UPDATE sheet_item SET state = 'duplicate' WHERE key = ${key} AND state = 'open' AND sheet IN
        (SELECT id FROM sheet WHERE team = (SELECT team FROM sheet WHERE id = ${sheet}) AND id <> ${sheet})`);
  }

  move({ item, callId, state, due, caller, leasedUntil, outcome }: ItemMove): void {
    this.database.run(sql`
      UPDATE sheet_item SET state = ${state}, due = ${due}, caller = ${caller}, leased_until = ${leasedUntil},
        outcome = ${outcome}
      WHERE sheet = ${item.sheet} AND n = ${item.id} AND call_id = ${callId}`);
  }

  /** Deletes items of sheets that were removed, or are older than the history. @returns how many. */
  prune(createdBefore: number, limit: number): number {
    this.database.run(sql`UPDATE sheet SET removed = 1 WHERE removed = 0 AND created_at < ${createdBefore}`);
    const gone = this.database.all<GoneItem>(sql`
      SELECT sheet, n, key, due, sheet_item.state, team FROM sheet_item JOIN sheet ON sheet.id = sheet
      WHERE removed = 1 LIMIT ${limit}`);
    for (const item of gone) {
      if (item.state === 'open') this.openDuplicates(item);
      this.database.run(sql`DELETE FROM sheet_item WHERE sheet = ${item.sheet} AND n = ${item.n}`);
    }
    if (gone.length > 0) return gone.length;
    this.database.run(sql`DELETE FROM sheet_count WHERE sheet IN (SELECT id FROM sheet WHERE removed = 1)`);
    this.database.run(sql`DELETE FROM sheet WHERE removed = 1`);
    return 0;
  }

  /**
   * Opens a person's duplicates on the team's other sheets, because the sheet with the open item is gone. It does not
   * if one of these sheets has the person in another state.
   */
  private openDuplicates({ key, due, team }: GoneItem): void {
    const others = sql`key = ${key} AND sheet IN (SELECT id FROM sheet WHERE team = ${team} AND removed = 0)`;
    if (this.database.get(sql`SELECT 1 FROM sheet_item WHERE ${others} AND state <> 'duplicate'`)) return;
    this.database.run(
      sql`UPDATE sheet_item SET state = 'open', due = ${due}, leased_until = 0 WHERE ${others}`,
    );
  }

  private isThere(sheet: string): boolean {
    return this.database.get(sql`SELECT 1 FROM sheet WHERE id = ${sheet} AND removed = 0`) !== undefined;
  }
}
