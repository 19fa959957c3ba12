/** What every store promises of numbers that must not be called, leases and the audit (`team-rules.ts`), on each engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../shared/call/call.ts';
import { readCallee } from '../../shared/rules/callee.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { storeEngines } from '../../testing/relay/store-engines.ts';
import { forgetCalls } from './forget-number.ts';
import type { Intent, Store } from './store.ts';
import type { AuditRecord, ListedEntry } from './team-rules.ts';

const { engines, stop } = await storeEngines();
afterAll(stop);

const at = '2026-11-21T10:00:00.000Z';
const brazil = { country: 'BR', extensions: [], outsidePrefixes: [] } as const;
const hungUp: Fact = { kind: 'hungUp', at, details: { talkSeconds: 5 } };
const refused: Fact = { kind: 'refused', at, error: { code: 'other' as never, message: '' } };

describe.each(engines)('the rules in the store on %s', (_name, open) => {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  let numbers = 0;
  const newNumber = () => `48${String(32_000_000 + numbers++)}`;
  const listed = (to: string, more: object = {}): ListedEntry => ({
    key: `+55${to}`,
    entry: { number: `+55${to}`, by: 'Rui', at, source: 'agent', ...more },
  });
  const audit = (about: string): AuditRecord => ({ at, action: 'doNotCall.add', by: 'agent-1', about });
  const intent = (from: string, to: string, more: Partial<Intent> = {}) =>
    clientIntent(from, { to, callee: readCallee(to, brazil), ...more });
  const place = (from: string, to: string, more: Partial<Intent> = {}) =>
    store.calls.place(intent(from, to, more));
  const talkWith = (to: string) => async (from: string, talkSeconds: number) => {
    const wanted = intent(from, to);
    expect(await store.calls.place(wanted)).toEqual({ kind: 'placed' });
    const fact: Fact = { kind: 'hungUp', at, details: { talkSeconds } };
    await store.calls.apply({ callId: wanted.call.id, fact, now: Date.now() });
    return wanted.call.id;
  };
  const lease = (caller: string) => ({ caller, by: `Agent ${caller}`, team: 'sales', since: at });

  it('refuses a listed number in the step of the journal, with who listed it', async () => {
    const to = newNumber();
    expect(await store.rules.list([listed(to, { reason: 'asked' })], [])).toBe(1);
    expect(await place('1', to)).toEqual({ kind: 'doNotCall', entry: listed(to, { reason: 'asked' }).entry });
    expect(await place('1', `015${to}`)).toMatchObject({ kind: 'doNotCall' });
    expect((await store.calls.history(['1'], 10, undefined))!.calls).toEqual([]);
  });

  it('deletes an entry whose end has passed, in steps, unless it was prolonged', async () => {
    const now = Date.parse(at) + 60_000;
    const entryUntil = (to: string, ms: number) => listed(to, { until: new Date(now + ms).toISOString() });
    const [ended, alsoEnded, running, prolonged, lasting] = Array.from({ length: 5 }, newNumber) as string[];
    const entries = [
      ...[ended, alsoEnded, prolonged].map((to) => entryUntil(to!, -1)),
      ...[entryUntil(running!, 1), entryUntil(prolonged!, 1), listed(lasting!)],
    ];
    for (const entry of entries) await store.rules.list([entry], []);
    const prune = () => store.maintenance.prune({ callsBefore: 0, eventsBefore: 0, now, limit: 1 });
    while ((await prune()) > 0);
    const keys = (await store.rules.listed('', 1000)).rows.map(({ key }) => key);
    expect([ended, alsoEnded, running, prolonged, lasting].map((to) => keys.includes(`+55${to}`))).toEqual([
      ...[false, false],
      ...[true, true, true],
    ]);
  });

  it.each<[string, Fact[], number]>([
    ['one that may have rung', [{ kind: 'accepted', at }], 1],
    ['none that the provider refused', [refused], 0],
    ['none that could not be sent', [{ kind: 'notSent', at, error: refused.error }], 0],
    ['one whose talk is reported after a refusal', [refused, hungUp], 1],
    ['none whose refusal is reported twice', [refused, refused], 0],
  ])("counts of a number's attempts %s", async (_which, facts, count) => {
    const to = newNumber();
    const bucket = `attempts/sales/+55${to}/2026-11-21`;
    const attempt = { bucket, max: 2, expires: Date.now() + 60_000 };
    const wanted = intent('1', to, { attempt });
    const other = intent('1', to, { attempt });
    for (const each of [other, wanted]) expect(await store.calls.place(each)).toEqual({ kind: 'placed' });
    expect(await place('1', to, { attempt })).toEqual({ kind: 'limited', bucket });
    for (const fact of facts) await store.calls.apply({ callId: wanted.call.id, fact, now: Date.now() });
    expect(await store.rules.tallies([bucket])).toEqual([1 + count]);
  });

  it('finds the newest talk of these channels with a number, until its call is deleted', async () => {
    const to = newNumber();
    const talk = talkWith(to);
    const first = await talk('t1', 30);
    const second = await talk('t2', 20);
    await talk('t1', 0);
    await talk('t3', 10);
    const ids = async (...channels: string[]) =>
      (await store.rules.lastTalks([`+55${to}`, '+5511'], channels)).map((call) => call?.id);
    expect(await ids('t1', 't2')).toEqual([second, undefined]);
    expect(await ids('t1')).toEqual([first, undefined]);
    await store.maintenance.deleteCalls([second]);
    expect(await ids('t1', 't2')).toEqual([first, undefined]);
  });

  it('finds a talk of these channels behind many newer calls of others', async () => {
    const to = newNumber();
    const talk = talkWith(to);
    const newest = async (...channels: string[]) =>
      (await store.rules.lastTalks([`+55${to}`], channels)).map((call) => call?.id);
    const first = await talk('own', 30);
    for (let n = 0; n < 25; n++) await talk('other', 10);
    expect(await newest('own', 'none')).toEqual([first]);
    // So many attempts of these channels themselves hide it.
    for (let n = 0; n < 10; n++) for (const from of ['own', 'mine']) await talk(from, 0);
    expect(await newest('own')).toEqual([first]);
    expect(await newest('own', 'mine')).toEqual([undefined]);
  });

  it('refuses every number of a listed prefix', async () => {
    await store.rules.list(
      [{ key: '+55489777*', entry: { prefix: '+55489777', by: 'op', at, source: 'x' } }],
      [],
    );
    expect((await place('p', '48977712345')).kind).toBe('doNotCall');
    expect((await place('p', '48977812345')).kind).toBe('placed');
  });

  it('places a call again after the end of an entry, or its removal', async () => {
    const to = newNumber();
    const until = new Date(Date.now() + 60_000).toISOString();
    await store.rules.list([listed(to, { until })], []);
    expect((await place('2', to)).kind).toBe('doNotCall');
    expect((await place('2', to, { now: Date.parse(until) + 1 })).kind).toBe('placed');
    expect(await store.rules.unlist(`+55${to}`, audit(to))).toBe(true);
    expect(await store.rules.unlist(`+55${to}`, audit(to))).toBe(false);
    expect((await place('2', to)).kind).toBe('placed');
  });

  it("takes an entry back that came after another one's end", async () => {
    const to = newNumber();
    await store.rules.list([listed(to, { until: '2026-11-21T09:00:00.000Z' })], []);
    const { call } = intent('1', newNumber());
    await store.rules.list([listed(to, { source: 'wrapUp', callId: call.id })], []);
    const [status] = await store.rules.status([readCallee(to, brazil)], Date.parse(at));
    expect(status?.doNotCall?.callId).toBe(call.id);
  });

  it('never shortens an entry by listing its number again', async () => {
    const to = newNumber();
    const [soon, later] = ['2099-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'];
    expect(await store.rules.list([listed(to, { until: later })], [])).toBe(1);
    expect(await store.rules.list([listed(to, { until: soon })], [])).toBe(0);
    expect(await store.rules.list([listed(to)], [])).toBe(1);
    expect(await store.rules.list([listed(to, { until: later })], [])).toBe(0);
    const [status] = await store.rules.status([readCallee(to, brazil)], Date.now());
    expect(status).toEqual({ doNotCall: listed(to).entry });
  });

  it('lets an override pass, with a record of it', async () => {
    const to = newNumber();
    await store.rules.list([listed(to)], []);
    const wanted = intent('3', to, { override: { reason: 'asked for it by mail', by: 'agent-3' } });
    expect(await store.calls.place(wanted)).toEqual({ kind: 'placed' });
    expect((await store.rules.audit('1970-01-01T00:00:00Z', 1)).records[0]).toMatchObject({
      action: 'override',
      by: 'agent-3',
      about: `+55${to}`,
      callId: wanted.call.id,
      detail: 'asked for it by mail',
    });
  });

  it('gives a number to one of many callers at the same moment', async () => {
    const to = newNumber();
    const callers = Array.from({ length: 20 }, (_, n) => `many-${n}`);
    const placed = await Promise.all(callers.map((from) => place(from, to, { lease: lease(from) })));
    const winner = callers[placed.findIndex(({ kind }) => kind === 'placed')]!;
    expect(placed.filter(({ kind }) => kind === 'placed')).toHaveLength(1);
    for (const each of placed)
      if (each.kind !== 'placed') expect(each).toEqual({ kind: 'leased', lease: lease(winner) });
    expect((await place('many-x', `0055${to}`, { lease: lease('many-x') })).kind).toBe('leased');
    // A key without a team takes part in no leases.
    expect((await place('alone', to)).kind).toBe('placed');
  });

  it("refuses digits that may reach a number of the caller's own or another one's", async () => {
    const [own, others] = [newNumber(), newNumber()];
    expect(await place('own', own, { lease: lease('own') })).toEqual({ kind: 'placed' });
    expect(await place('other', others, { lease: lease('other') })).toEqual({ kind: 'placed' });
    const callee = { ...readCallee(own, brazil), numbers: [`+55${own}`, `+55${others}`] };
    expect(await place('own', own, { lease: lease('own'), callee })).toEqual({
      kind: 'leased',
      lease: lease('other'),
    });
  });

  it('keeps a lease behind many calls that have none', async () => {
    const to = newNumber();
    expect((await place('held', to, { lease: lease('held') })).kind).toBe('placed');
    for (let n = 0; n < 25; n++) expect((await place(`alone-${n}`, to)).kind).toBe('placed');
    expect(await place('second', to, { lease: lease('second') })).toEqual({
      kind: 'leased',
      lease: lease('held'),
    });
  });

  it('ends a lease with the window of the wrap-up, or at once where the number was not called', async () => {
    const [to, other] = [newNumber(), newNumber()];
    const now = Date.now();
    const wanted = intent('5', to, { lease: lease('5'), now });
    await store.calls.place(wanted);
    await store.calls.apply({ callId: wanted.call.id, fact: hungUp, now: now + 1000 });
    const later = (ms: number) => place('6', to, { lease: lease('6'), now: now + ms });
    expect((await later(120_000)).kind).toBe('leased');
    expect((await later(121_001)).kind).toBe('placed');
    const second = intent('5', other, { lease: lease('5') });
    await store.calls.place(second);
    await store.calls.apply({ callId: second.call.id, fact: refused, now });
    expect((await place('6', other, { lease: lease('6') })).kind).toBe('placed');
  });

  it('keeps the lease of a first call while its caller ends a second one', async () => {
    const to = newNumber();
    const now = Date.now();
    const hour = 3_600_000;
    const first = intent('7', to, { lease: lease('7'), now, deadline: now + hour });
    const second = intent('7', to, { lease: lease('7'), now, deadline: now + hour });
    for (const wanted of [first, second]) expect((await store.calls.place(wanted)).kind).toBe('placed');
    await store.calls.apply({ callId: second.call.id, fact: hungUp, now });
    const [status] = await store.rules.status([readCallee(to, brazil)], now + hour);
    expect(status).toEqual({ lease: lease('7') });
    await store.calls.apply({ callId: first.call.id, fact: hungUp, now });
    expect((await place('8', to, { lease: lease('8'), now: now + hour })).kind).toBe('placed');
  });

  it('lists a number in the commit of a wrap-up, unless that is outdated', async () => {
    const to = newNumber();
    const wanted = intent('9', to);
    await store.calls.place(wanted);
    const rules = { entries: [listed(to, { source: 'wrapUp' })], audit: [audit(to)] };
    const amend = (revision: number) =>
      store.calls.amend({
        callId: wanted.call.id,
        amendment: { kind: 'wrapUp', request: { outcome: 'doNotCall' }, revision, rules },
        now: Date.now(),
      });
    expect((await amend(1)).kind).toBe('outdated');
    expect((await place('9', to)).kind).toBe('placed');
    expect((await amend(0)).kind).toBe('amended');
    expect(await place('9', to)).toMatchObject({ kind: 'doNotCall', entry: { source: 'wrapUp' } });
  });

  it.each([
    ['removes', 'listed by no one else', undefined, undefined],
    ['removes', 'listed again by the same call', { callId: 'own' }, undefined],
    ['keeps', 'listed again by a colleague', {}, undefined],
    [
      'keeps',
      'listed again by a colleague for a shorter time',
      { until: '2099-01-01T00:00:00.000Z' },
      undefined,
    ],
    ['keeps', 'listed again by the wrap-up of another call', { callId: 'other' }, undefined],
    [
      'keeps',
      'listed before by a colleague for a shorter time',
      undefined,
      { until: '2099-01-01T00:00:00.000Z' },
    ],
  ])('%s an entry that its call takes back, %s', async (does, _how, again, before) => {
    const isGone = does === 'removes';
    const to = newNumber();
    const wanted = intent('10', to);
    const callId = wanted.call.id;
    await store.calls.place(wanted);
    const own = (more: object) => ('callId' in more && more.callId === 'own' ? { ...more, callId } : more);
    if (before) await store.rules.list([listed(to, before)], []);
    await store.rules.list([listed(to, { reason: 'said "callId":"x"', callId })], []);
    if (again) await store.rules.list([listed(to, own(again))], []);
    const record: AuditRecord = { ...audit(to), action: 'doNotCall.remove' };
    const takenBack = { key: `+55${to}`, callId, audit: record };
    const amendment = { kind: 'wrapUp', request: { outcome: 'reached' }, revision: 0 } as const;
    const rules = { entries: [], takenBack, audit: [] };
    await store.calls.amend({ callId, amendment: { ...amendment, rules }, now: Date.now() });
    expect((await place('10', to)).kind).toBe(isGone ? 'placed' : 'doNotCall');
    const { records } = await store.rules.audit('1970-01-01T00:00:00Z', 1);
    expect(records[0]?.about === to).toBe(isGone);
  });

  it('pages through its entries, or through the audit from the newest', async () => {
    const before = new Set<string>();
    const read = async () => {
      const keys: string[] = [];
      for (let after: string | undefined = ''; after !== undefined; ) {
        const page = await store.rules.listed(after, 2);
        keys.push(...page.rows.map(({ key }) => key));
        after = page.next;
      }
      return keys;
    };
    for (const key of await read()) before.add(key);
    const added = Array.from({ length: 5 }, () => listed(newNumber()));
    await store.rules.list(
      added,
      added.map(({ key }) => audit(key)),
    );
    const keys = await read();
    expect(keys).toEqual([...new Set(keys)]);
    expect(keys.filter((key) => !before.has(key)).sort()).toEqual(added.map(({ key }) => key).sort());
    const first = await store.rules.audit('1970-01-01T00:00:00Z', 3);
    const second = await store.rules.audit('1970-01-01T00:00:00Z', 2, first.next);
    const newest = [...first.records, ...second.records];
    expect(newest.map(({ about }) => about)).toEqual(added.map(({ key }) => key).reverse());
  });

  it('forgets what the audit says of a number', async () => {
    await store.rules.record([audit('+5548999990001')]);
    await forgetCalls(store, ['5548999990001'], []);
    const { records } = await store.rules.audit('1970-01-01T00:00:00Z', 1000);
    expect(records.map(({ about }) => about)).not.toContain('+5548999990001');
  });
});
