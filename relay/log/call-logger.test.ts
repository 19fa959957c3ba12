/** Law 8: a call is logged once, on the record that was shown; where it cannot be, the agent learns why. */
import { afterEach, expect, it, vi } from 'vitest';
import type { Fact } from '../../shared/call/call.ts';
import type { CrmFault } from '../../testing/crm/fake-redmine.ts';
import { hungUp, type LoggingWorld, marked, startLoggingWorld } from '../../testing/crm/logging-world.ts';
import { until } from '../../testing/until.ts';
import type { Amendment } from '../store/amendment.ts';
import { dueEntries, mayRemain, unsureMs, wrapUpWindowMs } from './call-log.ts';
import { maxRequestMs } from './connectors/crm-client.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function world(): Promise<LoggingWorld> {
  const started = await startLoggingWorld();
  stops.push(() => started.stop());
  return started;
}

const all = { system: 'crm', now: 0, limit: 0 };
const at = '2026-11-23T12:01:00.000Z';

it('logs a call once its wrap-up window is over, with who, when, how long', async () => {
  const here = await world();
  const call = await here.place();
  await here.apply(call, hungUp);
  expect(await here.entryOf(call)).toEqual({ state: 'waiting', system: 'crm' });
  here.advance(wrapUpWindowMs);
  await here.drain(call, 'done');
  expect(here.crm.notes('4711')).toEqual([
    [
      'Answered, talked 0:42',
      `1105 called ${call.to}`,
      '2026-11-23 09:00:05 -03:00',
      `dialmark:${call.id}`,
    ].join('\n'),
  ]);
  expect(await here.entryOf(call)).toMatchObject({ state: 'done', url: `${call.record!.url}#change-1` });
});

it('logs at once when the wrap-up is saved', async () => {
  const here = await world();
  const call = await here.place();
  await here.apply(call, hungUp);
  await here.wrapUp(call, { outcome: 'reached', note: 'Wants a <b>quote</b>\u0000\u202E\uD83D' }, 0);
  await here.drain(call, 'done');
  expect(here.crm.notes('4711')[0]).toContain('\nOutcome: Reached\nWants a <b>quote</b>\n');
});

it("says an outcome by the words of the agent's team", async () => {
  const here = await world();
  const call = await here.placeAndEnd();
  const effect = { label: { en: 'Sold' } };
  const amendment = { kind: 'wrapUp', request: { outcome: 'sold' }, revision: 0, effect } as const;
  await here.store.calls.amend({ callId: call.id, amendment, now: Date.parse(hungUp.at) });
  await here.drain(call, 'done');
  expect(here.crm.notes('4711')[0]).toContain('\nOutcome: Sold\n');
});

it('appends a later change under a marker of its own', async () => {
  const here = await world();
  const call = await here.placeAndEnd();
  await here.drain(call, 'done');
  await here.wrapUp(call, { note: 'Called back herself' }, 0);
  await here.drain(call, 'done');
  await until(() => here.crm.notes('4711').length === 2, 'the second part');
  expect(here.crm.notes('4711')[1]).toMatch(
    new RegExp(`^Later: .*Called back herself\ndialmark:${call.id}/2$`, 's'),
  );
});

it('appends a callback that was agreed later, but not that it was put off or closed', async () => {
  const here = await world();
  const call = await here.placeAndEnd();
  await here.drain(call, 'done');
  await here.wrapUp(call, { callBackAt: '2026-11-24T15:00:00Z' }, 0);
  await here.drain(call, 'done');
  await until(() => here.crm.notes('4711').length === 2, 'the callback');
  expect(here.crm.notes('4711')[1]).toContain('Call back: 2026-11-24 12:00:00 -03:00');
  await here.wrapUp(call, { callBackAt: '2026-11-25T15:00:00Z' }, 1);
  expect(await here.entryOf(call)).toMatchObject({ state: 'done' });
  await here.wrapUp(call, { callBackAt: null }, 2);
  expect(await here.entryOf(call)).toMatchObject({ state: 'done' });
  await here.wrapUp(call, { note: 'Not interested' }, 3);
  await here.drain(call, 'done');
  await until(() => here.crm.notes('4711').length === 3, 'the note');
});

