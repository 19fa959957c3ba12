import type { ItemKey } from '../../../shared/protocol/sheets.ts';
import { itemStates } from '../../../shared/protocol/sheets.ts';
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
import type { Asynchronous } from '../store.ts';
import { type HashField, pairs, type RedisReply, toText } from './connection.ts';
import type { RedisSession } from './redis-session.ts';
import { root } from './script-parts.ts';
import {
  addItemsScript,
  claimItemScript,
  deleteItemScript,
  pruneSheetsScript,
  releaseItemScript,
  removeSheetScript,
  reopenItemsScript,
} from './sheet-scripts.ts';

/** How many items are handled in one step. A call must not wait behind the items of a large sheet. */
const itemsPerStep = 500;

/** Claims of several relays are compared by the clock of Redis. */
export class RedisSheets implements Asynchronous<SheetOperations> {
  constructor(private readonly session: RedisSession) {}

  async add(sheet: SheetHead, items: readonly NewItem[], now: number): Promise<number> {
    const [, added] = await this.session.write(
      addItemsScript,
      sheet.id,
      JSON.stringify(sheet),
      now + this.session.clockOffsetMs,
      ...items.flatMap((item) => [item.key, JSON.stringify(item)]),
    );
    return Number(added);
  }

  async list(team?: string): Promise<StoredSheet[]> {
    const all = pairs(await this.session.reader.send('HGETALL', `${root}sheets`));
    const heads = all.map(([, data]) => JSON.parse(data) as SheetHead);
    const wanted = heads.filter((sheet) => team === undefined || sheet.team === team);
    const newestFirst = ({ createdAt, id }: SheetHead) => `${createdAt} ${id}`;
    wanted.sort((a, b) => (newestFirst(a) > newestFirst(b) ? -1 : 1));
    return Promise.all(wanted.map((sheet) => this.withCounts(sheet)));
  }

  async find(id: string): Promise<StoredSheet | undefined> {
    const data = await this.session.reader.send('HGET', `${root}sheets`, id);
    return data === null ? undefined : this.withCounts(JSON.parse(toText(data)) as SheetHead);
  }

  private async withCounts(sheet: SheetHead): Promise<StoredSheet> {
    const key = `${root}sheet-counts:${sheet.id}`;
    const counts = (await this.session.reader.send('HMGET', key, ...itemStates)) as HashField[];
    const counted = itemStates.map((state, index) => [state, Number(counts[index] ?? 0)]);
    return { ...sheet, counts: Object.fromEntries(counted) as StoredSheet['counts'] };
  }

  async items(sheet: string, after: number, limit: number): Promise<StoredItem[]> {
    const last = Number(
      (await this.session.reader.send('HGET', `${root}sheet-counts:${sheet}`, 'last')) ?? 0,
    );
    const items: StoredItem[] = [];
    // An item whose number was forgotten leaves a gap.
    for (let next = after + 1; next <= last && items.length < limit; next += limit) {
      const ids = Array.from({ length: Math.min(limit, last - next + 1) }, (_, index) => next + index);
      const found = await Promise.all(ids.map((id) => this.item(sheet, id)));
      items.push(...found.flatMap((item) => item ?? []));
    }
    return items.slice(0, limit);
  }

  private async item(sheet: string, id: number): Promise<StoredItem | undefined> {
    const names = ['data', 'state', 'due', 'leased', 'caller', 'attempts', 'outcome'];
    const key = `${root}sheet-item:${sheet}:${id}`;
    const [data, state, due, leased, caller, attempts, outcome] = (
      (await this.session.reader.send('HMGET', key, ...names)) as HashField[]
    ).map(toText) as [string, ...string[]];
    if (data === '') return undefined;
    const { clockOffsetMs } = this.session;
    return {
      ...(JSON.parse(data) as NewItem),
      id,
      state: state as StoredItem['state'],
      due: Number(due) - clockOffsetMs,
      caller: caller!,
      leasedUntil: leased === '0' ? 0 : Number(leased) - clockOffsetMs,
      attempts: Number(attempts),
      outcome: outcome!,
    };
  }

  async claim({ sheet, caller, now, until }: ItemClaim): Promise<ClaimedItem> {
    const { clockOffsetMs } = this.session;
    const [, id, next] = await this.session.write(
      claimItemScript,
      sheet,
      caller,
      now + clockOffsetMs,
      until + clockOffsetMs,
    );
    if (toText(id) === '') return toText(next) === '' ? {} : { next: Number(next) - clockOffsetMs };
    const item = await this.item(sheet, Number(id));
    return item ? { item } : {};
  }

  async release(
    { sheet, id }: ItemKey,
    caller: string,
    state: 'open' | 'doNotCall',
    due: number,
    keepsLeaseAfter?: number,
  ): Promise<boolean> {
    const { clockOffsetMs } = this.session;
    const isKept = state === 'open' && keepsLeaseAfter !== undefined;
    const input = [caller, state, due + clockOffsetMs, isKept ? keepsLeaseAfter + clockOffsetMs : ''];
    return (await this.session.write(releaseItemScript, sheet, id, ...input))[1] === 1;
  }

  async reopen(
    sheet: string,
    state: 'called' | 'duplicate',
    caller: string | undefined,
    now: number,
  ): Promise<number> {
    const counts = `${root}sheet-counts:${sheet}`;
    const last = Number((await this.session.reader.send('HGET', counts, 'last')) ?? 0);
    const due = now + this.session.clockOffsetMs;
    let reopened = 0;
    for (let first = 1; first <= last; first += itemsPerStep) {
      const range = [first, Math.min(last, first + itemsPerStep - 1)];
      const input = [sheet, state, caller ?? '', due, ...range];
      reopened += Number((await this.session.write(reopenItemsScript, ...input))[1]);
    }
    return reopened;
  }

  async remove(id: string): Promise<boolean> {
    return (await this.session.write(removeSheetScript, id))[1] === 1;
  }

  /** Deletes items of sheets that were removed, or are older than the history. @returns how many. */
  async prune(createdBefore: number, limit: number): Promise<number> {
    for (const { id, createdAt } of await this.list())
      if (Date.parse(createdAt) < createdBefore) await this.remove(id);
    return Number((await this.session.write(pruneSheetsScript, limit))[1]);
  }

  async deleteNumber(isNumber: (key: string) => boolean): Promise<void> {
    for (const { id } of await this.list())
      for (let cursor = ''; cursor !== '0'; ) {
        const input = [`${root}sheet-keys:${id}`, cursor || 0, 'COUNT', itemsPerStep];
        const [next, fields] = (await this.session.reader.send('HSCAN', ...input)) as [string, RedisReply];
        for (const [key] of pairs(fields))
          if (isNumber(key)) await this.session.write(deleteItemScript, id, key);
        cursor = next;
      }
  }
}

/** The times of a move by the clock of Redis, which the scripts use. */
export const shiftedMove = ({ due, leasedUntil, ...move }: ItemMove, ms: number): ItemMove => ({
  ...move,
  due: due === 0 ? 0 : due + ms,
  leasedUntil: leasedUntil === 0 ? 0 : leasedUntil + ms,
});
