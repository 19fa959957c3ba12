/** What every store promises of call sheets (`relay/sheets/sheet.ts`), on each engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fact, newCallId } from '../../shared/call/call.ts';
import { dayMs, hourMs, secondMs } from '../../shared/durations.ts';
import { maxClaimSeconds } from '../../shared/protocol/sheets.ts';
import { readCallee } from '../../shared/rules/callee.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { storeEngines } from '../../testing/relay/store-engines.ts';
import { type OutcomeEffect, unansweredAgainMs } from '../sheets/item-move.ts';
import type { SheetHead, StoredItem } from '../sheets/sheet.ts';
import { forgetCalls } from './forget-number.ts';
import type { Intent, Store } from './store.ts';

const { engines, stop } = await storeEngines();
afterAll(stop);

const at = '2026-11-21T10:00:00.000Z';
const leaseMs = 300_000;
const brazil = { country: 'BR', extensions: [], outsidePrefixes: [] } as const;
const hungUp: Fact = { kind: 'hungUp', at, details: { talkSeconds: 5 } };
const refused: Fact = { kind: 'refused', at, error: { code: 'badRequest', message: '' } };

describe.each(engines)('call sheets in the store on %s', (_name, open) => {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  let numbers = 0;
  const newNumber = () => `48${String(33_000_000 + numbers++)}`;
  const itemOf = (to: string) => ({ key: `+55${to}`, number: `+55${to}`, name: `Person ${to}` });
  async function makeSheet(all: readonly string[], team = 'sales'): Promise<SheetHead> {
    const sheet = {
      id: newCallId(),
      name: 'Leads',
      team,
      by: 'operator',
      createdAt: new Date().toISOString(),
    };
    await store.sheets.add(sheet, all.map(itemOf), Date.now());
    return sheet;
  }
  const claim = async (sheet: { id: string }, caller: string, now = Date.now() + 1) =>
    store.sheets.claim({ sheet: sheet.id, caller, now, until: now + leaseMs });
  const callItem = (sheet: { id: string }, caller: string, item: StoredItem, more: Partial<Intent> = {}) => {
    const to = item.number.slice(3);
    const intent = clientIntent(caller, { to, callee: readCallee(to, brazil), ...more });
    intent.call.item = { sheet: sheet.id, id: item.id };
    return { intent, placed: store.calls.place(intent) };
  };
  const wrapUp = (
    callId: string,
    request: object,
    effect: OutcomeEffect = {},
    { revision = 0, now = Date.now() } = {},
  ) => store.calls.amend({ callId, amendment: { kind: 'wrapUp', request, revision, effect }, now });
  const only = async (sheet: { id: string }) => (await store.sheets.items(sheet.id, 0, 10))[0]!;
  const countsOf = async (sheet: { id: string }) => (await store.sheets.find(sheet.id))!.counts;
  const prune = async () => {
    const step = { callsBefore: 0, eventsBefore: 0, now: Date.now(), limit: 2 };
    while ((await store.maintenance.prune(step)) > 0);
  };
  async function calledItem(caller = 'a') {
    const sheet = await makeSheet([newNumber()]);
    const { item } = await claim(sheet, caller);
    const { intent, placed } = callItem(sheet, caller, item!);
    expect(await placed).toEqual({ kind: 'placed' });
    return { sheet, item: item!, callId: intent.call.id };
  }

  it('keeps items in their order, each number once', async () => {
    const [first, second] = [newNumber(), newNumber()];
    const sheet = await makeSheet([first, second]);
    expect(await store.sheets.add(sheet, [itemOf(first), itemOf(newNumber())], Date.now())).toBe(1);
    const items = await store.sheets.items(sheet.id, 0, 2);
    expect(items.map(({ id, number, state }) => [id, number, state])).toEqual([
      [1, `+55${first}`, 'open'],
      [2, `+55${second}`, 'open'],
    ]);
    expect((await store.sheets.items(sheet.id, 2, 10)).map(({ id }) => id)).toEqual([3]);
    expect(await countsOf(sheet)).toMatchObject({ open: 3, called: 0 });
  });

  it('lists the sheets of a team alone', async () => {
    const [own, other] = [await makeSheet([newNumber()], 'own'), await makeSheet([newNumber()], 'other')];
    expect((await store.sheets.list('own')).map(({ id }) => id)).toEqual([own.id]);
    const all = (await store.sheets.list()).map(({ id }) => id);
    expect(all).toEqual(expect.arrayContaining([own.id, other.id]));
  });

  it('gives the items of one import in the order of the sheet', async () => {
    const sheet = await makeSheet(Array.from({ length: 12 }, newNumber));
    const given: number[] = [];
    for (let n = 1; n <= 12; n++) given.push((await claim(sheet, `in-order-${n}`)).item!.id);
    expect(given).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('gives each item to one of many callers at the same moment', async () => {
    const sheet = await makeSheet(Array.from({ length: 20 }, newNumber));
    const callers = Array.from({ length: 25 }, (_, n) => `many-${n}`);
    const claimed = await Promise.all(callers.map((caller) => claim(sheet, caller)));
    const ids = claimed.flatMap(({ item }) => item?.id ?? []);
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  it('gives a caller its own item again, but others nothing until its lease ends', async () => {
    const sheet = await makeSheet([newNumber()]);
    const now = Date.now() + 1;
    expect((await claim(sheet, 'a', now)).item?.caller).toBe('a');
    expect((await claim(sheet, 'a', now + 1000)).item?.id).toBe(1);
    const { item, next } = await claim(sheet, 'b', now + leaseMs);
    expect([item, next]).toEqual([undefined, now + 1000 + leaseMs]);
    expect((await claim(sheet, 'b', now + 1000 + leaseMs)).item?.caller).toBe('b');
    expect((await claim(sheet, 'a', now + 2000 + leaseMs)).item).toBeUndefined();
  });

  it('gives an item whose lease has ended before others that come after it', async () => {
    const sheet = await makeSheet([newNumber(), newNumber(), newNumber()]);
    const now = Date.now() + 1;
    expect((await claim(sheet, 'away', now)).item?.id).toBe(1);
    expect((await claim(sheet, 'b', now)).item?.id).toBe(2);
    expect((await claim(sheet, 'c', now + leaseMs)).item?.id).toBe(1);
  });

  it('puts an item that was given back behind the others', async () => {
    const sheet = await makeSheet([newNumber(), newNumber()]);
    expect((await claim(sheet, 'a')).item?.id).toBe(1);
    const key = { sheet: sheet.id, id: 1 };
    expect(await store.sheets.release(key, 'b', 'open', Date.now())).toBe(false);
    expect(await store.sheets.release(key, 'a', 'open', Date.now() + 1)).toBe(true);
    expect(await store.sheets.release(key, 'a', 'open', Date.now())).toBe(false);
    expect((await claim(sheet, 'a')).item?.id).toBe(2);
    expect(await store.sheets.release({ sheet: sheet.id, id: 2 }, 'a', 'doNotCall', 0)).toBe(true);
    expect(await countsOf(sheet)).toMatchObject({ open: 1, doNotCall: 1 });
  });

  it('places a call of an item for its caller alone, to its number, once', async () => {
    const sheet = await makeSheet([newNumber()]);
    const { item } = await claim(sheet, 'a');
    expect(await callItem(sheet, 'b', item!).placed).toEqual({ kind: 'itemTaken' });
    const other = { ...item!, number: `+55${newNumber()}` };
    expect(await callItem(sheet, 'a', other).placed).toEqual({ kind: 'itemTaken' });
    expect(await callItem(sheet, 'a', item!).placed).toEqual({ kind: 'placed' });
    expect(await callItem(sheet, 'a', item!).placed).toEqual({ kind: 'itemTaken' });
    expect(await only(sheet)).toMatchObject({ state: 'called', attempts: 1, caller: 'a', leasedUntil: 0 });
    expect(await countsOf(sheet)).toMatchObject({ open: 0, called: 1 });
    expect(await claim(sheet, 'b', Date.now() + dayMs)).toEqual({});
  });

  it('places one call of an item by relays whose clocks are ten minutes apart', async () => {
    const [sheet, other] = [await makeSheet([newNumber()]), await makeSheet([newNumber()])];
    const ahead = Date.now() + 600_000;
    const { item } = await claim(sheet, 'a');
    expect((await claim(sheet, 'b', ahead)).item?.caller).toBe('b');
    expect(await callItem(sheet, 'a', item!).placed).toEqual({ kind: 'itemTaken' });
    expect(await callItem(sheet, 'b', item!).placed).toEqual({ kind: 'placed' });
    expect((await claim(other, 'a', ahead)).item?.caller).toBe('a');
    expect((await claim(other, 'b')).item).toBeUndefined();
  });

  it('leaves an item with its caller where the call is refused', async () => {
    const sheet = await makeSheet([newNumber()]);
    const { item } = await claim(sheet, 'a');
    const tallies = [{ bucket: 'full', max: 0, expires: Date.now() + hourMs }];
    // A counter starts with its first call.
    await store.calls.place(clientIntent('x', { tallies: [{ ...tallies[0]!, max: 1 }] }));
    expect(await callItem(sheet, 'a', item!, { tallies }).placed).toMatchObject({ kind: 'limited' });
    expect(await only(sheet)).toMatchObject({ state: 'open', attempts: 0, caller: 'a' });
  });

  it('has an item that did not ring due again, but keeps one that may have', async () => {
    const { sheet, callId } = await calledItem();
    await store.calls.apply({ callId, fact: refused, now: Date.now() });
    expect(await only(sheet)).toMatchObject({ state: 'open', attempts: 1 });
    expect((await claim(sheet, 'b')).item?.id).toBe(1);
    const rung = await calledItem();
    await store.calls.apply({ callId: rung.callId, fact: hungUp, now: Date.now() });
    expect((await only(rung.sheet)).state).toBe('called');
  });

  it('has an item without an answer due again later, unless its agent says more', async () => {
    const now = Date.now();
    const unanswered: Fact = { kind: 'hungUp', at, details: { talkSeconds: 0 } };
    const { sheet, callId } = await calledItem();
    await store.calls.apply({ callId, fact: unanswered, now });
    expect(await only(sheet)).toMatchObject({ state: 'open', attempts: 1, leasedUntil: 0 });
    const due = now + unansweredAgainMs;
    expect(await claim(sheet, 'b', due - 1)).toEqual({ next: due });
    await wrapUp(callId, { outcome: 'wrongNumber' });
    expect(await only(sheet)).toMatchObject({ state: 'done', outcome: 'wrongNumber' });
    const agreed = await calledItem();
    await wrapUp(agreed.callId, { callBackAt: new Date(now + hourMs).toISOString() });
    await store.calls.apply({ callId: agreed.callId, fact: unanswered, now });
    expect(await claim(agreed.sheet, 'a')).toEqual({ next: now + hourMs });
  });

  it('opens called items again by command, all or of one caller', async () => {
    const all = [newNumber(), newNumber(), newNumber()];
    const sheet = await makeSheet(all, 'reopened');
    for (const caller of ['a', 'b']) {
      const { intent, placed } = callItem(sheet, caller, (await claim(sheet, caller)).item!);
      expect((await placed).kind).toBe('placed');
      await store.calls.apply({ callId: intent.call.id, fact: hungUp, now: Date.now() });
    }
    expect(await store.sheets.reopen(sheet.id, 'called', 'a', Date.now())).toBe(1);
    expect(await countsOf(sheet)).toMatchObject({ open: 2, called: 1 });
    expect(await store.sheets.reopen(sheet.id, 'called', undefined, Date.now())).toBe(1);
    expect(await store.sheets.reopen(sheet.id, 'called', undefined, Date.now())).toBe(0);
    const second = await makeSheet(all.slice(2), 'reopened');
    await callItem(sheet, 'c', (await claim(sheet, 'c')).item!).placed;
    expect(await countsOf(second)).toMatchObject({ duplicate: 1 });
    expect(await store.sheets.reopen(second.id, 'duplicate', undefined, Date.now())).toBe(1);
    expect((await claim(second, 'd', Date.now() + 1)).item?.attempts).toBe(0);
    await store.sheets.remove(second.id);
    expect(await store.sheets.reopen(second.id, 'duplicate', undefined, Date.now())).toBe(0);
  });

  it('moves an item by the outcome of its call', async () => {
    const done = await calledItem();
    await wrapUp(done.callId, { outcome: 'reached' });
    expect(await only(done.sheet)).toMatchObject({ state: 'done', outcome: 'reached', caller: 'a' });
    const listed = await calledItem();
    await wrapUp(listed.callId, { outcome: 'doNotCall' }, { doNotCall: true });
    expect(await only(listed.sheet)).toMatchObject({ state: 'doNotCall' });
    const again = await calledItem();
    const now = Date.now();
    await wrapUp(again.callId, { outcome: 'busy' }, { againHours: 2 }, { now });
    expect(await only(again.sheet)).toMatchObject({ state: 'open', outcome: 'busy', leasedUntil: 0 });
    expect(await claim(again.sheet, 'b', now + 2 * hourMs - 1)).toEqual({ next: now + 2 * hourMs });
    expect((await claim(again.sheet, 'b', now + 2 * hourMs)).item?.id).toBe(1);
  });

  it('keeps a callback for who agreed on it, then gives it to anybody', async () => {
    const { sheet, callId } = await calledItem();
    const due = Date.now() + hourMs;
    const callBackAt = new Date(due).toISOString();
    await wrapUp(callId, { outcome: 'callAgain', callBackAt });
    expect(await claim(sheet, 'a')).toEqual({ next: due });
    expect(await claim(sheet, 'b', due)).toEqual({ next: due + dayMs });
    expect((await claim(sheet, 'b', due + dayMs)).item?.id).toBe(1);
    const own = await calledItem();
    await wrapUp(own.callId, { outcome: 'callAgain', callBackAt });
    expect((await claim(own.sheet, 'a', due)).item?.id).toBe(1);
    const reached = await calledItem();
    await wrapUp(reached.callId, { outcome: 'callAgain', callBackAt });
    await store.calls.amend({
      callId: reached.callId,
      amendment: { kind: 'closeCallback' },
      now: Date.now(),
    });
    expect((await only(reached.sheet)).state).toBe('done');
  });

  it('keeps a callback for who agreed on it when it is put off after a claim', async () => {
    const { sheet, callId } = await calledItem();
    const due = Date.now();
    await wrapUp(callId, { outcome: 'callAgain', callBackAt: new Date(due).toISOString() });
    expect((await claim(sheet, 'a', due + 1)).item?.leasedUntil).toBe(due + dayMs);
    const item = { sheet: sheet.id, id: 1 };
    const longestClaim = due + maxClaimSeconds * secondMs;
    expect(await store.sheets.release(item, 'a', 'open', due + hourMs, longestClaim)).toBe(true);
    expect(await claim(sheet, 'b', due + hourMs)).toEqual({ next: due + dayMs });
    expect((await claim(sheet, 'a', due + hourMs)).item?.id).toBe(1);
    expect(await store.sheets.release(item, 'a', 'open', due)).toBe(true);
    expect((await claim(sheet, 'b', due + hourMs)).item?.leasedUntil).toBe(due + hourMs + leaseMs);
    expect(await store.sheets.release(item, 'b', 'open', due, due + 2 * hourMs)).toBe(true);
    expect((await only(sheet)).leasedUntil).toBe(0);
  });

  it('moves nothing by a note, nor by the call before the newest claim', async () => {
    const { sheet, callId } = await calledItem();
    const now = Date.now();
    await wrapUp(callId, { outcome: 'busy' }, { againHours: 2 }, { now });
    await wrapUp(callId, { note: 'later' }, { againHours: 2 }, { revision: 1, now: now + hourMs });
    expect((await only(sheet)).due).toBe(now + 2 * hourMs);
    expect((await claim(sheet, 'b', now + 2 * hourMs)).item?.id).toBe(1);
    await wrapUp(callId, { outcome: 'reached' }, {}, { revision: 2 });
    expect(await only(sheet)).toMatchObject({ state: 'open', caller: 'b' });
  });

  it('calls a person on two sheets of a team from one of them', async () => {
    const to = newNumber();
    const [first, second] = [await makeSheet([to], 'twice'), await makeSheet([to], 'twice')];
    const elsewhere = await makeSheet([to], 'thrice');
    const [one, two] = [(await claim(first, 'a')).item!, (await claim(second, 'b')).item!];
    expect(await callItem(first, 'a', one).placed).toEqual({ kind: 'placed' });
    expect(await callItem(second, 'b', two).placed).toEqual({ kind: 'itemTaken' });
    expect(await countsOf(second)).toMatchObject({ open: 0, duplicate: 1 });
    expect(await countsOf(elsewhere)).toMatchObject({ open: 1 });
  });

  it.each<['opens' | 'keeps', string, Fact, object?]>([
    ['opens', 'was not answered', { kind: 'hungUp', at, details: { talkSeconds: 0 } }],
    ['opens', 'did not ring', refused],
    ['keeps', 'may have reached the person', hungUp],
    ['keeps', 'has an outcome', refused, { outcome: 'reached' }],
  ])('%s the duplicates of a removed sheet whose call %s', async (does, _what, fact, outcome) => {
    const state = does === 'opens' ? 'open' : 'duplicate';
    const to = newNumber();
    const team = newCallId();
    const [first, second] = [await makeSheet([newNumber(), to], team), await makeSheet([to], team)];
    await claim(first, 'b');
    const { intent, placed } = callItem(first, 'a', (await claim(first, 'a')).item!);
    expect(await placed).toEqual({ kind: 'placed' });
    await store.calls.apply({ callId: intent.call.id, fact, now: Date.now() });
    if (outcome) await wrapUp(intent.call.id, outcome);
    expect(await only(second)).toMatchObject({ state: 'duplicate' });
    const { due } = (await store.sheets.items(first.id, 1, 1))[0]!;
    await store.sheets.remove(first.id);
    await prune();
    expect(await only(second)).toMatchObject({ state, ...(state === 'open' ? { due } : {}) });
    expect(await countsOf(second)).toMatchObject({ [state]: 1 });
  });

  it('keeps a duplicate of a removed sheet closed where a third sheet has the person', async () => {
    const to = newNumber();
    const team = newCallId();
    const [first, second] = [await makeSheet([to], team), await makeSheet([to], team)];
    const done = callItem(first, 'a', (await claim(first, 'a')).item!);
    expect(await done.placed).toEqual({ kind: 'placed' });
    await wrapUp(done.intent.call.id, { outcome: 'reached' });
    const later = await makeSheet([to], team);
    await store.sheets.remove(later.id);
    await prune();
    expect(await only(second)).toMatchObject({ state: 'duplicate' });
  });

  it('removes a sheet at once, but its items bit by bit', async () => {
    const sheet = await makeSheet(Array.from({ length: 5 }, newNumber));
    const { item } = await claim(sheet, 'a');
    expect(await store.sheets.remove(sheet.id)).toBe(true);
    expect(await store.sheets.remove(sheet.id)).toBe(false);
    expect(await store.sheets.find(sheet.id)).toBeUndefined();
    expect(await claim(sheet, 'a')).toEqual({});
    expect(await callItem(sheet, 'a', item!).placed).toEqual({ kind: 'itemTaken' });
    await prune();
    expect(await store.sheets.items(sheet.id, 0, 10)).toEqual([]);
  });

  it('adds nothing to a sheet that was removed, whose items are still being deleted', async () => {
    const sheet = await makeSheet([newNumber(), newNumber()]);
    await store.sheets.remove(sheet.id);
    expect(await store.sheets.add(sheet, [itemOf(newNumber())], Date.now())).toBe(0);
    expect(await store.sheets.find(sheet.id)).toBeUndefined();
    await prune();
    expect(await store.sheets.items(sheet.id, 0, 10)).toEqual([]);
  });

  it('forgets the items of a number', async () => {
    const [kept, forgotten] = [newNumber(), newNumber()];
    const sheet = await makeSheet([forgotten, kept]);
    await forgetCalls(store, [`55${forgotten}`], []);
    expect((await store.sheets.items(sheet.id, 0, 1)).map(({ number }) => number)).toEqual([`+55${kept}`]);
    expect(await countsOf(sheet)).toMatchObject({ open: 1 });
    expect((await claim(sheet, 'a')).item?.number).toBe(`+55${kept}`);
  });
});
