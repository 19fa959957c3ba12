/** What every store promises (`store.ts`), on each engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, type Fact, newCall, newCallId } from '../../shared/call/call.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { forgetNumber } from '../../testing/relay/forget-number.ts';
import { storeEngines } from '../../testing/relay/store-engines.ts';
import { until } from '../../testing/until.ts';
import { makeApiKey } from '../access/api-key.ts';
import { basisOf } from '../log/call-log.ts';
import { recordQueue } from '../log/entry-status.ts';
import type { Amendment } from './amendment.ts';
import { findNumber } from './forget-number.ts';
import type { Retention } from './maintenance.ts';
import type { Intent, Store, StoredEvent } from './store.ts';

const at = '2026-11-21T10:00:00.000Z';
const accepted: Fact = { kind: 'accepted', at, callid: 'p1' };
const hungUp: Fact = { kind: 'hungUp', at, details: { talkSeconds: 5 } };

const { engines, stop } = await storeEngines();
afterAll(stop);

describe.each(engines)('the store on %s', (name, open) => {
  let store: Store;
  const published: StoredEvent[] = [];
  beforeAll(async () => {
    store = await open();
    store.onEvents((events) => published.push(...events));
  });
  afterAll(() => store.close());

  let callers = 0;
  const newCaller = () => `caller-${name}-${callers++}`;
  const place = async (from: string, more: Partial<Intent> = {}): Promise<Call> => {
    const wanted = clientIntent(from, more);
    expect(await store.calls.place(wanted)).toEqual({ kind: 'placed' });
    return wanted.call;
  };
  const apply = (call: Call, fact: Fact, digest?: string) =>
    store.calls.apply({
      callId: call.id,
      fact,
      now: Date.now(),
      ...(digest === undefined ? {} : { arrival: { event: fact.kind, digest } }),
    });
  const head = async () => (await store.calls.listOpen([])).head;

  it('keeps the hashes of forgotten numbers until said otherwise', async () => {
    await store.maintenance.setForgotten('a', true);
    await store.maintenance.setForgotten('b', true);
    await store.maintenance.setForgotten('a', false);
    expect(await store.maintenance.listForgotten()).toEqual(['b']);
  });

  it('keeps the first key of forgotten numbers', async () => {
    const { maintenance } = store;
    const first = await maintenance.forgottenKey('one');
    expect([first, await maintenance.forgottenKey('two')]).toEqual(['one', 'one']);
    expect(await maintenance.listForgotten()).not.toContain('one');
  });

  it('places a call once per idempotency key', async () => {
    const from = newCaller();
    const wanted = clientIntent(from, { idempotencyKey: 'once' });
    expect(await store.calls.place(wanted)).toEqual({ kind: 'placed' });
    expect(await store.calls.place(clientIntent(from, { idempotencyKey: 'once' }))).toEqual({
      kind: 'same',
      call: wanted.call,
      placedBy: 'client',
    });
    expect(await store.calls.place(clientIntent(from, { idempotencyKey: 'once', fingerprint: 'g' }))).toEqual(
      {
        kind: 'otherRequest',
      },
    );
    expect(
      await store.calls.place(clientIntent(from, { idempotencyKey: 'once', owner: 'someone else' })),
    ).toEqual({
      kind: 'placed',
    });
  });

  it('places no second call for an idempotency key while the call is kept, whatever its age', async () => {
    const from = newCaller();
    const twoDaysMs = 2 * 24 * 3_600_000;
    const now = Date.now();
    const first = clientIntent(from, { idempotencyKey: 'old', now: now - twoDaysMs });
    expect(await store.calls.place(first)).toEqual({ kind: 'placed' });
    await apply(first.call, hungUp, 'd');
    const retention = { callsBefore: now - 2 * twoDaysMs, eventsBefore: now, now, limit: 1000 };
    while ((await store.maintenance.prune(retention)) > 0);
    const again = clientIntent(from, { idempotencyKey: 'old' });
    expect(await store.calls.place(again)).toMatchObject({ kind: 'same', call: { id: first.call.id } });
    await store.maintenance.deleteCalls([first.call.id]);
    expect(await store.calls.place(again)).toEqual({ kind: 'placed' });
  });

  it('refuses an id that another call has, without counting it', async () => {
    const first = await place(newCaller());
    const tallies = [{ bucket: `minute/${first.id}`, max: 1, expires: Date.now() + 60_000 }];
    const second = clientIntent(newCaller(), { tallies, idempotencyKey: first.id });
    const freshId = second.call.id;
    second.call.id = first.id;
    expect(await store.calls.place(second)).toEqual({ kind: 'idTaken' });
    expect((await store.calls.find(first.id))!.call).toEqual(first);
    second.call.id = freshId;
    expect(await store.calls.place(second)).toEqual({ kind: 'placed' });
  });

  it('places one of many that come at the same moment with one key', async () => {
    const from = newCaller();
    const placed = await Promise.all(
      Array.from({ length: 20 }, () => store.calls.place(clientIntent(from, { idempotencyKey: 'race' }))),
    );
    expect(placed.filter(({ kind }) => kind === 'placed')).toHaveLength(1);
    expect(placed.filter(({ kind }) => kind === 'same')).toHaveLength(19);
  });

  it('counts calls, then refuses above the limit without counting further', async () => {
    const from = newCaller();
    const tallies = [{ bucket: `minute/${from}`, max: 2, expires: Date.now() + 60_000 }];
    await place(from, { tallies });
    await place(from, { tallies });
    const answer = { kind: 'limited', bucket: `minute/${from}` };
    expect(await store.calls.place(clientIntent(from, { tallies }))).toEqual(answer);
    expect(await store.calls.place(clientIntent(from, { tallies }))).toEqual(answer);
  });

  it('appends one event per change, ever higher, but none where nothing changed', async () => {
    const from = newCaller();
    const before = await head();
    const call = await place(from);
    expect(await apply(call, accepted)).toMatchObject({ kind: 'applied' });
    expect(await apply(call, accepted)).toMatchObject({ kind: 'unchanged' });
    expect(await apply(call, hungUp, 'd1')).toMatchObject({ kind: 'applied' });
    const page = await store.calls.eventsAfter([from], before, 10);
    const calls = page!.events.map(({ data }) => JSON.parse(data) as Call);
    expect(calls.map(({ state }) => state)).toEqual(['initiating', 'callingCaller', 'disconnected']);
    expect(calls.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    const sequence = page!.events.map(({ seq }) => seq);
    expect(sequence).toEqual([...new Set(sequence)].sort((a, b) => a - b));
    expect(page!.head).toBeGreaterThanOrEqual(sequence.at(-1)!);
  });

  it('publishes every event to its listener, in order', async () => {
    const from = newCaller();
    const calls = await Promise.all(Array.from({ length: 30 }, () => place(from)));
    await Promise.all(calls.map((call) => apply(call, hungUp, 'd')));
    const mine = () => published.filter(({ channel }) => channel === from);
    await until(() => mine().length === 60, 'the events');
    const page = await store.calls.eventsAfter([from], mine()[0]!.seq - 1, 100);
    expect(mine()).toEqual(page!.events);
  });

  it('believes the first notification of a kind, keeping contradictions apart from repetitions', async () => {
    const call = await place(newCaller());
    expect((await apply(call, hungUp, 'first')).kind).toBe('applied');
    expect((await apply(call, hungUp, 'first')).kind).toBe('repeat');
    const other: Fact = { kind: 'hungUp', at, details: { talkSeconds: 6, route: 'x' } };
    expect((await apply(call, other, 'second')).kind).toBe('conflict');
    expect((await apply(call, other, 'second')).kind).toBe('repeat');
    expect((await store.calls.find(call.id))!.call).toMatchObject({ talkSeconds: 5, revision: 1 });
    expect((await apply(call, { kind: 'lostCall', at }, 'third')).kind).not.toBe('repeat');
  });

  it('believes one of many notifications that arrive at the same moment', async () => {
    const call = await place(newCaller());
    const kinds = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        apply(call, { kind: 'hungUp', at, details: { talkSeconds: n } }, `d${n}`),
      ),
    );
    expect(kinds.filter(({ kind }) => kind === 'applied')).toHaveLength(1);
    expect(kinds.filter(({ kind }) => kind === 'conflict')).toHaveLength(9);
  });

  it('loses no fact when several arrive at the same moment', async () => {
    const call = await place(newCaller(), { placedBy: 'relay' });
    await Promise.all([apply(call, accepted), apply(call, hungUp, 'd')]);
    expect((await store.calls.find(call.id))!.call).toMatchObject({
      state: 'disconnected',
      acceptedAt: at,
      callid: 'p1',
      talkSeconds: 5,
      revision: 2,
    });
  });

  it('finds a call by its id, or reports an unknown one', async () => {
    expect((await apply(newCall({ id: newCallId(), from: 'x', to: '1', now: at }), accepted)).kind).toBe(
      'unknownCall',
    );
    expect(await store.calls.find(newCallId())).toBeUndefined();
    const call = await place('someone', { placedBy: 'relay' });
    expect(await store.calls.find(call.id)).toEqual({ call, channel: 'someone', placedBy: 'relay' });
  });

  it('lists the open calls, each by its newest event', async () => {
    const [a, b] = [newCaller(), newCaller()];
    const first = await place(a);
    const second = await place(b);
    const over = await place(a);
    await apply(over, hungUp, 'd');
    await apply(first, accepted);
    const { events, head: newest } = await store.calls.listOpen([a, b]);
    expect(events.map(({ callId }) => callId)).toEqual([second.id, first.id]);
    expect(JSON.parse(events[1]!.data)).toMatchObject({ state: 'callingCaller' });
    expect(newest).toBeGreaterThanOrEqual(events[1]!.seq);
  });

  it('returns events in pages, of the channels asked for alone', async () => {
    const [a, b] = [newCaller(), newCaller()];
    const before = await head();
    const placed: string[] = [];
    for (let n = 0; n < 5; n++) {
      placed.push((await place(a)).id, (await place(b)).id);
      await place(newCaller());
    }
    const got: StoredEvent[] = [];
    for (let from = before, more = true; more; ) {
      const page = (await store.calls.eventsAfter([a, b], from, 3))!;
      got.push(...page.events);
      more = page.more;
      from = page.events.at(-1)!.seq;
    }
    expect(got.map(({ callId }) => callId)).toEqual(placed);
  });

  it('returns no events after a cursor that it never gave', async () => {
    expect(await store.calls.eventsAfter(['a'], (await head()) + 1, 10)).toBeUndefined();
    expect(store.epoch).toMatch(/^[0-9a-z]{4,32}$/);
  });

  it('pages through history, newest first, within the channels asked for', async () => {
    const [a, b] = [newCaller(), newCaller()];
    const placed: Call[] = [];
    for (const from of [a, b, a, b, a]) placed.push(await place(from));
    const newestFirst = placed.map(({ id }) => id).reverse();
    const first = (await store.calls.history([a, b], 3, undefined))!;
    const second = (await store.calls.history([a, b], 3, first.next))!;
    expect([...first.calls, ...second.calls].map(({ id }) => id)).toEqual(newestFirst);
    expect(second.next).toBeUndefined();
    expect(await store.calls.history([a], 3, placed[1]!.id)).toBeUndefined();
    expect(await store.calls.history([a], 3, newCallId())).toBeUndefined();
  });

  it('lists a call as overdue until it is decided', async () => {
    const call = await place(newCaller(), { deadline: 1000 });
    const ids = async () => (await store.calls.listOverdue(2000, 100)).map(({ callId }) => callId);
    expect(await ids()).toContain(call.id);
    await apply(call, { kind: 'noNotification', at });
    expect(await ids()).not.toContain(call.id);
  });

  it('lists a dial as interrupted until it is decided, also when the notification comes first', async () => {
    const call = await place(newCaller(), { placedBy: 'relay' });
    expect(await store.calls.listInterrupted()).toContain(call.id);
    await apply(call, hungUp, 'd');
    expect(await store.calls.listInterrupted()).toContain(call.id);
    await apply(call, accepted);
    expect(await store.calls.listInterrupted()).not.toContain(call.id);
    expect((await store.calls.listOverdue(Date.now() + 1e9, 1000)).map(({ callId }) => callId)).not.toContain(
      call.id,
    );
  });

  const minute = 60_000;
  let forwarded = 0;
  /** A call whose notification is to be forwarded. */
  const forward = async (body = '{}', at = Date.now(), to = '4833224455') => {
    const wanted = clientIntent(newCaller(), { to });
    await store.calls.place(wanted);
    const id = `msg_${name}_${forwarded++}`;
    const details = { event: 'hungUp', digest: 'd', forward: { id, body } };
    const change = { callId: wanted.call.id, fact: hungUp, arrival: details, now: at };
    expect((await store.calls.apply(change)).kind).toBe('applied');
    return { id, callId: wanted.call.id, call: wanted.call, change };
  };
  const claim = (now = Date.now(), limit = 100) => store.forwards.claim({ now, until: now + minute, limit });
  const stateOf = async (id: string) => (await store.forwards.list(1000)).find((each) => each.id === id);

  it('queues a forward with its notification, once however often it is repeated', async () => {
    const { id, callId, call, change } = await forward('{"a":"\u00e9\\u0000"}');
    expect((await store.calls.apply(change)).kind).toBe('repeat');
    const other = { ...change.arrival, digest: 'e', forward: { id: `${id}x`, body: '{}' } };
    expect((await store.calls.apply({ ...change, arrival: other })).kind).toBe('conflict');
    expect(await stateOf(`${id}x`)).toBeUndefined();
    expect(await stateOf(id)).toEqual({
      ...{ id, callId, from: call.from, to: call.to },
      ...{ dead: false, attempts: 0, at: change.now, note: '' },
    });
    const { items: forwards } = await claim();
    expect(forwards.filter((each) => each.callId === callId)).toEqual([
      { id, callId, body: '{"a":"\u00e9\\u0000"}', attempt: 1 },
    ]);
    await store.forwards.settle(id, 1, { kind: 'delivered' });
    expect(await stateOf(id)).toBeUndefined();
    expect((await store.calls.apply(change)).kind).toBe('repeat');
    expect(await stateOf(id)).toBeUndefined();
  });

  it('queues no forward of a call it does not know', async () => {
    const { change } = await forward();
    const arrival = { ...change.arrival, forward: { id: 'msg_none', body: '{}' } };
    expect((await store.calls.apply({ ...change, arrival, callId: newCallId() })).kind).toBe('unknownCall');
    expect(await stateOf('msg_none')).toBeUndefined();
  });

  it('gives a forward to one of many claims at once, then again when that claim has ended', async () => {
    const now = Date.now();
    const { id } = await forward('{}', now);
    const mine = (claims: Awaited<ReturnType<typeof claim>>[]) =>
      claims.flatMap(({ items }) => items).filter((each) => each.id === id);
    expect(mine(await Promise.all(Array.from({ length: 8 }, () => claim(now))))).toHaveLength(1);
    expect((await stateOf(id))!.at).toBe(now + minute);
    expect(mine([await claim(now + minute - 1)])).toEqual([]);
    expect(mine([await claim(now + minute)])).toMatchObject([{ attempt: 2 }]);
  });

  it('claims the oldest first, up to the limit, with the count of those pending', async () => {
    const long = 1000 * minute;
    await claim(Date.now() + long, 1000);
    const first = await forward('{}', 1000);
    const second = await forward('{}', 2000);
    await forward('{}', 3000);
    const { items: forwards, pending, next } = await claim(2500, 2);
    expect(forwards.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(next).toBe(3000);
    expect((await claim(2999)).items).toEqual([]);
    expect((await claim(2999)).pending).toBe(pending);
    expect(pending).toBeGreaterThanOrEqual(3);
  });

  it('retries or gives up as settled, but ignores an attempt that is not the newest', async () => {
    const now = Date.now();
    const { id } = await forward('{}', now);
    await claim(now);
    await store.forwards.settle(id, 1, { kind: 'retry', at: now + 10, note: 'HTTP 500' });
    expect(await stateOf(id)).toMatchObject({ dead: false, attempts: 1, at: now + 10, note: 'HTTP 500' });
    await claim(now + 10);
    await store.forwards.settle(id, 1, { kind: 'dead', at: now + 20, note: 'late' });
    expect(await stateOf(id)).toMatchObject({ dead: false, attempts: 2 });
    const before = (await claim(now)).pending;
    await store.forwards.settle(id, 2, { kind: 'dead', at: now + 20, note: 'HTTP 410' });
    expect(await stateOf(id)).toMatchObject({ dead: true, at: now + 20, note: 'HTTP 410' });
    const later = await claim(now + 2 * minute);
    expect(later.pending).toBe(before - 1);
    expect(later.items.map((each) => each.id)).not.toContain(id);
  });

  it('retries one or all dead forwards, or drops one', async () => {
    const now = Date.now();
    const [a, b] = [await forward('{}', now), await forward('{}', now)];
    const die = async () => {
      const { items: forwards } = await claim(now + minute);
      for (const { id, attempt } of forwards)
        if (id === a.id || id === b.id)
          await store.forwards.settle(id, attempt, { kind: 'dead', at: now, note: 'x' });
    };
    await die();
    expect(await store.forwards.retry(a.id, now)).toBe(1);
    expect(await stateOf(a.id)).toMatchObject({ dead: false, attempts: 0, at: now, note: '' });
    expect((await stateOf(b.id))!.dead).toBe(true);
    await die();
    expect(await store.forwards.retry(undefined, now)).toBeGreaterThanOrEqual(2);
    expect((await store.forwards.list(1000)).filter(({ dead }) => dead)).toEqual([]);
    expect(await store.forwards.retry(undefined, now)).toBe(0);
    expect(await store.forwards.retry('none', now)).toBe(0);
    expect(await store.forwards.drop(a.id)).toBe(true);
    expect(await store.forwards.drop(a.id)).toBe(false);
    expect(await stateOf(a.id)).toBeUndefined();
  });

  it('gives up the claims of a process that is gone', async () => {
    const now = Date.now();
    const { id } = await forward('{}', now);
    await claim(now);
    expect(await store.forwards.release(now)).toBeGreaterThanOrEqual(1);
    expect(await store.forwards.release(now)).toBe(0);
    expect((await claim(now)).items.find((each) => each.id === id)).toMatchObject({ attempt: 2 });
  });

  it('forgets the forwards of a number with its calls', async () => {
    const number = '48988887777';
    const { id } = await forward('{"to":"x"}', Date.now(), number);
    expect(await forgetNumber(store, number)).toBe(1);
    expect(await stateOf(id)).toBeUndefined();
    expect((await claim(Date.now() + 1000 * minute, 1000)).items.map((each) => each.id)).not.toContain(id);
  });

  it('finds keys by their hash, revokes them once', async () => {
    const { stored } = makeApiKey(
      { kind: 'site', name: 'n', origins: ['https://a.example'], callers: ['1'] },
      new Date(),
    );
    await store.keys.add(stored);
    expect(await store.keys.findByHash(stored.hash)).toEqual(stored);
    expect(await store.keys.findByHash('none')).toBeUndefined();
    expect(await store.keys.revoke(stored.id, at)).toBe(true);
    expect(await store.keys.revoke(stored.id, at)).toBe(false);
    expect(await store.keys.revoke('none', at)).toBe(false);
    expect((await store.keys.list()).find(({ id }) => id === stored.id)).toEqual({
      ...stored,
      revokedAt: at,
    });
  });

  it('forgets calls that were dialled with the code of a carrier', async () => {
    const [from, number] = [newCaller(), '+5548999997777'];
    for (const to of ['01548999997777', '02148999997777']) {
      const callee = { key: number, numbers: [number], prefixes: [], countries: [] };
      const wanted = clientIntent(from, { callee });
      wanted.call.to = to;
      await store.calls.place(wanted);
      await apply(wanted.call, hungUp, 'd');
    }
    const { longerNumbers } = await findNumber(store, [number.slice(1)]);
    expect([longerNumbers, await forgetNumber(store, number.slice(1))]).toEqual([[], 2]);
  });

  it('keeps a key revoked that is rotated at the same moment', async () => {
    const { stored } = makeApiKey({ kind: 'agent', name: '', origins: [], callers: ['1'] }, new Date());
    await store.keys.add(stored);
    await Promise.all([store.keys.revoke(stored.id, at), store.keys.expire(stored.id, at)]);
    expect(await store.keys.findByHash(stored.hash)).toMatchObject({ revokedAt: at });
  });

  it('forgets every call of a number, with its events', async () => {
    const from = newCaller();
    const before = await head();
    const kept = await place(from);
    const number = '48999998888';
    const wanted = clientIntent(from);
    wanted.call.to = `0${number}`;
    await store.calls.place(wanted);
    await apply(wanted.call, hungUp, 'd');
    expect(await forgetNumber(store, `55${number}`)).toBe(1);
    expect(await store.calls.find(wanted.call.id)).toBeUndefined();
    expect((await store.calls.history([from], 10, undefined))!.calls.map(({ id }) => id)).toEqual([kept.id]);
    const { events } = (await store.calls.eventsAfter([from], before, 10))!;
    expect(events.map(({ callId }) => callId)).toEqual([kept.id]);
    expect((await apply(wanted.call, hungUp, 'd')).kind).toBe('unknownCall');
  });

  it('finds the calls of a number page by page, deletes a call once', async () => {
    const number = '48977776666';
    const wanted = [];
    for (let n = 0; n < 30; n++) {
      await place(newCaller());
      const intent = clientIntent(newCaller());
      intent.call.to = number;
      await store.calls.place(intent);
      wanted.push(intent.call.id);
    }
    const found: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined = ''; cursor !== undefined; pages++) {
      const page = await store.maintenance.findCallsOfNumber([number], cursor, 5);
      found.push(...page.calls.map(({ id }) => id));
      cursor = page.next;
    }
    expect(new Set(found)).toEqual(new Set(wanted));
    expect(pages).toBeGreaterThan(1);
    expect(await store.maintenance.deleteCalls(wanted.slice(0, 3))).toBe(3);
    expect(await store.maintenance.deleteCalls(wanted.slice(0, 4))).toBe(1);
    expect(await forgetNumber(store, number)).toBe(26);
  });

  it('prunes by age in batches, never an open call, then refuses older cursors', async () => {
    const from = newCaller();
    const before = await head();
    const retention = (now: number): Retention => ({
      callsBefore: now,
      eventsBefore: now,
      now,
      limit: 7,
    });
    const old: Call[] = [];
    for (let n = 0; n < 10; n++) old.push(await place(from));
    for (const call of old) await apply(call, hungUp, 'd');
    const open = await place(from);
    const { id: forwardId } = await forward();
    const now = Date.now() + 1;
    for (let deleted = 1; deleted > 0; ) {
      deleted = await store.maintenance.prune(retention(now));
      expect(deleted).toBeLessThanOrEqual(3 * 7);
    }
    expect(await store.calls.eventsAfter([from], before, 10)).toBeUndefined();
    expect((await store.calls.history([from], 50, undefined))!.calls.map(({ id }) => id)).toEqual([open.id]);
    expect((await store.calls.listOpen([from])).events.map(({ callId }) => callId)).toEqual([open.id]);
    expect(await stateOf(forwardId)).toBeUndefined();
    expect((await claim(now + 1000 * minute)).pending).toBe(0);
    const since = await head();
    await apply(open, hungUp, 'd');
    expect((await store.calls.eventsAfter([from], since, 10))!.events).toHaveLength(1);
  });

  it('can be written', async () => {
    await store.maintenance.check();
  });

  describe('the log of a call', () => {
    const record = { system: 'crm', kind: 'issue', id: '7', url: 'https://crm.example/issues/7' };
    const logged = async (from: string, system: string, now: number): Promise<Call> => {
      const wanted = clientIntent(from, { logSystems: [system], now });
      wanted.call.record = { ...record, system };
      expect(await store.calls.place(wanted)).toEqual({ kind: 'placed' });
      return wanted.call;
    };
    const end = (call: Call, now: number) => store.calls.apply({ callId: call.id, fact: hungUp, now });
    let systems = 0;
    const newSystem = () => `crm-${systems++}`;

    it('makes an entry due two minutes after the end, in the commit of the end', async () => {
      const system = newSystem();
      const call = await logged(newCaller(), system, 1000);
      expect(await store.calls.listDueEntries({ system, now: 10_000, limit: 5 })).toEqual({
        callIds: [],
        pending: 0,
      });
      await end(call, 5000);
      expect((await store.calls.find(call.id))!.call.entry).toEqual({ state: 'waiting', system });
      expect(await store.calls.listDueEntries({ system, now: 10_000, limit: 5 })).toEqual({
        callIds: [],
        pending: 1,
        next: 125_000,
      });
      expect(await store.calls.listDueEntries({ system, now: 125_000, limit: 5 })).toEqual({
        callIds: [call.id],
        pending: 1,
      });
    });

    it('is claimed once, until the claim ends', async () => {
      const system = newSystem();
      const call = await logged(newCaller(), system, 1000);
      await end(call, 5000);
      const amendment = { kind: 'claimEntry', system, until: 200_000 } as const;
      const claims = await Promise.all(
        Array.from({ length: 5 }, () => store.calls.amend({ callId: call.id, amendment, now: 130_000 })),
      );
      expect(claims.filter((claim) => claim.kind === 'amended' && claim.claimed)).toHaveLength(1);
      const later = await store.calls.amend({ callId: call.id, amendment, now: 200_000 });
      expect(later).toMatchObject({ kind: 'amended', claimed: { attempts: 2 } });
    });

    it('refuses the confirmation of a claim that another process has taken over', async () => {
      const system = newSystem();
      const call = await logged(newCaller(), system, 1000);
      await end(call, 5000);
      const claim = async (now: number) =>
        store.calls.amend({
          callId: call.id,
          amendment: { kind: 'claimEntry', system, until: now + 10 },
          now,
        });
      const first = await claim(130_000);
      await claim(140_000);
      const { claimed, call: current } = first as Extract<typeof first, { kind: 'amended' }>;
      const confirmed = await store.calls.amend({
        callId: call.id,
        amendment: { kind: 'confirmEntry', claim: claimed!, basis: basisOf(current), until: 150_000 },
        now: 140_001,
      });
      expect(confirmed.kind).toBe('outdated');
    });

    it('keeps the order of calls on one record', async () => {
      const system = newSystem();
      const [first, second] = [
        await logged(newCaller(), system, 1000),
        await logged(newCaller(), system, 1000),
      ];
      await end(second, 5000);
      await end(first, 6000);
      const due = () => store.calls.listDueEntries({ system, now: 300_000, limit: 5 });
      expect((await due()).callIds).toEqual([first.id]);
      const claimed = await store.calls.amend({
        callId: first.id,
        amendment: { kind: 'claimEntry', system, until: 301_000 },
        now: 300_000,
      });
      const { claimed: claim } = claimed as Extract<typeof claimed, { kind: 'amended' }>;
      const outcome = { kind: 'done' } as const;
      const settle = { kind: 'settleEntry', claim: claim!, outcome } as const;
      await store.calls.amend({ callId: first.id, amendment: settle, now: 300_001 });
      expect((await due()).callIds).toEqual([second.id]);
    });

    it('finds what is due behind a record whose first call waits', async () => {
      const system = newSystem();
      const ids: string[] = [];
      for (let n = 0; n < 250; n++) {
        const call = await logged(newCaller(), system, 1000);
        ids.push(call.id);
        await end(call, 5000 + n);
      }
      // The first one's next attempt is far away; the others on its record wait for it.
      const claim = { kind: 'claimEntry', system, until: 900_000 } as const;
      await store.calls.amend({ callId: ids[0]!, amendment: claim, now: 300_000 });
      const other = clientIntent(newCaller(), { logSystems: [system], now: 1000 });
      other.call.record = { ...record, system, id: '8' };
      await store.calls.place(other);
      await end(other.call, 6000);
      const due = await store.calls.listDueEntries({ system, now: 300_000, limit: 4 });
      expect(due.callIds).toEqual([other.call.id]);
    });

    it.each(['dead', 'needsAgent'] as const)(
      'keeps a call with an entry that is %s until it is dropped',
      async (kind) => {
        const system = newSystem();
        const call = await logged(newCaller(), system, 1000);
        await end(call, 5000);
        const now = Date.now() + 1000;
        const amend = (amendment: Amendment) => store.calls.amend({ callId: call.id, amendment, now });
        await amend({ kind: 'claimEntry', system, until: now });
        const claim = { system, record: call.record!, part: 1, attempts: 1 };
        await amend({ kind: 'settleEntry', claim, outcome: { kind, reason: 'notFound' } });
        const prune = { callsBefore: now, eventsBefore: 0, now, limit: 1000 };
        while ((await store.maintenance.prune(prune)) > 0);
        expect(await store.calls.find(call.id)).toBeDefined();
        await amend({ kind: 'dropEntries' });
        while ((await store.maintenance.prune(prune)) > 0);
        expect(await store.calls.find(call.id)).toBeUndefined();
      },
    );

    it('lists calls that need a record, oldest first, until one is chosen or the call is dropped', async () => {
      const ended = async (now: number): Promise<Call> => {
        const { call, ...intent } = clientIntent(newCaller(), { lacksRecord: 'noRecord', now });
        call.createdAt = new Date(now).toISOString();
        await store.calls.place({ call, ...intent });
        await end(call, now + 1);
        return call;
      };
      const waiting = () => store.calls.listDueEntries({ system: recordQueue, now: 10_000, limit: 5 });
      const late = await ended(3000);
      const early = await ended(2000);
      const open = clientIntent(newCaller(), { lacksRecord: 'noRecord', now: 1000 });
      await store.calls.place(open);
      expect(await waiting()).toEqual({ callIds: [early.id, late.id], pending: 2 });
      const choice = { kind: 'record', record, systems: ['crm'] } as const;
      await store.calls.amend({ callId: late.id, amendment: choice, now: 5000 });
      await store.calls.amend({ callId: early.id, amendment: { kind: 'dropEntries' }, now: 5000 });
      expect(await waiting()).toEqual({ callIds: [], pending: 0 });
    });

    it('deletes a call that needs a record with the history', async () => {
      const { call, ...intent } = clientIntent(newCaller(), { lacksRecord: 'noRecord', now: 1000 });
      await store.calls.place({ call, ...intent });
      await end(call, 2000);
      const now = Date.now() + 1000;
      const queued = async () =>
        (await store.calls.listDueEntries({ system: recordQueue, now, limit: 5 })).pending;
      expect(await queued()).toBe(1);
      const prune = { callsBefore: now, eventsBefore: 0, now, limit: 1000 };
      while ((await store.maintenance.prune(prune)) > 0);
      expect(await store.calls.find(call.id)).toBeUndefined();
      expect(await queued()).toBe(0);
    });

    it('changes a wrap-up only for who saw its revision, with one event', async () => {
      const from = newCaller();
      const call = await place(from);
      const before = await head();
      const wrapUp = (revision: number, note: string) =>
        store.calls.amend({
          callId: call.id,
          amendment: { kind: 'wrapUp', request: { note }, revision },
          now: 7000,
        });
      expect(await wrapUp(0, 'first')).toMatchObject({ kind: 'amended', call: { wrapUp: { revision: 1 } } });
      expect(await wrapUp(0, 'second')).toMatchObject({
        kind: 'outdated',
        call: { wrapUp: { note: 'first' } },
      });
      expect((await store.calls.eventsAfter([from], before, 10))!.events).toHaveLength(1);
    });

    it('lists a callback for who is to call back, until it is closed', async () => {
      const [from, colleague] = [newCaller(), newCaller()];
      const call = await place(from);
      const amend = (amendment: Amendment) => store.calls.amend({ callId: call.id, amendment, now: 7000 });
      const request = { callBackAt: '2026-11-25T10:00:00Z', callBackBy: colleague };
      await amend({ kind: 'wrapUp', request, revision: 0 });
      const listed = async (caller: string) =>
        (await store.calls.listCallbacks([caller], 9)).map(({ id }) => id);
      expect([await listed(from), await listed(colleague)]).toEqual([[], [call.id]]);
      await amend({ kind: 'wrapUp', request: { callBackBy: null }, revision: 1 });
      expect([await listed(from), await listed(colleague)]).toEqual([[call.id], []]);
      await amend({ kind: 'closeCallback' });
      expect(await listed(from)).toEqual([]);
      expect(await amend({ kind: 'closeCallback' })).toMatchObject({ call: { wrapUp: { revision: 3 } } });
    });

    it('lists callbacks by their time, keeping their calls beyond the retention', async () => {
      const from = newCaller();
      const [early, late] = [await place(from), await place(from)];
      const later = async (call: Call, callBackAt: string | null, revision = 0) =>
        store.calls.amend({
          callId: call.id,
          amendment: { kind: 'wrapUp', request: { callBackAt }, revision },
          now: 7000,
        });
      for (const call of [early, late]) await apply(call, hungUp, 'd');
      await later(late, '2026-11-25T10:00:00Z');
      await later(early, '2026-11-24T10:00:00Z');
      expect((await store.calls.listCallbacks([from], 9)).map(({ id }) => id)).toEqual([early.id, late.id]);
      const now = Date.now() + 1000;
      const prune = { callsBefore: now, eventsBefore: 0, now, limit: 1000 };
      await store.maintenance.prune(prune);
      expect(await store.calls.find(early.id)).toBeDefined();
      await later(early, null, 1);
      while ((await store.maintenance.prune(prune)) > 0);
      expect(await store.calls.find(early.id)).toBeUndefined();
      expect(await store.calls.find(late.id)).toBeDefined();
    });
  });
});