it('says once what was saved while the first entry waited for its second attempt', async () => {
  const here = await world();
  here.crm.failNext('tooMany');
  const call = await here.placeAndEnd();
  here.wake();
  await until(async () => (await here.entryOf(call))?.reason === 'tooManyRequests', 'the refusal');
  await here.wrapUp(call, { outcome: 'reached', note: 'Wants a quote' }, 0);
  here.advance(120_000);
  here.wake();
  await until(async () => (await here.store.calls.listDueEntries(all)).pending === 0, 'all entries');
  expect(here.crm.notes('4711').map((note) => note.includes('Wants a quote'))).toEqual([true]);
});

it.each<CrmFault>(['cutAfter', 'error500After', 'halfBodyAfter'])(
  'finds an entry whose answer was lost by %s, instead of creating it again',
  async (fault) => {
    const here = await world();
    here.crm.failNext(fault);
    const call = await here.placeAndEnd();
    await here.drain(call, 'unsure');
    here.advance(60_000);
    await here.drain(call, 'done');
    expect(marked(here.crm, call)).toHaveLength(1);
  },
);

it.each<[CrmFault, string]>([
  ['cutBefore', 'unsure'],
  ['error500Before', 'unsure'],
  ['login', 'unsure'],
  ['tooMany', 'waiting'],
  ['redirect', 'waiting'],
])('creates an entry that %s kept from being created, once', async (fault, state) => {
  const here = await world();
  here.crm.failNext(fault);
  const call = await here.placeAndEnd();
  await here.drain(call, state);
  await until(async () => (await here.entryOf(call))?.reason !== undefined, 'the failure');
  expect(here.crm.notes('4711')).toEqual([]);
  here.advance(120_000);
  await here.drain(call, 'done');
  expect(marked(here.crm, call)).toHaveLength(1);
});

it('looks for an entry before it creates it again, after a crash while it was being sent', async () => {
  const here = await world();
  const call = await here.placeAndEnd();
  // Another process claimed the entry, created it and died.
  await here.store.calls.amend({
    callId: call.id,
    amendment: { kind: 'claimEntry', system: 'crm', until: Date.parse('2026-11-23T12:03:00Z') },
    now: Date.parse('2026-11-23T12:02:00Z'),
  });
  await fetch(`${here.crm.url}/issues/4711.json`, {
    method: 'PUT',
    body: JSON.stringify({ issue: { notes: `Answered\ndialmark:${call.id}` } }),
  });
  here.advance(120_000);
  await here.drain(call, 'done');
  expect(marked(here.crm, call)).toHaveLength(1);
});

it.each([
  ['is gone', '9999', undefined, 'notFound'],
  ['is closed to the relay', '4711', 'forbidden', 'forbidden'],
] as const)('asks the agent where the record %s', async (_what, issue, fault, reason) => {
  const here = await world();
  if (fault) here.crm.failNext(fault);
  const call = await here.place(issue);
  await here.apply(call, hungUp);
  here.advance(wrapUpWindowMs);
  await here.drain(call, 'needsAgent');
  expect(await here.entryOf(call)).toEqual({ state: 'needsAgent', system: 'crm', reason });
  // One click on another record: logged there.
  await here.choose(call, here.recordOf('4712'));
  here.advance(wrapUpWindowMs + 300_000);
  await here.drain(call, 'done');
  expect(marked(here.crm, call, '4712')).toHaveLength(1);
});

it('amends the entry of a record that the call was moved away from', async () => {
  const here = await world();
  const call = await here.placeAndEnd();
  await here.drain(call, 'done');
  const record = here.recordOf('4712');
  await here.choose(call, record);
  here.advance(wrapUpWindowMs);
  await here.drain(call, 'done');
  await until(() => here.crm.notes('4711').length === 2, 'the amendment');
  expect(here.crm.notes('4711')[1]).toBe(
    `This call belongs to another record: ${record.url}\ndialmark:${call.id}/2`,
  );
  expect(marked(here.crm, call, '4712')).toHaveLength(1);
});

const left = (['tooMany', 'cutBefore', 'error500Before'] as const).flatMap((fault) => [
  [fault, '4712'] as const,
  [fault, undefined] as const,
]);

it.each(left)('writes nothing on a record that was left after %s for %s', async (fault, issue) => {
  const here = await world();
  here.crm.failNext(fault);
  const call = await here.placeAndEnd();
  await here.drain(call, fault === 'tooMany' ? 'waiting' : 'unsure');
  await until(async () => (await here.entryOf(call))?.reason !== undefined, 'the failure');
  await here.choose(call, issue === undefined ? undefined : here.recordOf(issue));
  here.advance(wrapUpWindowMs);
  here.wake();
  await until(async () => (await here.store.calls.listDueEntries(all)).pending === 0, 'all entries');
  expect(here.crm.notes('4711')).toEqual([]);
  expect(marked(here.crm, call, '4712')).toHaveLength(issue ? 1 : 0);
  expect(await here.store.calls.listUnlogged(10)).toEqual([]);
});

