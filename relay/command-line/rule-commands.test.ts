/** Keys, numbers that must not be called, audit and report, by commands beside a running relay. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeSetupCode } from '../../shared/protocol/setup-code.ts';
import { runCommand } from '../../testing/relay/run-command.ts';
import {
  announce,
  hangup,
  newClick,
  readEvents,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';

const folder = await temporaryFolder();
const rulesFile = folder.file('rules.json');
const environment = { STORE: `sqlite:${folder.file('relay.db')}`, COUNTRY: 'BR', RULES_FILE: rulesFile };
let relay: TestRelay;
beforeAll(async () => {
  await writeFile(
    rulesFile,
    JSON.stringify({
      numbers: { country: 'BR', areaCode: '48' },
      teams: { leaving: { removeNotesWithKey: true }, us: { numbers: { country: 'US' } } },
    }),
  );
  relay = await startTestRelay(environment);
});
afterAll(async () => {
  await relay.stop();
  await folder.remove();
});

const run = (...args: string[]) => runCommand(relay, environment, ...args);
const call = (to: string, as: string, more: object = {}) =>
  relay.ask('/v1/calls', { as, body: { to, placedBy: 'client', ...more }, headers: newClick() });
const statusWith = async (key: string) => (await relay.ask('/v1/calls', { as: key })).status;
const rowOf = async (id: string) =>
  (await run('key', 'list')).out.split('\n').find((row) => row.startsWith(id))!;

describe('numbers that must not be called', () => {
  it('are listed or taken off the list beside the running relay', async () => {
    const agent = await relay.agent('1105');
    expect((await run('rules', 'add', '(48) 9999-1001', '--reason', 'asked by mail')).out).toBe(
      '+5548999991001 listed\n',
    );
    expect((await run('rules', 'add', '+55489777*')).out).toBe('+55489777* listed\n');
    expect((await call('48999991001', agent)).body.doNotCall).toMatchObject({ by: 'operator' });
    expect((await call('48977712345', agent)).status).toBe(403);
    const { out } = await run('rules', 'list');
    expect(out).toMatch(/^\+5548999991001\toperator\t\S+\t-\toperator\tasked by mail$/m);
    expect((await run('rules', 'remove', '+55 48 99999-1001')).code).toBe(0);
    expect((await run('rules', 'remove', '+55 48 99999-1001')).code).toBe(1);
    expect((await call('48999991001', agent)).status).toBe(201);
  });

  it('are imported from a file, in the forms that people write', async () => {
    const agent = await relay.agent('1105');
    const file = folder.file('list.csv');
    await writeFile(
      file,
      '\uFEFFName;Phone\r\n"Prado; Ana";(48) 9999-2001\r\nRui;="48999992002"\r\nOtto;none\r\n',
    );
    const { out, err } = await run('rules', 'import', file, '--column', 'phone');
    expect([out, err]).toEqual(['new numbers: 2 of 2\n', 'lines without a number: 1\n']);
    for (const to of ['48999992001', '0154899992002']) expect((await call(to, agent)).status).toBe(403);
    expect((await run('rules', 'import', file, '--column', 'phone')).out).toBe('new numbers: 0 of 2\n');
  });

  it('are imported from a spreadsheet whose lines end as on old Macs, each of them', async () => {
    const file = folder.file('mac.csv');
    await writeFile(file, 'Name;Phone\rAna;(48) 99999-2301\rRui;48999992302\rEva;48999992303\r');
    expect((await run('rules', 'import', file)).out).toBe('new numbers: 3 of 3\n');
  });

  it('are imported with prefixes, of which every number is refused', async () => {
    const agent = await relay.agent('1105');
    const file = folder.file('prefixes.csv');
    await writeFile(file, 'Phone;Since\n+55 48 97777*;2026-01-01\n4896666*;2026-01-01\n');
    expect((await run('rules', 'import', file)).out).toBe('new numbers: 2 of 2\n');
    for (const to of ['48977771234', '01548977771234', '5548977771234', '48966661234'])
      expect([to, (await call(to, agent)).status]).toEqual([to, 403]);
    expect((await call('48955551234', agent)).status).toBe(201);
    expect((await run('rules', 'list')).out).toContain('+554897777*\t');
    expect((await run('rules', 'remove', '+55 48 97777* ')).out).toBe('+554897777* removed\n');
  });

  it('are imported from a spreadsheet in UTF-16, the first line too', async () => {
    const file = folder.file('utf16.txt');
    await writeFile(file, Buffer.from('\uFEFF48999992101\r\n48999992102\r\n', 'utf16le'));
    expect((await run('rules', 'import', file)).out).toBe('new numbers: 2 of 2\n');
  });

  it("get the team's area code where they are written without one", async () => {
    expect((await run('rules', 'add', '99999-1007')).out).toBe('+5548999991007 listed\n');
    const file = folder.file('local.csv');
    await writeFile(file, '99999-1008\n99991009\n99991012-99991013\n');
    await run('rules', 'import', file);
    const { out } = await run('rules', 'list');
    for (const end of ['1008', '1009', '1012', '1013']) expect(out).toContain(`+554899999${end}`);
  });

  it.each([
    ['add', 'somebody'],
    ['add', '48 3222-1112 / 48 3222-1113'],
    ['add', '48 3222-1112 / 1113'],
    ['add', '48999991001', '--until', 'later'],
    ['add', '48999991001', '--until', '05/12/2099'],
    ['add', '48999991001', '--until', '2099-02-30'],
    ['add', '48999991001', '--until', '12'],
    ['add', '48999991001', '--until', '2020-01-31'],
    ['add', '48999991001', '48999991002'],
    ['add', '48', '99999-1001'],
  ])('refuse %s %s', async (...args) => {
    const { code, err } = await run('rules', ...args);
    expect([Number(code) > 0, err !== '']).toEqual([true, true]);
  });

  it.each([
    ['/nowhere.csv', '/nowhere.csv cannot be read: there is no such file\n'],
    ['/tmp', '/tmp cannot be read: this is a folder\n'],
  ])('say why %s cannot be imported', async (file, problem) => {
    expect((await run('rules', 'import', file)).err).toBe(problem);
  });
});

describe('keys', () => {
  it('have a team, rights, an end, a last use', async () => {
    const more = ['--team', ' sales ', '--right', 'override,rules', '--expires', '90d', '--name', 'Ana'];
    const { out, err } = await run('key', 'add', '--from', '1201', ...more);
    const id = /^\S+/.exec(err)![0];
    expect(await rowOf(id)).toMatch(
      /\tactive until \S+\t\S+\t1201\t-\tsales\toverride,rules\tnever used\tAna$/,
    );
    expect(await statusWith(out.trim())).toBe(200);
    await relay.stop();
    relay = await startTestRelay(environment);
    expect(await rowOf(id)).toMatch(/\tused \S+\tAna$/);
  });

  it.each([
    ['--right', 'everything'],
    ['--team', ''],
    ['--expires', 'yesterday'],
    ['--expires', '05/12/2099'],
    ['--expires', '2020-01-01'],
  ])('are not made with %s %s', async (...more) => {
    expect((await run('key', 'add', '--from', '1202', ...more)).code).toBe(2);
  });

  it('have browsers remove their notes once they are revoked, where the rules of the team say so', async () => {
    const problemOf = async (as: string) => (await relay.ask('/v1/calls', { as })).body;
    const added = async (from: string, ...more: string[]) =>
      (await run('key', 'add', '--from', from, ...more)).out.trim();
    const [leaving, other] = [await added('1311', '--team', 'leaving'), await added('1312')];
    for (const from of ['1311', '1312']) await run('key', 'revoke', '--from', from);
    await until(async () => (await statusWith(leaving)) === 401 && (await statusWith(other)) === 401, 'both');
    expect(await problemOf(leaving)).toMatchObject({ code: 'unauthorized', removeNotes: true });
    expect(await problemOf(other)).not.toHaveProperty('removeNotes');
    expect(await problemOf(`dma_${'x'.repeat(43)}`)).not.toHaveProperty('removeNotes');
  });

  it('of an agent who leaves end at once', async () => {
    const keyOf = async (from: string) => (await run('key', 'add', '--from', from)).out.trim();
    const [own, shared, other] = [await keyOf('1301'), await keyOf('1301,1302'), await keyOf('1303')];
    expect(await statusWith(own)).toBe(200);
    expect((await run('key', 'revoke', '--from', '1301')).out.match(/revoked/g)).toHaveLength(2);
    await until(
      async () => (await statusWith(own)) === 401 && (await statusWith(shared)) === 401,
      'both ends',
    );
    expect(await statusWith(other)).toBe(200);
    expect((await run('key', 'revoke', '--from', '1301')).code).toBe(1);
    expect((await run('key', 'revoke')).code).toBe(1);
    expect((await run('key', 'revoke', 'agent-1', 'agent-2')).code).toBe(2);
  });

  it('are printed in a setup code with the country of their team', async () => {
    const homeOf = async (...more: string[]) => {
      const { out } = await run('key', 'add', '--from', '1406', '--setup-code', ...more);
      const { country, areaCode } = decodeSetupCode(out)!;
      return [country, areaCode];
    };
    expect(await homeOf()).toEqual(['BR', '48']);
    expect(await homeOf('--team', 'us')).toEqual(['US', undefined]);
  });

  it('are replaced with an overlap', async () => {
    const { out, err } = await run('key', 'add', '--from', '1401', '--team', 'sales');
    const [old, id] = [out.trim(), /^\S+/.exec(err)![0]];
    const next = await run('key', 'rotate', id, '--overlap', '0.001');
    expect(await statusWith(next.out.trim())).toBe(200);
    expect(await rowOf(/^\S+/.exec(next.err)![0])).toContain('\tsales\t');
    await until(async () => (await statusWith(old)) === 401, 'the end of the old key');
    expect(await rowOf(id)).toContain('\texpired ');
    expect((await run('key', 'rotate', id)).code).toBe(1);
  });

  it('keep their end when they are replaced, unless another is named', async () => {
    const idOf = ({ err }: { err: string }) => /^\S+/.exec(err)![0];
    const endOf = async (id: string) => /active until (\S+)/.exec(await rowOf(id))?.[1];
    // By the clock of the machine.
    const midnight = (day: string) => new Date(`${day}T00:00`).toISOString();
    const first = idOf(await run('key', 'add', '--from', '1402', '--expires', '2099-01-31'));
    const second = idOf(await run('key', 'rotate', first));
    expect(await endOf(second)).toBe(midnight('2099-02-01'));
    const third = idOf(await run('key', 'rotate', second, '--expires', '2099-02-28'));
    expect(await endOf(third)).toBe(midnight('2099-03-01'));
  });

  it('are replaced with the true end of the old one where it ends before the overlap', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const { err } = await run('key', 'add', '--from', '1407', '--expires', soon);
    const next = await run('key', 'rotate', /^\S+/.exec(err)![0], '--expires', '90d');
    expect(next.err).toContain(` ends ${soon}. `);
  });

  it('end at the overlap where they were made to end in the last year', async () => {
    const { err } = await run('key', 'add', '--from', '1408', '--expires', '9999-12-31');
    const id = /^\S+/.exec(err)![0];
    await run('key', 'rotate', id, '--overlap', '0');
    expect(await rowOf(id)).toContain('\texpired ');
  });

  it('end with their streams where they are replaced without an overlap', async () => {
    const { out, err } = await run('key', 'add', '--from', '1403');
    const reader = await readEvents(relay.url, out.trim());
    await run('key', 'rotate', /^\S+/.exec(err)![0], '--overlap', '0');
    await reader.ended;
    expect(await statusWith(out.trim())).toBe(401);
  });

  it('of an agent who leaves end with the callbacks in the hands of a colleague', async () => {
    const leaver = await relay.member('1404', {});
    const colleague = await relay.member('1405', {});
    const { call: placed, path } = await announce(relay.url, leaver, '4832221404');
    await relay.ask(path, { body: hangup() });
    const callBackAt = '2099-01-01T10:00:00.000Z';
    const headers = { 'if-match': '0' };
    const body = { outcome: 'callAgain', callBackAt };
    await relay.ask(`/v1/calls/${placed.id}/wrap-up`, { as: leaver, method: 'PATCH', body, headers });
    const leave = (to: string) => run('key', 'revoke', '--from', '1404', '--hand-over', to);
    for (const other of ['1404', '1499']) expect((await leave(other)).code).toBe(1);
    expect(await statusWith(leaver)).toBe(200);
    expect((await leave('1405')).out).toContain("1 callbacks are 1405's now\n");
    const { calls } = (await relay.ask('/v1/callbacks', { as: colleague })).body;
    expect(calls).toMatchObject([{ id: placed.id, wrapUp: { callBackAt, callBackBy: '1405' } }]);
  });
});

it('shows who called whom, overrode what, moved which entry', async () => {
  const key = await relay.member('1501', { name: 'Boss', rights: ['override'] });
  await run('rules', 'add', '+5548999993001');
  const { body } = await call('48999993001', key, { override: { reason: 'agreed by mail' } });
  const { id } = body.call;
  await relay.ask(`/v1/calls/${id}/record`, { as: key, body: { none: true } });
  const { out } = await run('audit');
  const actions = out.split('\n').map((row) => row.split('\t').slice(1, 6));
  expect(actions).toContainEqual(['call', '1501', '48999993001', id, '']);
  expect(actions).toContainEqual([
    'override',
    expect.stringMatching(/^Boss \(agent-\w+\)$/),
    '+5548999993001',
    id,
    'agreed by mail',
  ]);
  expect(actions).toContainEqual(['record.move', expect.any(String), 'no record', id, 'to no record']);
  expect(actions).toContainEqual(['doNotCall.add', 'operator', '+5548999993001', '', '']);
});

it('reports by outcome, by agent only where asked', async () => {
  const key = await relay.agent('1601');
  const { call: placed, path } = await announce(relay.url, key, '4832221000');
  await relay.ask(path, { body: hangup() });
  await relay.ask(`/v1/calls/${placed.id}/wrap-up`, {
    as: key,
    method: 'PATCH',
    body: { outcome: 'voicemail' },
    headers: { 'if-match': '0' },
  });
  const { out } = await run('report');
  expect(out).toContain('outcome,calls,answered,talkSeconds,callbacks\r\n');
  expect(out).toContain('voicemail,1,1,48,0\r\n');
  expect(out).not.toContain('1601');
  expect((await run('report', '--agents')).out).toContain('1601,voicemail,1,1,48,0\r\n');
  expect((await run('report', '--since', '2099-01-01')).out.split('\r\n')).toHaveLength(2);
});

it('names both ways to write a start where it can read neither', async () => {
  const { err } = await run('report', '--since', '7');
  expect(err).toContain('expected a date like 2027-01-31, or days back like 7d, got "7"');
});
