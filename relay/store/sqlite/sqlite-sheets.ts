import { type ItemKey, type ItemState, itemStates } from '../../../shared/protocol/sheets.ts';
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

const columns = 'n AS id, state, due, leased_until AS leasedUntil, caller, attempts, outcome, data';
/** The same expression as in the index of the open items. */
const freeAt = 'max(due, leased_until)';

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
    this.database.run(
      'INSERT OR IGNORE INTO sheet VALUES (?, ?, ?, 0, ?)',
      sheet.id,
      sheet.team,
      Date.parse(sheet.createdAt),
      JSON.stringify(sheet),
    );
    let { last } = this.database.get<{ last: number }>(
      'SELECT ifnull(max(n), 0) AS last FROM sheet_item WHERE sheet = ?',
      sheet.id,
    )!;
    let added = 0;
    for (const item of items)
      if (
        this.database.run(
          "INSERT OR IGNORE INTO sheet_item VALUES (?, ?, ?, 'open', ?, 0, '', 0, '', '', ?)",
          sheet.id,
          last + 1,
          item.key,
          now,
          JSON.stringify(item),
        ) > 0
      ) {
        last++;
        added++;
      }
    return added;
  }

  list(team?: string): StoredSheet[] {
    return this.sheets('? IS NULL OR team = ?', team ?? null, team ?? null);
  }

  find(id: string): StoredSheet | undefined {
    return this.sheets('id = ?', id)[0];
  }

  private sheets(condition: string, ...values: (string | null)[]): StoredSheet[] {
    const counts = 'SELECT json_group_object(state, count) FROM sheet_count WHERE sheet = sheet.id';
    return this.database
      .all<SheetRow>(
        `SELECT data, (${counts}) AS counts FROM sheet
          WHERE removed = 0 AND (${condition}) ORDER BY created_at DESC, id`,
        ...values,
      )
      .map(toSheet);
  }

  items(sheet: string, after: number, limit: number): StoredItem[] {
    return this.database
      .all<ItemRow>(
        `SELECT ${columns} FROM sheet_item WHERE sheet = ? AND n > ? ORDER BY n LIMIT ?`,
        sheet,
        after,
        limit,
      )
      .map(toItem);
  }

  claim({ sheet, caller, now, until }: ItemClaim): ClaimedItem {
    if (!this.isThere(sheet)) return {};
    // The index is named, since SQLite would otherwise search all items in the order of their turns.
    const own = `FROM sheet_item INDEXED BY sheet_item_held
      WHERE sheet = ? AND state = 'open' AND caller = ? AND leased_until > 0 AND leased_until > ?`;
    const open = `FROM sheet_item WHERE sheet = ? AND state = 'open'`;
    const row =
      this.database.get<ItemRow>(
        `SELECT ${columns} ${own} AND due <= ? ORDER BY due, n LIMIT 1`,
        sheet,
        caller,
        now,
        now,
      ) ??
      this.database.get<ItemRow>(
        `SELECT ${columns} ${open} AND due <= ? AND leased_until <= ? ORDER BY due, n LIMIT 1`,
        sheet,
        now,
        now,
      );
    if (!row) {
      const mine = `SELECT min(due) AS at ${own}`;
      const anyones = `SELECT min(${freeAt}) AS at ${open}`;
      const { at } = this.database.get<{ at: number | null }>(
        `SELECT min(at) AS at FROM (${mine} UNION ALL ${anyones})`,
        sheet,
        caller,
        now,
        sheet,
      )!;
      return at === null ? {} : { next: at };
    }
    const leasedUntil = Math.max(row.leasedUntil, until);
    this.database.run(
      "UPDATE sheet_item SET caller = ?, leased_until = ?, call_id = '' WHERE sheet = ? AND n = ?",
      caller,
      leasedUntil,
      sheet,
      row.id,
    );
    return { item: toItem({ ...row, caller, leasedUntil }) };
  }

  release(
    { sheet, id }: ItemKey,
    caller: string,
    state: 'open' | 'doNotCall',
    due: number,
    keepsLeaseAfter?: number,
  ): boolean {
    // If the limit is NULL, the comparison fails, and the lease ends.
    const leased = `CASE WHEN leased_until > ? THEN leased_until ELSE 0 END`;
    const release = `UPDATE sheet_item SET state = ?, due = ?, leased_until = ${leased}
      WHERE sheet = ? AND n = ? AND caller = ? AND state = 'open' AND leased_until > 0`;
    const keepsAfter = state === 'open' ? (keepsLeaseAfter ?? null) : null;
    return this.database.run(release, state, due, keepsAfter, sheet, id, caller) > 0;
  }

  reopen(sheet: string, state: 'called' | 'duplicate', caller: string | undefined, now: number): number {
    if (!this.isThere(sheet)) return 0;
    const reopen = `UPDATE sheet_item SET state = 'open', due = ?, leased_until = 0
      WHERE sheet = ? AND state = ? AND caller = ifnull(?, caller)`;
    return this.database.run(reopen, now, sheet, state, caller ?? null);
  }

  remove(id: string): boolean {
    return this.database.run('UPDATE sheet SET removed = 1 WHERE id = ? AND removed = 0', id) > 0;
  }

  /** Whether the caller has a claim on the item of the call, and the call is to its number. */
  isHeld({ call, callee }: Intent): boolean {
    if (!call.item) return true;
    const { sheet, id } = call.item;
    const row = this.database.get<{ key: string }>(
      `SELECT key FROM sheet_item WHERE sheet = ? AND n = ? AND state = 'open' AND caller = ? AND leased_until > 0`,
      sheet,
      id,
      call.from,
    );
    return row !== undefined && callee?.numbers.includes(row.key) === true && this.isThere(sheet);
  }

  /**
   * Called in the transaction that journals the call. A person who is also on another sheet of the team is not called
   * from that sheet.
   */
  markCalled({ call }: Intent): void {
    if (!call.item) return;
    const { sheet, id } = call.item;
    const { key } = this.database.get<{ key: string }>(
      `UPDATE sheet_item SET state = 'called', attempts = attempts + 1, call_id = ?, leased_until = 0, outcome = ''
       WHERE sheet = ? AND n = ? RETURNING key`,
      call.id,
      sheet,
      id,
    )!;
    this.database.run(
      `UPDATE sheet_item SET state = 'duplicate' WHERE key = ? AND state = 'open' AND sheet IN
       (SELECT id FROM sheet WHERE team = (SELECT team FROM sheet WHERE id = ?) AND id <> ?)`,
      key,
      sheet,
      sheet,
    );
  }

  move({ item, callId, state, due, caller, leasedUntil, outcome }: ItemMove): void {
    this.database.run(
      `UPDATE sheet_item SET state = ?, due = ?, caller = ?, leased_until = ?, outcome = ?
       WHERE sheet = ? AND n = ? AND call_id = ?`,
      state,
      due,
      caller,
      leasedUntil,
      outcome,
      item.sheet,
      item.id,
      callId,
    );
  }

  /** Deletes items of sheets that were removed, or are older than the history. @returns how many. */
  prune(createdBefore: number, limit: number): number {
    this.database.run('UPDATE sheet SET removed = 1 WHERE removed = 0 AND created_at < ?', createdBefore);
    const gone = this.database.all<GoneItem>(
      `SELECT sheet, n, key, due, sheet_item.state, team FROM sheet_item JOIN sheet ON sheet.id = sheet
       WHERE removed = 1 LIMIT ?`,
      limit,
    );
    for (const item of gone) {
      if (item.state === 'open') this.openDuplicates(item);
      this.database.run('DELETE FROM sheet_item WHERE sheet = ? AND n = ?', item.sheet, item.n);
    }
    if (gone.length > 0) return gone.length;
    this.database.run('DELETE FROM sheet_count WHERE sheet IN (SELECT id FROM sheet WHERE removed = 1)');
    this.database.run('DELETE FROM sheet WHERE removed = 1');
    return 0;
  }

  /**
   * Opens a person's duplicates on the team's other sheets, because the sheet with the open item is gone. It does not
   * if one of these sheets has the person in another state.
   */
  private openDuplicates({ key, due, team }: GoneItem): void {
    const others = 'key = ? AND sheet IN (SELECT id FROM sheet WHERE team = ? AND removed = 0)';
    const called = `SELECT 1 FROM sheet_item WHERE ${others} AND state <> 'duplicate'`;
    if (this.database.get(called, key, team)) return;
    const open = `UPDATE sheet_item SET state = 'open', due = ?, leased_until = 0 WHERE ${others}`;
    this.database.run(open, due, key, team);
  }

  private isThere(sheet: string): boolean {
    return this.database.get('SELECT 1 FROM sheet WHERE id = ? AND removed = 0', sheet) !== undefined;
  }
}