it.each([
  ['another one', '4712', 'This call belongs to another record: '],
  ['none', undefined, 'The agent took this call off the record'],
])('amends an entry that is found on a record that was left for %s', async (_what, issue, said) => {
  const here = await world();
  here.crm.failNext('cutAfter');
  const call = await here.placeAndEnd();
  await here.drain(call, 'unsure');
  await here.choose(call, issue === undefined ? undefined : here.recordOf(issue));
  here.advance(wrapUpWindowMs);
  here.wake();
  await until(() => here.crm.notes('4711').length === 2, 'the amendment');
  expect(marked(here.crm, call)).toHaveLength(1);
  expect(here.crm.notes('4711')[1]).toContain(said);
});

it('writes nothing on a record that was left after the claim, before the request', async () => {
  const here = await world();
  const call = await here.placeAndEnd();
  const { amend } = here.store.calls;
  const spied = vi.spyOn(here.store.calls, 'amend').mockImplementation(async (one) => {
    const amended = await amend.call(here.store.calls, one);
    if (one.amendment.kind !== 'claimEntry') return amended;
    spied.mockRestore();
    await here.choose(call, here.recordOf('4712'));
    return amended;
  });
  here.wake();
  await here.drain(call, 'waiting');
  here.advance(wrapUpWindowMs);
  await here.drain(call, 'done');
  await until(async () => (await here.store.calls.listDueEntries(all)).pending === 0, 'all entries');
  expect(here.crm.notes('4711')).toEqual([]);
  expect(marked(here.crm, call, '4712')).toHaveLength(1);
});

it('leaves a dead entry alone where the operator tries a call again that was moved', async () => {
  const here = await world();
  const call = await here.placeAndEnd();
  const now = Date.parse(hungUp.at) + wrapUpWindowMs;
  const amend = (amendment: Amendment) => here.store.calls.amend({ callId: call.id, amendment, now });
  await amend({ kind: 'claimEntry', system: 'crm', until: now });
  const claim = { system: 'crm', record: call.record!, part: 1, attempts: 1 };
  await amend({ kind: 'settleEntry', claim, outcome: { kind: 'dead', reason: 'unreachable' } });
  await here.choose(call, here.recordOf('4712'));
  here.advance(wrapUpWindowMs);
  await here.drain(call, 'done');
  expect(await here.store.calls.listUnlogged(10)).toEqual([]);
  await amend({ kind: 'retryEntries' });
  expect(await here.store.calls.listDueEntries(all)).toEqual({ callIds: [], pending: 0 });
});

it('tries a record again that the agent chooses again', async () => {
  const here = await world();
  here.crm.failNext('forbidden');
  const call = await here.placeAndEnd();
  await here.drain(call, 'needsAgent');
  await here.choose(call, here.recordOf('4711'));
  await here.drain(call, 'done');
  expect(marked(here.crm, call)).toHaveLength(1);
});

it('says once what was saved while an entry asked the agent', async () => {
  const here = await world();
  here.crm.failNext('forbidden');
  const call = await here.placeAndEnd();
  await here.drain(call, 'needsAgent');
  await here.wrapUp(call, { outcome: 'reached', note: 'Wants a quote' }, 0);
  const isSettled = async () => (await here.store.calls.listDueEntries(all)).pending === 0;
  here.wake();
  await until(isSettled, 'what the change made due');
  await here.choose(call, here.recordOf('4711'));
  here.wake();
  await until(isSettled, 'the record that was chosen');
  expect(here.crm.notes('4711').map((note) => note.includes('Wants a quote'))).toEqual([true]);
});

it('tries a record again that the agent comes back to', async () => {
  const here = await world();
  here.crm.failNext('forbidden');
  const call = await here.placeAndEnd();
  await here.drain(call, 'needsAgent');
  await here.choose(call, undefined);
  await here.choose(call, here.recordOf('4711'));
  here.advance(wrapUpWindowMs);
  await here.drain(call, 'done');
  expect(marked(here.crm, call)).toHaveLength(1);
});

