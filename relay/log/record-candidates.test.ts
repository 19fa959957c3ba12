/** Calls that were not placed from a record, with a CRM that is a source of names and takes entries. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeOdoo, startFakeOdoo } from '../../testing/crm/fake-odoo.ts';
import { hangup, newClick, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';

const folder = await temporaryFolder();
const origin = 'https://crm.example';
const known = { one: '4833224455', several: '4833224466', none: '4833224477' };

let crm: FakeOdoo;
let relay: TestRelay;
let agent: string;
beforeAll(async () => {
  crm = await startFakeOdoo([
    { id: 7, name: 'Ana Prado', phone: '+55 48 3322-4455' },
    { id: 8, name: 'Rui Costa', phone: '(48) 3322-4466' },
    { id: 9, name: 'Eva Luz', phone: '048 3322 4466' },
  ]);
  await writeFile(folder.file('rules.json'), JSON.stringify({ templates: [{ preset: 'odoo', origin }] }));
  relay = await startTestRelay({
    COUNTRY: 'BR',
    AREA_CODE: '48',
    RULES_FILE: folder.file('rules.json'),
    ...crm.relaySettings,
  });
  agent = await relay.agent('1105');
  const names = () => relay.ask('/v1/numbers/status', { as: agent, body: { numbers: ['+554833224466'] } });
  await until(async () => (await names()).body.numbers[0].count === 2, 'the names', 20_000);
});
afterAll(async () => {
  await relay.stop();
  await crm.stop();
  await folder.remove();
});

async function place(to: string, more: object = {}) {
  const body = { to, placedBy: 'client', ...more };
  const placed = await relay.ask('/v1/calls', { as: agent, body, headers: newClick() });
  expect(placed.status).toBe(201);
  const path = new URL(placed.body.returnUrl).pathname;
  const id: string = placed.body.call.id;
  return { id, call: placed.body.call, end: () => relay.ask(path, { body: hangup() }) };
}
const read = async (id: string) => (await relay.ask(`/v1/calls/${id}`, { as: agent })).body;
const choose = async (id: string, record: object) =>
  (await relay.ask(`/v1/calls/${id}/record`, { as: agent, body: record })).body;
const candidatesOf = async (id: string): Promise<{ name: string; record: { url: string } }[]> =>
  (await relay.ask(`/v1/calls/${id}/records`, { as: agent })).body.candidates;
const wrapUp = (id: string) =>
  relay.ask(`/v1/calls/${id}/wrap-up`, {
    ...{ as: agent, method: 'PATCH', body: { outcome: 'reached' }, headers: { 'if-match': '0' } },
  });

it('reads a number that was dialled without its area code', async () => {
  const { call } = await place('33224455');
  expect(call).toMatchObject({ name: 'Ana Prado', record: { system: 'odoo', id: '7' } });
});

it('logs a call without a record on the only one that has its number', async () => {
  const { id, call, end } = await place(known.one);
  expect(call.record).toMatchObject({ system: 'odoo', kind: 'res.partner', id: '7' });
  await end();
  await wrapUp(id);
  await until(async () => (await read(id)).entry.state === 'done', 'the entry');
  expect(crm.notes(7)).toHaveLength(1);
});

it('asks the agent where several records have the number, then logs on the chosen one', async () => {
  const { id, call, end } = await place(known.several);
  expect([call.record, call.entry]).toEqual([undefined, undefined]);
  await end();
  expect((await read(id)).entry).toEqual({ state: 'needsAgent', system: '', reason: 'severalRecords' });
  expect((await candidatesOf(id)).map(({ name }) => name).sort()).toEqual(['Eva Luz', 'Rui Costa']);
  await wrapUp(id);
  expect((await read(id)).entry.state).toBe('needsAgent');
  await choose(id, { system: 'odoo', kind: 'res.partner', id: '9' });
  await until(async () => (await read(id)).entry.state === 'done', 'the entry');
  expect([crm.notes(8).length, crm.notes(9).length]).toEqual([0, 1]);
});

it('asks the agent where no record has the number, until the call is not to be logged', async () => {
  const { id, end } = await place(known.none);
  await end();
  expect((await read(id)).entry).toMatchObject({ state: 'needsAgent', reason: 'noRecord' });
  expect(await candidatesOf(id)).toEqual([]);
  expect((await choose(id, { none: true })).entry).toBeUndefined();
});

it('looks for no record where the agent wants none', async () => {
  const { id, call, end } = await place(known.one, { record: { none: true } });
  expect(call.record).toBeUndefined();
  await end();
  expect((await read(id)).entry).toBeUndefined();
});

it.each(['recordUnknown', 'recordNotShown'] as const)(
  'asks for a record that the agent chooses later, also where one would be found: %s',
  async (choose) => {
    const { id, call, end } = await place(known.one, { record: { choose } });
    expect(call.record).toBeUndefined();
    await end();
    expect((await read(id)).entry).toMatchObject({ state: 'needsAgent', reason: choose });
  },
);

it('finds the same call again by its Idempotency-Key, whatever the directory knows by then', async () => {
  const headers = newClick();
  const body = { to: known.several, placedBy: 'client' };
  const first = await relay.ask('/v1/calls', { as: agent, body, headers });
  const again = await relay.ask('/v1/calls', { as: agent, body, headers });
  expect([again.status, again.body.call.id]).toEqual([201, first.body.call.id]);
});
