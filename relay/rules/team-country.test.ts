/** A team whose numbers are of another country than the relay's, with the names and records of a CRM. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeOdoo, startFakeOdoo } from '../../testing/crm/fake-odoo.ts';
import { newClick, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';

const folder = await temporaryFolder();
const everyDay = { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '24:00' };
const never = { ...everyDay, to: '00:00' };

let crm: FakeOdoo;
let relay: TestRelay;
let liz: string;
let marta: string;
beforeAll(async () => {
  crm = await startFakeOdoo([
    { id: 7, name: 'Ann Lee', phone: '+1 415-555-2671' },
    { id: 8, name: 'Ana Prado', phone: '+55 41 5555-2671' },
  ]);
  const teams = { us: { numbers: { country: 'US' }, callingHours: { BR: never, other: everyDay } }, br: {} };
  const templates = [{ preset: 'odoo', origin: 'https://crm.example' }];
  await writeFile(folder.file('rules.json'), JSON.stringify({ templates, teams }));
  relay = await startTestRelay({
    COUNTRY: 'BR',
    DIAL_BLOCKED_PREFIXES: '+1415555268',
    RULES_FILE: folder.file('rules.json'),
    ...crm.relaySettings,
  });
  liz = await relay.member('1105', { team: 'us' });
  marta = await relay.member('1106', { team: 'br' });
  const names = async (number: string) =>
    (await relay.ask('/v1/numbers/status', { as: liz, body: { numbers: [number] } })).body.numbers[0].count;
  await until(async () => (await names('+14155552671')) === 1, 'the names', 20_000);
});
afterAll(async () => {
  await relay.stop();
  await crm.stop();
  await folder.remove();
});

const place = async (to: string, as: string) =>
  (await relay.ask('/v1/calls', { as, body: { to, placedBy: 'client' }, headers: newClick() })).body;
const list = async (number: string, as: string) =>
  (await relay.ask('/v1/rules/do-not-call', { as, body: { number } })).body.number;

it("takes name, record, hours from the number as the team's country has it", async () => {
  const { call } = await place('4155552671', liz);
  expect(call).toMatchObject({ name: 'Ann Lee', record: { id: '7' } });
  const { call: other } = await place('4155552671', marta);
  expect(other).toMatchObject({ name: 'Ana Prado', record: { id: '8' } });
});

it("refuses a listed number in every form that the team's country dials", async () => {
  expect(await list('(415) 555-2672', liz)).toBe('+14155552672');
  for (const to of ['4155552672', '14155552672', '0114155552672', '0014155552672'])
    expect([to, (await place(to, liz)).code]).toEqual([to, 'doNotCall']);
});

it("judges what the operator forbids by the team's country", async () => {
  expect((await place('4155552681', liz)).code).toBe('numberNotAllowed');
  expect((await place('4155552681', marta)).call).toMatchObject({ to: '4155552681' });
});

it("refuses what the relay's own line would make of the digits", async () => {
  expect(await list('41 5555-2673', marta)).toBe('+554155552673');
  expect((await place('4155552673', liz)).code).toBe('doNotCall');
});
