/** Numbers that must not be called, leases, hours and attempts over HTTP, counted at the calling service. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newClick, readEvents, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { problemOfRule } from '../rules/call-rules.ts';

const folder = await temporaryFolder();
const rulesFile = folder.file('rules.json');
const everyDay = { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '24:00' };
const never = { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00' };

let provider: FakeProvider;
let relay: TestRelay;
let marta: string;
let rui: string;
let boss: string;
let outsider: string;
beforeAll(async () => {
  provider = await startFakeProvider();
  await writeFile(
    rulesFile,
    JSON.stringify({
      callingHours: { PT: never, other: everyDay },
      teams: {
        careful: { maxAttemptsPerDay: 2, requireOutcome: false },
        local: { numbers: { country: 'BR', areaCode: '48' } },
        night: { callingHours: { BR: never, other: never }, maxAttemptsPerDay: 1 },
      },
    }),
  );
  relay = await startTestRelay({
    COUNTRY: 'BR',
    DIAL_OUTSIDE_PREFIX: '0',
    DIAL_EXTENSIONS: '_11XX,_ZXXXXXXX',
    RULES_FILE: rulesFile,
    PROVIDER_URL: provider.url,
    PROVIDER_TOKEN: 't',
  });
  marta = await relay.member('1105', { name: 'Marta', team: 'sales' });
  rui = await relay.member('1106', { name: 'Rui', team: 'sales' });
  boss = await relay.member('1107', { name: 'Boss', rights: ['override', 'rules'] });
  outsider = await relay.member('2001', { name: 'Otto', team: 'support' });
});
afterAll(async () => {
  await relay.stop();
  provider.close();
  await folder.remove();
});

const call = (to: string, as: string, more: object = {}) =>
  relay.ask('/v1/calls', { as, body: { to, ...more }, headers: newClick() });
const list = (body: object, as = rui) => relay.ask('/v1/rules/do-not-call', { as, body });
const unlist = (body: object, as: string) =>
  relay.ask('/v1/rules/do-not-call', { as, method: 'DELETE', body });
const statusOf = async (as: string, ...numbers: string[]) =>
  (await relay.ask('/v1/numbers/status', { as, body: { numbers } })).body.numbers;
const dialled = (digits: string) =>
  provider.received.filter(({ fields }) => String(fields.to).endsWith(digits)).length;

const ticketOf = async (from: string, ...more: string[]) => {
  const site = await relay.site('https://tickets.example', from);
  const body = { from, rights: ['dial', ...more] };
  return (await relay.ask('/v1/tickets', { as: site.key, body })).body.ticket as string;
};

describe('a number that must not be called', () => {
  it('is refused with the name of who listed it, however it is dialled', async () => {
    const added = await list({ number: '(48) 9999-1001', reason: 'Said so on the phone' });
    expect([added.status, added.body.number]).toEqual([201, '+5548999991001']);
    for (const to of ['48999991001', '4899991001', '0048999991001', '0154899991001', '00155548999991001']) {
      const { status, body } = await call(to, marta);
      expect([to, status, body.code]).toEqual([to, 403, 'doNotCall']);
      expect(body.doNotCall).toEqual({ by: 'Rui', at: added.body.at, reason: 'Said so on the phone' });
    }
    expect(dialled('99991001')).toBe(0);
  });

  it("is refused with every area code where it was listed without the team's own", async () => {
    const lia = await relay.member('3101', { name: 'Lia', team: 'local' });
    const added = await list({ number: '99999-1012' }, lia);
    expect([added.status, added.body.number]).toEqual([201, '+5548999991012']);
    for (const to of ['48999991012', '5548999991012', '01548999991012', '4899991012'])
      expect([to, (await call(to, lia)).body.code]).toEqual([to, 'doNotCall']);
    expect((await call('99991012', lia)).body.code).toBe('doNotCall');
    expect(dialled('99991012')).toBe(0);
  });

  it('is called where an agent with the right overrides the list, with a reason', async () => {
    await list({ number: '+55 48 99999-1002' });
    const override = { reason: 'Asked for a call by mail' };
    expect((await call('48999991002', marta, { override })).body.code).toBe('forbidden');
    expect((await call('48999991002', boss)).body.code).toBe('doNotCall');
    expect((await call('48999991002', boss, { override: { reason: '' } })).status).toBe(400);
    expect((await call('48999991002', boss, { override })).status).toBe(201);
    expect(dialled('48999991002')).toBe(1);
    const { records } = await relay.store.rules.audit('1970-01-01T00:00:00Z', 1);
    expect(records[0]).toMatchObject({
      action: 'override',
      about: '+5548999991002',
      detail: override.reason,
    });
  });

  it('is taken off the list with the right alone', async () => {
    const number = '+55 48 99999-1003';
    await list({ number });
    expect((await unlist({ number }, rui)).status).toBe(403);
    expect((await unlist({ number: '48 9999-1003' }, boss)).status).toBe(204);
    expect((await unlist({ number }, boss)).status).toBe(404);
    expect((await call('48999991003', boss)).status).toBe(201);
  });

  it('is listed by an outcome that means so, with the note as its reason', async () => {
    const { body: placed } = await call('48999991004', boss, { from: '1107' });
    const wrapUp = { outcome: 'doNotCall', note: 'Wants to be left alone' };
    const headers = { 'if-match': '0' };
    const path = `/v1/calls/${placed.id}/wrap-up`;
    expect((await relay.ask(path, { as: boss, method: 'PATCH', body: wrapUp, headers })).status).toBe(200);
    const { body } = await call('48999991004', marta);
    expect(body.doNotCall).toMatchObject({ by: 'Boss', reason: 'Wants to be left alone' });
    const { entries } = (await relay.ask('/v1/rules/do-not-call?limit=100', { as: marta })).body;
    expect(entries).toContainEqual(expect.objectContaining({ number: '+5548999991004', source: 'wrapUp' }));
  });

  it('is taken off the list by the agent who listed it by mistake, with an audit record', async () => {
    const { body: placed } = await call('48999991014', rui);
    const choose = async (outcome: string, revision: number, as = rui) => {
      const headers = { 'if-match': String(revision) };
      const path = `/v1/calls/${placed.id}/wrap-up`;
      return (await relay.ask(path, { as, method: 'PATCH', body: { outcome }, headers })).status;
    };
    const isListed = async () => (await call('48999991014', boss)).body.code === 'doNotCall';
    expect([await choose('doNotCall', 0), await isListed()]).toEqual([200, true]);
    expect([await choose('reached', 1), await isListed()]).toEqual([200, false]);
    const removed = (await relay.store.rules.audit('1970-01-01T00:00:00Z', 20)).records.find(
      ({ action, about }) => action === 'doNotCall.remove' && about === '+5548999991014',
    );
    expect(removed?.callId).toBe(placed.id);
  });

  it('stays listed by another outcome where somebody else had listed it, or long ago', async () => {
    const { body: placed } = await call('48999991015', rui);
    await list({ number: '48999991015' }, marta);
    const path = `/v1/calls/${placed.id}/wrap-up`;
    for (const [revision, outcome] of ['doNotCall', 'reached'].entries())
      await relay.ask(path, {
        as: rui,
        method: 'PATCH',
        body: { outcome },
        headers: { 'if-match': String(revision) },
      });
    expect((await call('48999991015', boss)).body.code).toBe('doNotCall');
    const old = { by: 'Rui', at: '2026-01-01T00:00:00.000Z', source: 'wrapUp', number: '+5548999991016' };
    const { body: other } = await call('48999991016', rui);
    await relay.store.rules.list([{ key: '+5548999991016', entry: { ...old, callId: other.id } }], []);
    const body = { outcome: 'reached' };
    await relay.ask(`/v1/calls/${other.id}/wrap-up`, {
      ...{ as: rui, method: 'PATCH', body, headers: { 'if-match': '0' } },
    });
    expect((await call('48999991016', boss)).body.code).toBe('doNotCall');
  });

  it('is refused to a ticket without who listed it, when or why', async () => {
    await list({ number: '48 9999-1006', reason: 'Is in hospital' });
    const { status, body } = await call('48999991006', await ticketOf('1105'));
    expect(status).toBe(403);
    const { type, title, code, instance } = body;
    expect(body).toEqual({ type, title, code, instance, status });
    expect(code).toBe('doNotCall');
  });

  it('may be a prefix', async () => {
    await list({ prefix: '+55489888' });
    expect((await call('0154898887654', marta)).body.code).toBe('doNotCall');
  });

  it('appears in the list', async () => {
    await list({ number: '+55 48 99999-1005' });
    const numbers: string[] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const path = `/v1/rules/do-not-call?limit=2&after=${encodeURIComponent(after)}`;
      const { body } = await relay.ask(path, { as: marta });
      numbers.push(...body.entries.map((entry: { number?: string }) => entry.number));
      after = body.next;
    }
    expect(numbers).toContain('+5548999991005');
  });

  it.each([
    ['neither', {}],
    ['both', { number: '4833224455', prefix: '48' }],
    ['letters', { number: 'call me' }],
    ['an unknown field', { number: '4833224455', why: 'x' }],
    ['a wrong end', { number: '4833224455', until: 'tomorrow' }],
  ])('is not read from %s', async (_what, body) => {
    expect((await list(body)).status).toBeOneOf([400, 422]);
  });

  it('is listed by agents alone', async () => {
    const site = await relay.site('https://site.example', '1105');
    expect((await list({ number: '4833224455' }, site.key)).status).toBe(403);
  });
});

describe('a number that somebody is calling', () => {
  it('is refused to the second agent, with who calls since when within the team alone', async () => {
    const first = await call('48999992001', marta);
    expect(first.status).toBe(201);
    const second = await call('0154899992001', rui);
    expect([second.status, second.body.code]).toEqual([409, 'leased']);
    expect(second.body.lease).toEqual({ by: 'Marta', since: first.body.createdAt });
    const outside = await call('48999992001', outsider);
    expect([outside.status, outside.body.lease]).toEqual([409, { since: first.body.createdAt }]);
    expect(outside.text).not.toContain('Marta');
    expect(outside.text).not.toContain('1105');
    expect(dialled('99992001')).toBe(1);
  });

  it('is refused to a ticket without who calls or since when', () => {
    const lease = { caller: '1105', by: 'Marta', team: 'sales', since: '2026-11-21T10:00:00.000Z' };
    const ticket = { kind: 'ticket', keyId: 'k', name: 'Site', team: 'sales', rights: [] } as const;
    const problem = problemOfRule({ kind: 'leased', lease }, ticket)?.problem;
    expect(problem).toMatchObject({ code: 'leased', details: {} });
    expect(JSON.stringify(problem)).not.toMatch(/Marta|2026/);
  });

  it('is called again by its own agent, since the browser asks', async () => {
    expect((await call('48999992002', marta)).status).toBe(201);
    expect((await call('48999992002', marta)).status).toBe(201);
  });

  it('is answered with its own call where the request is repeated', async () => {
    const headers = newClick();
    const ask = () => relay.ask('/v1/calls', { as: marta, body: { to: '48999992003' }, headers });
    const { body: first } = await ask();
    await list({ number: '48999992003' });
    expect(await ask()).toMatchObject({ status: 201, body: { id: first.id } });
    expect(dialled('48999992003')).toBe(1);
  });
});

describe('the status of numbers', () => {
  it('names who listed a number, or who is calling it, to those who may know', async () => {
    await list({ number: '48 9999-4001', reason: 'asked' });
    const first = await call('48999994002', marta);
    const since = first.body.createdAt;
    const numbers = ['+5548999994001', '+5548999994002', '+5548999994003'];
    const [listed, leased, free] = await statusOf(rui, ...numbers);
    expect(listed.doNotCall).toMatchObject({ by: 'Rui', reason: 'asked' });
    expect(leased.lease).toEqual({ by: 'Marta', since });
    expect([free.doNotCall, free.lease]).toEqual([undefined, undefined]);
    expect((await statusOf(outsider, ...numbers))[1].lease).toEqual({ since });
    // Of her own call the browser knows itself.
    expect((await statusOf(marta, ...numbers))[1]).not.toHaveProperty('lease');
  });

  it('says nothing of the rules to a ticket, which is in a web page', async () => {
    await list({ number: '+5548999994001' });
    const site = await relay.site('https://status.example', '1105');
    const body = { from: '1105', rights: ['names'] };
    const { ticket } = (await relay.ask('/v1/tickets', { as: site.key, body })).body;
    expect((await statusOf(ticket, '+5548999994001'))[0]).not.toHaveProperty('doNotCall');
  });
});

describe('the epoch of what is known of numbers', () => {
  const epochFor = async (as: string) =>
    (await relay.ask('/v1/numbers/status', { as, body: { numbers: ['+5548999994001'] } })).body.epoch;

  it('changes with the list or with leases, as every open stream hears', async () => {
    const reader = await readEvents(relay.url, marta);
    await until(() => reader.names.length > 0, 'the epoch at the opening');
    const [opening] = reader.names;
    await list({ number: '48999994001' });
    const isTold = async () => reader.names.at(-1)?.epoch === (await epochFor(marta));
    await until(isTold, 'the epoch of the list');
    expect(reader.names.some((event) => event !== opening && !event.leasesOnly)).toBe(true);
    const seen = reader.names.length;
    await call('48999994011', rui);
    await until(() => reader.names.slice(seen).some(({ leasesOnly }) => leasesOnly), 'the lease');
    await until(isTold, 'the epoch of the lease');
    reader.close();
  });

  it('gives streams one event for the leases of many calls', async () => {
    const reader = await readEvents(relay.url, marta);
    await until(() => reader.names.length > 0, 'the epoch at the opening');
    const startedAt = Date.now();
    for (let n = 0; n < 40; n++) await call(`4899999${String(5000 + n)}`, n % 2 ? rui : outsider);
    const seconds = Math.ceil((Date.now() - startedAt) / 1000);
    expect(reader.names.length - 1).toBeLessThanOrEqual(seconds + 2);
    reader.close();
  });

  it('does not change for a ticket, whose page would learn when the team calls', async () => {
    const ticket = await ticketOf('1105', 'names');
    const before = await epochFor(ticket);
    await list({ number: '48999994003' });
    expect(await epochFor(ticket)).toBe(before);
  });
});

describe('limits by hours or attempts', () => {
  it("refuses a call at the wrong hour by the callee's clock, unless it is overridden", async () => {
    const { status, body } = await call('00351211234567', marta);
    expect([status, body.code]).toEqual([403, 'callingHours']);
    expect((await call('00351211234567', boss, { override: { reason: 'agreed' } })).status).toBe(201);
    expect((await call('4833224455', boss)).status).toBe(201);
  });

  it('refuses the attempt after the last one of the day that the team allows', async () => {
    const careful = await relay.member('3001', { team: 'careful' });
    expect((await call('48999993001', careful)).status).toBe(201);
    expect((await call('4899993001', careful)).status).toBe(201);
    const [spent] = await statusOf(careful, '+5548999993001');
    expect([spent.limit, (await statusOf(marta, '+5548999993001'))[0].limit]).toEqual([
      'tooManyAttempts',
      undefined,
    ]);
    const third = await call('01548999993001', careful);
    expect([third.status, third.body.code]).toEqual([429, 'tooManyAttempts']);
    expect((await call('48999993001', boss)).status).toBe(201);
  });

  it('does not count an attempt that the provider refused', async () => {
    const careful = await relay.member('3003', { team: 'careful' });
    const { answer } = provider;
    provider.answer = (_call, response) => void response.writeHead(401).end();
    for (let n = 0; n < 3; n++) {
      const { status, body } = await call('48999993003', careful);
      expect([status, body.reason]).toEqual([201, 'refused']);
    }
    provider.answer = answer;
    expect((await call('48999993003', careful)).status).toBe(201);
    const [left] = await statusOf(careful, '+5548999993003');
    expect(left).not.toHaveProperty('limit');
  });

  it('do not count for an internal extension, which several may call at once', async () => {
    const [eva, ben] = await Promise.all(
      ['3201', '3202'].map((from) => relay.member(from, { team: 'night' })),
    );
    for (const as of [eva!, ben!, eva!]) expect((await call('1150', as)).status).toBe(201);
    const [colleague] = (await relay.ask('/v1/numbers/status', { as: ben!, body: { numbers: ['1150'] } }))
      .body.numbers;
    expect(colleague).not.toHaveProperty('lease');
  });

  it('count for a whole number that the pattern of an extension takes too', async () => {
    const eva = await relay.member('3203', { team: 'night' });
    expect((await call('33224455', eva)).body.code).toBe('callingHours');
  });
});

it("sends each key its team's rules, with what the relay refuses", async () => {
  const rules = async (as: string) => (await relay.ask('/v1/rules', { as })).body;
  const careful = await relay.member('3002', { team: 'careful' });
  expect(await rules(careful)).toMatchObject({ maxAttemptsPerDay: 2, refuses: { shortNumbers: true } });
  expect(await rules(marta)).not.toHaveProperty('maxAttemptsPerDay');
  expect(await rules(marta)).not.toHaveProperty('mayOverride');
  expect(await rules(boss)).toMatchObject({ mayOverride: true });
  expect(await rules(marta)).toMatchObject({ callingHours: { PT: never } });
});
