/** Call sheets by commands beside a running relay. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Child, startChild } from '../../testing/child.ts';
import { relayProgram } from '../../testing/relay/relay-process.ts';
import { runCommand } from '../../testing/relay/run-command.ts';
import { newClick, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { withPrefix } from '../../testing/with-prefix.ts';

const folder = await temporaryFolder();
const rulesFile = folder.file('rules.json');
const environment = { STORE: `sqlite:${folder.file('relay.db')}`, COUNTRY: 'BR', RULES_FILE: rulesFile };
const template = { system: 'rt', origin: 'https://rt.example', pattern: '/t/{id}', kind: 'ticket' };
let relay: TestRelay;
beforeAll(async () => {
  const rules = { teams: { sales: { templates: [template], numbers: { country: 'BR', areaCode: '48' } } } };
  await writeFile(rulesFile, JSON.stringify(rules));
  relay = await startTestRelay(environment);
});
afterAll(async () => {
  await relay.stop();
  await folder.remove();
});

const run = (...args: string[]) => runCommand(relay, environment, 'sheet', ...args);
async function importText(text: string | Buffer, ...args: string[]) {
  const file = folder.file('leads.csv');
  await writeFile(file, text);
  return run('import', file, '--team', 'sales', ...args);
}

it('imports a CSV as spreadsheets write it, with records where a template fits', async () => {
  const { out, err } = await importText(
    '\uFEFFNome;Empresa;Telefone;Link\r\n' +
      '"Prado; Ana";Acme;(48) 9999-4001;https://rt.example/t/4711\r\n' +
      '=cmd|x;;="48999994002";https://elsewhere.example/t/1\r\n' +
      'Rui;;9999-4003\0;\r\n' +
      'Twice;;+55 48 99999-4001;\r\n' +
      'Otto;;none;\r\n',
    '--name',
    'Autumn',
  );
  expect(err).toBe('items: 3\nrows without a number: 1\nrows that repeat a number: 1\n');
  const id = out.trim();
  expect((await run('list')).out).toContain(`${id}\tsales\t`);
  const exported = (await run('export', id)).out.split('\r\n');
  expect(exported[0]).toBe('number,name,record,state,due,attempts,agent,outcome');
  expect(exported[1]).toMatch(/^\+5548999994001,"Prado; Ana, Acme",rt ticket 4711,open,\d{4}-\S+,0,,$/);
  expect(exported[2]).toMatch(/^\+5548999994002,'=cmd\|x,,open,/);
  expect(exported[3]).toMatch(/^\+5548999994003,Rui,,open,/);
  const marta = await relay.member('1105', { team: 'sales' });
  const { body } = await relay.ask(`/v1/sheets/${id}/claim`, { as: marta, body: {} });
  expect(body).toMatchObject({ item: { name: 'Prado; Ana, Acme' }, sheet: { name: 'Autumn', total: 3 } });
});

it('completes numbers by the column of area codes before them', async () => {
  const { out, err } = await importText(
    'Nome;DDD;Telefone;DDD 2;Celular\n' +
      'Ana;11;3222-1116;;\nRui;(21);;021;99999-0018\nIvo;11;(31) 3222-1117;;\nBia;;3222-1118;;\n',
  );
  expect(err).toBe('items: 4\n');
  const exported = (await run('export', out.trim())).out.split('\r\n');
  expect(exported.slice(1, 5).map((row) => row.split(',')[0])).toEqual([
    '+551132221116',
    '+5521999990018',
    '+553132221117',
    '+554832221118',
  ]);
});

it('completes numbers by the column of country codes before them', async () => {
  const { out, err } = await importText(
    'Nome;DDI;DDD;Telefone\nAna;55;11;3222-1119\nRui;351;;912 345 679\nIvo;999;11;3222-1120\n',
  );
  expect(err).toBe('items: 2\nrows without a number: 1\n');
  const exported = (await run('export', out.trim())).out.split('\r\n');
  expect(exported.slice(1, 3).map((row) => row.split(',')[0])).toEqual(['+551132221119', '+351912345679']);
});

it('imports numbers without names, also from a file in UTF-16', async () => {
  expect((await importText('Phone\n48999994101\n')).err).toBe('items: 1\n');
  expect((await importText(Buffer.from('\uFEFFPhone\r\n48999994102\r\n', 'utf16le'))).err).toBe('items: 1\n');
});

it.each([
  ['Name\nAna\n', /expected a first row with headings/],
  ['', /expected a first row|no number in it/],
  ['Phone\nnone\n', /no number in it/],
])('refuses a file without numbers: %j', async (text, reason) => {
  const before = (await run('list')).out;
  const { code, err } = await importText(text);
  expect([code, err]).toEqual([1, expect.stringMatching(reason)]);
  expect((await run('list')).out).toBe(before);
});

it.each([
  ['is stopped by Ctrl-C', 'the import was stopped', (child: Child) => child.process.kill('SIGINT')],
  [
    'goes on after an agent deleted it',
    'the sheet was deleted meanwhile',
    (_child: Child, sheet: string) => relay.store.sheets.remove(sheet),
  ],
])('leaves nothing of a sheet whose import %s', async (_what, reason, intervene) => {
  const before = (await run('list')).out;
  const file = folder.file('large.csv');
  const rows = Array.from({ length: 60_000 }, (_, at) => `+55489${90_000_000 + at}`);
  await writeFile(file, `Phone\n${rows.join('\n')}\n`);
  const child = startChild([process.execPath, relayProgram, 'sheet', 'import', file, '--team', 'sales'], {
    environment: withPrefix('DIALMARK_', { ...environment, LISTEN: new URL(relay.url).host }),
  });
  const { id } = await until(
    async () => (await relay.store.sheets.list()).find(({ name }) => name === 'large.csv'),
    'a sheet',
  );
  await intervene(child, id);
  expect([await child.exited, child.stdout()]).toEqual([1, '']);
  expect(child.stderr()).toBe(`${file}: ${reason}; nothing was imported\n`);
  expect((await run('list')).out).toBe(before);
});

it('reopens what an agent called without an outcome', async () => {
  const id = (await importText('Phone\n48999994301\n')).out.trim();
  const marta = await relay.member('1106', { team: 'sales' });
  const { item } = (await relay.ask(`/v1/sheets/${id}/claim`, { as: marta, body: {} })).body;
  const body = { to: '48999994301', placedBy: 'client', item: { sheet: id, id: item.id } };
  expect((await relay.ask('/v1/calls', { as: marta, body, headers: newClick() })).status).toBe(201);
  expect((await run('reopen', id, '--from', '1105')).out).toBe('0 items reopened\n');
  expect((await run('reopen', id, '--duplicates')).out).toBe('0 items reopened\n');
  expect((await run('reopen', id, '--from', '1106')).out).toBe('1 items reopened\n');
  expect((await run('export', id)).out).toContain(',open,');
  expect((await run('reopen', 'x')).code).toBe(1);
});

it('shows the progress of a sheet as CSV until it is deleted', async () => {
  const id = (await importText('Phone\n48999994201\n', '--name', '=Autumn')).out.trim();
  const row = (text: string) => text.split('\r\n').find((line) => line.startsWith(id));
  const progress = (await run('progress')).out;
  expect(progress).toContain('sheet,team,createdAt,name,total,open,called,done,doNotCall,duplicate\r\n');
  expect(row(progress)).toMatch(/,sales,\S+,'=Autumn,1,1,0,0,0,0$/);
  expect((await run('delete', id)).out).toBe(`${id} deleted\n`);
  const audit = (await runCommand(relay, environment, 'audit')).out;
  expect(audit).toMatch(`\tsheet.delete\toperator\t${id}\t\t=Autumn, of sales\n`);
  expect((await run('delete', id)).code).toBe(1);
  expect((await run('export', id)).code).toBe(1);
  expect(row((await run('progress')).out)).toBeUndefined();
});