it.each([
  ['takes an entry', 'done'],
  ['refuses an entry', 'needsAgent'],
])('sends what failed during an outage once the CRM is back, where it %s', async (_what, state) => {
  const here = await world();
  const [early, late] = [await here.place(), await here.place('4712')];
  await here.apply(early, hungUp);
  here.advance(wrapUpWindowMs);
  for (const delay of [1, 5, 30, 120, 600]) {
    here.crm.failNext('error500Before');
    here.advance(delay * 1300);
    here.wake();
    const requests = here.crm.requests.length;
    await until(() => here.crm.requests.length > requests, 'the attempt');
    await until(async () => (await here.entryOf(early))?.state !== 'sending', 'its end');
    here.advance(wrapUpWindowMs);
  }
  await here.apply(late, hungUp);
  here.advance(wrapUpWindowMs);
  if (state === 'needsAgent') here.crm.failNext('forbidden');
  await here.drain(late, state);
  here.advance(unsureMs);
  await here.drain(early, 'done');
  expect(marked(here.crm, early)).toHaveLength(1);
});

it('has a record due no sooner than the first of the entries that wait there', () => {
  const record = { system: 'crm', kind: 'issue', id: '4711', url: '' };
  const entry = { system: 'crm', record, kind: 'call', attempts: 1, basis: '' } as const;
  const entries = [
    { ...entry, part: 1, state: 'waiting', due: 2000 } as const,
    { ...entry, part: 2, state: 'unsure', due: 1000 } as const,
  ];
  expect(dueEntries({ systems: ['crm'], entries })).toMatchObject([{ due: 2000 }]);
});

it('pauses for more than twice a request', () => {
  expect(unsureMs).toBeGreaterThan(2 * maxRequestMs);
});

it('logs calls on one record in their order', async () => {
  const here = await world();
  const first = await here.place();
  const second = await here.place();
  await here.apply(second, hungUp);
  await here.wrapUp(second, { outcome: 'busy' }, 0);
  await here.apply(first, hungUp);
  await here.wrapUp(first, { outcome: 'reached' }, 0);
  await here.drain(second, 'done');
  expect(here.crm.notes('4711').map((note) => note.split('\n').at(-1))).toEqual([
    `dialmark:${first.id}`,
    `dialmark:${second.id}`,
  ]);
});

it.each<[string, Fact, boolean]>([
  ['refused', { kind: 'refused', at, error: { code: 'refusedByProvider', message: '' } }, false],
  ['not sent', { kind: 'notSent', at, error: { code: 'unreachable', message: '' } }, false],
  [
    'not answered by the service',
    { kind: 'notAnswered', at, error: { code: 'noAnswerInTime', message: '' } },
    true,
  ],
  ['without a notification', { kind: 'noNotification', at }, true],
])('of a call that was %s, logs only what may have rung', async (_what, fact, isLogged) => {
  const here = await world();
  const call = await here.place();
  await here.apply(call, fact);
  here.advance(wrapUpWindowMs);
  await here.drain(call, isLogged ? 'done' : 'none');
  expect(here.crm.notes('4711')).toHaveLength(isLogged ? 1 : 0);
});

it('appends the end of a call whose end came after its entry', async () => {
  const here = await world();
  const call = await here.place();
  await here.apply(call, { kind: 'noNotification', at });
  here.advance(wrapUpWindowMs);
  await here.drain(call, 'done');
  await here.apply(call, hungUp);
  await here.drain(call, 'done');
  await until(() => here.crm.notes('4711').length === 2, 'the end');
  expect(here.crm.notes('4711')[1]).toMatch(/^Later: Answered, talked 0:42\n/);
});

it('keeps known that an entry may be in the CRM which was dropped while unsure', async () => {
  const here = await world();
  here.crm.failNext('cutAfter');
  const call = await here.placeAndEnd();
  await here.drain(call, 'unsure');
  const now = Date.parse(hungUp.at);
  await here.store.calls.amend({ callId: call.id, amendment: { kind: 'dropEntries' }, now });
  expect(await here.entryOf(call)).toEqual({ state: 'none', system: 'crm' });
  expect(await here.store.calls.listUnlogged(10)).toEqual([]);
  const { calls } = await here.store.maintenance.findCallsOfNumber([call.to], '', 10);
  expect(calls.flatMap(({ entries }) => entries.filter(mayRemain))).toHaveLength(1);
  // Chosen again, its record is asked for the entry that is there.
  await here.choose(call, here.recordOf('4711'));
  here.advance(unsureMs);
  await here.drain(call, 'done');
  expect(marked(here.crm, call)).toHaveLength(1);
});
