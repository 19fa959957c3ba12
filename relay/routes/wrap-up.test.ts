/** Records, wrap-ups, callbacks and rules over HTTP, with a CRM that takes the entries. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeRedmine, startFakeRedmine } from '../../testing/crm/fake-redmine.ts';
import {
  hangup,
  newClick,
  readEvents,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';

const origin = 'https://crm.example';
const record = { system: 'crm', kind: 'issue', id: '4711' };
const folder = await temporaryFolder();
const rulesFile = folder.file('rules.json');
const writeRules = (rules: object) => writeFile(rulesFile, JSON.stringify(rules));

let crm: FakeRedmine;
let relay: TestRelay;
let agent: string;
beforeAll(async () => {
  crm = await startFakeRedmine('4711', '4713', '4714', '4715', '4716');
  await writeRules({
    templates: [{ preset: 'redmine', system: 'crm', origin }],
    teams: { careful: { requireOutcome: true } },
  });
  relay = await startTestRelay({
    RULES_FILE: rulesFile,
    CRM_CRM_KIND: 'redmine',
    CRM_CRM_URL: crm.url,
    CRM_CRM_TOKEN: 'k',
  });
  agent = await relay.agent('1105');
});
afterAll(async () => {
  await relay.stop();
  await crm.stop();
  await folder.remove();
});

const place = (body: object, as = agent) =>
  relay.ask('/v1/calls', {
    as,
    body: { to: '4833224455', placedBy: 'client', ...body },
    headers: newClick(),
  });
const wrapUp = (id: string, body: object, revision: string | undefined, as = agent) =>
  relay.ask(`/v1/calls/${id}/wrap-up`, {
    as,
    method: 'PATCH',
    body,
    headers: revision === undefined ? {} : { 'if-match': revision },
  });

it('links a record by a template of its own', async () => {
  const { status, body } = await place({ record });
  expect(status).toBe(201);
  expect(body.call.record).toEqual({ ...record, url: `${origin}/issues/4711` });
});

it.each([
  ['an unknown system', { ...record, system: 'other' }],
  ['an unknown kind', { ...record, kind: 'lead' }],
  ['an id of another form', { ...record, id: 'abc' }],
])('refuses a record with %s', async (_what, wrong) => {
  const { status, body } = await place({ record: wrong });
  expect([status, body.code]).toEqual([422, 'recordUnknown']);
});

it('takes the record for a part of what an Idempotency-Key means', async () => {
  const headers = newClick();
  const ask = (body: object) => relay.ask('/v1/calls', { as: agent, body, headers });
  const request = { to: '4833224455', placedBy: 'client', record };
  expect((await ask(request)).status).toBe(201);
  expect((await ask(request)).status).toBe(201);
  expect((await ask({ ...request, record: { ...record, id: '4712' } })).status).toBe(422);
});

it('logs a call as soon as its wrap-up is saved', async () => {
  const { body } = await place({ record });
  const { call, returnUrl } = body;
  const notification = { event: 'hangup', from: '1105', to: '4833224455', billsec: '42', duration: '50' };
  await relay.ask(new URL(returnUrl).pathname, { body: notification });
  const saved = await wrapUp(call.id, { outcome: 'reached', note: 'Wants a quote' }, '0');
  expect(saved.body.wrapUp).toMatchObject({ outcome: 'reached', note: 'Wants a quote', revision: 1 });
  const current = () => relay.ask(`/v1/calls/${call.id}`, { as: agent });
  await until(async () => (await current()).body.entry.state === 'done', 'the entry');
  expect(crm.notes('4711').filter((note) => note.endsWith(`dialmark:${call.id}`))).toHaveLength(1);
});

it('asks for the outcome of the last call before the next one, where the rules require it', async () => {
  const careful = await relay.member('1107', { team: 'careful' });
  const headers = newClick();
  const body = { to: '4833224455', placedBy: 'client', record };
  const first = () => relay.ask('/v1/calls', { as: careful, body, headers });
  const { call, returnUrl } = (await first()).body;
  const notification = { event: 'hangup', from: '1107', to: '4833224455', billsec: '42', duration: '50' };
  await relay.ask(new URL(returnUrl).pathname, { body: notification });
  const { status, body: problem } = await place({ record }, careful);
  expect([status, problem.code, problem.call]).toEqual([409, 'outcomeRequired', undefined]);
  // A repeated request gets its call all the same.
  expect((await first()).body.call.id).toBe(call.id);
  await wrapUp(call.id, { outcome: 'reached' }, '0', careful);
  expect((await place({ record }, careful)).status).toBe(201);
});

it('asks for no outcome of a call that was not placed, but of the last one that was', async () => {
  const careful = await relay.member('1108', { team: 'careful' });
  const placeNothing = async (as: string) => {
    const { call } = (await place({ record, to: '4833225501' }, as)).body;
    const body = { error: { kind: 'notSent', code: 'unreachable', message: 'Nothing was sent' } };
    expect((await relay.ask(`/v1/calls/${call.id}/reply`, { as, body })).body.state).toBe('failed');
  };
  await placeNothing(careful);
  const { status, body } = await place({ record, to: '4833225502' }, careful);
  expect(status).toBe(201);
  await relay.ask(new URL(body.returnUrl).pathname, { body: hangup() });
  // A key without a team needs no outcome.
  await placeNothing(await relay.agent('1108'));
  expect((await place({ record }, careful)).body.code).toBe('outcomeRequired');
});

it('places calls, takes notifications while the CRM hangs with all entries it may get at once', async () => {
  const held: (() => void)[] = [];
  crm.failNext(...Array.from({ length: 4 }, () => (add: () => void) => void held.push(add)));
  const calls: { id: string }[] = [];
  const hanging = ['4713', '4714', '4715', '4716', '4713'];
  for (const id of hanging) {
    const { status, body } = await place({ record: { ...record, id } });
    expect(status).toBe(201);
    await wrapUp(body.call.id, { outcome: 'reached' }, '0');
    const end = { event: 'hangup', from: '1105', to: '4833224455', billsec: '42', duration: '50' };
    expect((await relay.ask(new URL(body.returnUrl).pathname, { body: end })).status).toBe(200);
    calls.push(body.call);
  }
  await until(() => held.length === 4, 'four entries that hang');
  const { status, body } = await place({ record });
  expect([status, body.call.record.id]).toEqual([201, '4711']);
  for (const add of held) add();
  const entryOf = async ({ id }: { id: string }) => (await relay.store.calls.find(id))!.call.entry?.state;
  for (const call of calls) await until(async () => (await entryOf(call)) === 'done', 'the entry');
});

it('answers 412 with the current wrap-up where another one was saved meanwhile', async () => {
  const { id } = (await place({})).body.call;
  await wrapUp(id, { note: 'first' }, '0');
  const { status, body } = await wrapUp(id, { note: 'second' }, '"0"');
  expect([status, body.code, body.call.wrapUp.note]).toEqual([412, 'outdated', 'first']);
  expect((await wrapUp(id, { note: 'second' }, '1')).status).toBe(200);
});

it('names the outcomes that exist to who sends another', async () => {
  const { id } = (await place({})).body.call;
  const { status, body } = await wrapUp(id, { outcome: 'sold' }, '0');
  expect(status).toBe(422);
  expect(body.outcomes.map(({ code }: { code: string }) => code)).toContain('reached');
});

it.each([
  ['no If-Match', { note: 'x' }, undefined, 428],
  ['a note over 10,000 characters', { note: 'x'.repeat(10_001) }, '0', 400],
  ['a note of 1 MB', { note: 'x'.repeat(1_048_576) }, '0', 413],
  ['a time that is none', { callBackAt: 'tomorrow' }, '0', 400],
  ['an unknown field', { mood: 'good' }, '0', 400],
])('refuses a wrap-up with %s', async (_what, body, revision, status) => {
  const { id } = (await place({})).body.call;
  expect((await wrapUp(id, body, revision)).status).toBe(status);
});

it('lists callbacks of the key until they are closed', async () => {
  const { id } = (await place({})).body.call;
  await wrapUp(id, { outcome: 'callAgain', callBackAt: '2026-11-24T15:00:00-03:00' }, '0');
  const ids = async (as: string) =>
    (await relay.ask('/v1/callbacks', { as })).body.calls.map((call: { id: string }) => call.id);
  expect(await ids(agent)).toContain(id);
  expect(await ids(await relay.agent('1106'))).toEqual([]);
  await wrapUp(id, { callBackAt: null }, '1');
  expect(await ids(agent)).not.toContain(id);
});

it('shows a callback that was handed over to the colleague alone, who can close it', async () => {
  const colleague = await relay.agent('1106');
  const { call, returnUrl } = (await place({})).body;
  const { id } = call;
  const callbacks = async (as: string) =>
    (await relay.ask('/v1/callbacks', { as })).body.calls.map((call: { id: string }) => call.id);
  const callBackAt = '2026-11-24T15:00:00Z';
  await relay.ask(new URL(returnUrl).pathname, { body: hangup() });
  expect((await wrapUp(id, { callBackAt, callBackBy: '1106' }, '0')).status).toBe(200);
  expect(await callbacks(agent)).not.toContain(id);
  expect(await callbacks(colleague)).toContain(id);
  // Put off by the colleague, it stays theirs.
  expect(
    (await wrapUp(id, { callBackAt: '2026-11-25T15:00:00Z' }, '1', colleague)).body.wrapUp,
  ).toMatchObject({
    ...{ callBackAt: '2026-11-25T15:00:00.000Z', callBackBy: '1106' },
  });
  expect((await wrapUp(id, { callBackAt: null }, '2', colleague)).body.wrapUp).toEqual({ revision: 3 });
  expect(await callbacks(colleague)).not.toContain(id);
  expect((await wrapUp(id, { note: 'x' }, '3', colleague)).status).toBe(404);
});

it.each([
  ['no key', '9999'],
  ["a site's key alone", '1198'],
  ['an expired key alone', '1199'],
])('refuses to hand a callback over to an extension with %s', async (_what, callBackBy) => {
  await relay.site('https://other.example', '1198');
  const at = { createdAt: '2020-01-01T00:00:00.000Z', expiresAt: '2021-01-01T00:00:00.000Z' };
  const key = { id: 'gone', name: '', hash: 'gone', origins: [], callers: ['1199'] };
  if (callBackBy === '1199') await relay.store.keys.add({ kind: 'agent', ...key, ...at });
  const { call } = (await place({})).body;
  const { status, body } = await wrapUp(call.id, { callBackAt: '2026-11-24T15:00:00Z', callBackBy }, '0');
  expect([status, body.errors?.[0].path]).toEqual([422, 'callBackBy']);
});

it('shows a callback that is handed over at once on the streams of both', async () => {
  const { call, returnUrl } = (await place({})).body;
  await relay.ask(new URL(returnUrl).pathname, { body: hangup() });
  const streams = await Promise.all(
    [agent, await relay.agent('1106'), await relay.agent('1107')].map((key) => readEvents(relay.url, key)),
  );
  const [own, colleague, other] = streams.map(
    ({ frames }) =>
      () =>
        frames.some((frame) => frame.call?.id === call.id && frame.call.wrapUp?.callBackBy === '1106'),
  );
  await wrapUp(call.id, { callBackAt: '2026-11-24T15:00:00Z', callBackBy: '1106' }, '0');
  await until(() => own!() && colleague!(), 'the callback on both streams');
  expect(other!()).toBe(false);
  for (const stream of streams) stream.close();
});

it('shows a callback that is taken back at once on the stream of who had it', async () => {
  const { call, returnUrl } = (await place({})).body;
  await relay.ask(new URL(returnUrl).pathname, { body: hangup() });
  const [first, second] = [await relay.agent('1106'), await relay.agent('1107')];
  const streams = await Promise.all([first, second].map((key) => readEvents(relay.url, key)));
  const holders = streams.map(
    ({ frames }) =>
      () =>
        frames.filter((frame) => frame.call?.id === call.id).map((frame) => frame.call!.wrapUp?.callBackBy),
  );
  await wrapUp(call.id, { callBackAt: '2026-11-24T15:00:00Z', callBackBy: '1106' }, '0');
  await wrapUp(call.id, { callBackBy: '1107' }, '1');
  await wrapUp(call.id, { callBackAt: null }, '2');
  await wrapUp(call.id, { note: 'Reached them' }, '3');
  await until(() => holders[1]!().length > 1, 'the end of the callback');
  expect(holders.map((of) => of())).toEqual([
    ['1106', '1107'],
    ['1107', undefined],
  ]);
  for (const stream of streams) stream.close();
});

it.each([
  ['closes', '48', false],
  ['keeps', '0', true],
])('%s the callback of a number whose next call had %s s of talk', async (_what, billsec, isKept) => {
  const number = `48332245${billsec.padStart(2, '0')}`;
  const first = (await place({ to: number })).body.call;
  const other = (await place({ to: '4833224499' })).body.call;
  for (const { id } of [first, other]) await wrapUp(id, { callBackAt: '2026-11-24T15:00:00Z' }, '0');
  const again = (await place({ to: `0${number}` })).body;
  await relay.ask(new URL(again.returnUrl).pathname, { body: hangup({ billsec }) });
  const ids = async () =>
    (await relay.ask('/v1/callbacks', { as: agent })).body.calls.map((call: { id: string }) => call.id);
  if (isKept) expect(await ids()).toContain(first.id);
  else await until(async () => !(await ids()).includes(first.id), 'the closed callback');
  expect(await ids()).toContain(other.id);
});

it('lists the finished calls without an outcome, page by page', async () => {
  const key = await relay.agent('1190');
  const calls = [];
  for (let n = 0; n < 4; n++) calls.push((await place({ from: '1190' }, key)).body);
  const [said, ended, running, alsoEnded] = calls.map(({ call }) => call.id as string);
  for (const { call, returnUrl } of calls)
    if (call.id !== running) await relay.ask(new URL(returnUrl).pathname, { body: hangup() });
  await wrapUp(said!, { outcome: 'reached' }, '0', key);
  const first = (await relay.ask('/v1/calls?outcome=missing&limit=1', { as: key })).body;
  expect(first.calls.map(({ id }: { id: string }) => id)).toEqual([alsoEnded]);
  const next = `/v1/calls?outcome=missing&before=${first.next}`;
  expect((await relay.ask(next, { as: key })).body.calls.map(({ id }: { id: string }) => id)).toEqual([
    ended,
  ]);
  expect((await relay.ask('/v1/calls?outcome=none', { as: key })).status).toBe(400);
});

it('hides record, wrap-up or name from a ticket without the right', async () => {
  const site = await relay.site('https://site.example', '1105');
  const ticketWith = async (rights: string[], more = {}) =>
    (await relay.ask('/v1/tickets', { as: site.key, body: { from: '1105', rights, ...more } })).body.ticket;
  const { id } = (await place({ record, name: ' Ana \u202ePrado ' })).body.call;
  await wrapUp(id, { note: 'private' }, '0');
  const read = async (ticket: string) => (await relay.ask(`/v1/calls/${id}`, { as: ticket })).body;
  expect(await read(await ticketWith(['watch']))).not.toHaveProperty('wrapUp');
  expect(await read(await ticketWith(['watch']))).not.toHaveProperty('record');
  expect(await read(await ticketWith(['watch', 'record']))).toMatchObject({ record: { id: '4711' } });
  expect(await read(await ticketWith(['watch', 'wrapUp']))).toMatchObject({ wrapUp: { note: 'private' } });
  expect(await read(await ticketWith(['watch']))).not.toHaveProperty('name');
  expect(await read(await ticketWith(['watch', 'names']))).toMatchObject({ name: 'Ana Prado' });
  const dialling = await ticketWith(['dial', 'watch', 'record'], { record });
  const refused = await place({ placedBy: 'relay', record }, dialling);
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  const named = await place({ placedBy: 'relay', name: 'Ana' }, await ticketWith(['dial']));
  expect([named.status, named.body.code]).toEqual([403, 'forbidden']);
});

it('reads a changed file again, but keeps its rules when the file becomes wrong', async () => {
  const rules = async () => (await relay.ask('/v1/rules', { as: agent })).body;
  await writeRules({ templates: [], outcomes: [{ code: 'sold', label: { en: 'Sold' } }] });
  await until(async () => (await rules()).outcomes[0].code === 'sold', 'the new rules', 20_000);
  await writeFile(rulesFile, '{ not json');
  expect((await rules()).outcomes[0].code).toBe('sold');
});
