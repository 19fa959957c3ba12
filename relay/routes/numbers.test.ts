import { writeFile } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  announce,
  hangup,
  newClick,
  readEvents,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { makeApiKey } from '../access/api-key.ts';
import { openSqliteIndex } from '../directory/index/sqlite-index.ts';

const rows = [
  'Name,Company,Job title,Phone,Mobile',
  'Ana Prado,Acme,Buyer,(48) 3322-4455,48 99999-8888',
  'Rui Costa,Acme,Seller,(48) 3322-4455,',
  'João Conceição,Other,,1105,',
];

let folder: TemporaryFolder;
let relay: TestRelay;
let agent: string;
const file = () => folder.file('people.csv');

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(file(), rows.join('\n'));
  relay = await startTestRelay({
    COUNTRY: 'BR',
    DIRECTORY_PEOPLE_KIND: 'csv',
    DIRECTORY_PEOPLE_URL: file(),
  });
  agent = await relay.agent('1105');
  await until(async () => (await status('+554833224455')).numbers[0].count === 2, 'the names', 20_000);
});
afterAll(async () => {
  await relay.stop();
  await folder.remove();
});

const ask = (path: string, body: object, as = agent) => relay.ask(path, { as, body });
const status = async (...numbers: string[]) => (await ask('/v1/numbers/status', { numbers })).body;
const ticketOf = async (as: string, rights: readonly string[], from = '1105'): Promise<string> =>
  (await relay.ask('/v1/tickets', { as, body: { from, rights } })).body.ticket;
const search = async (q: string): Promise<string[]> =>
  (await ask('/v1/directory/search', { q })).body.entries.map(({ name }: { name: string }) => name);

describe('POST /v1/numbers/status', () => {
  it('answers who has each number, in the order of the request', async () => {
    const { epoch, numbers } = await status('+5548999998888', '+554833224455', '1105', '+15550100');
    expect(epoch).toMatch(/^[0-9a-f]{12}\.[0-9a-z]+\.\d+$/);
    expect(numbers).toEqual([
      {
        number: '+5548999998888',
        names: [{ name: 'Ana Prado', organisation: 'Acme', role: 'Buyer', source: 'people' }],
        count: 1,
        organisation: 'Acme',
      },
      { number: '+554833224455', names: expect.any(Array), count: 2, organisation: 'Acme' },
      {
        number: '1105',
        names: [{ name: 'João Conceição', organisation: 'Other', source: 'people' }],
        count: 1,
        organisation: 'Other',
      },
      { number: '+15550100', names: [], count: 0 },
    ]);
  });

  it('finds a mobile number without its ninth digit', async () => {
    const { numbers } = await status('+554899998888');
    expect(numbers[0]).toMatchObject({ number: '+554899998888', count: 1 });
  });

  it('refuses more than 50 numbers, or a number that is not E.164', async () => {
    const numbers = Array.from({ length: 51 }, () => '1105');
    expect((await ask('/v1/numbers/status', { numbers })).status).toBe(400);
    expect((await ask('/v1/numbers/status', { numbers: ['(48) 3322-4455'] })).status).toBe(400);
  });

  it('needs an agent key, or a ticket with the right to names', async () => {
    const site = await relay.site('https://site.example', '1105');
    const ticket = (...rights: string[]) => ticketOf(site.key, rights);
    const answerTo = async (as: string) =>
      (await ask('/v1/numbers/status', { numbers: ['1105'] }, as)).status;
    expect(await answerTo(await ticket('watch', 'names'))).toBe(200);
    expect(await answerTo(await ticket('watch', 'dial'))).toBe(403);
    expect(await answerTo(site.key)).toBe(403);
    expect((await relay.ask('/v1/numbers/status', { body: { numbers: ['1105'] } })).status).toBe(401);
  });
});

describe('a ticket with the right to names', () => {
  it('learns about 60 numbers a minute, whichever ticket of its caller asks', async () => {
    const site = await relay.site('https://list.example', '1105', '1106');
    const answerTo = async (path: string, body: object, from?: string) =>
      (await ask(path, body, await ticketOf(site.key, ['names'], from))).status;
    const numbersFrom = (first: number, count: number) => ({
      numbers: Array.from({ length: count }, (_, n) => String(first + n)),
    });
    const status = '/v1/numbers/status';
    expect(await answerTo(status, numbersFrom(2000, 50))).toBe(200);
    expect(await answerTo(status, numbersFrom(2040, 19))).toBe(200);
    expect(await answerTo(status, numbersFrom(2000, 50))).toBe(200);
    expect(await answerTo(status, numbersFrom(3000, 2))).toBe(429);
    expect(await answerTo(status, numbersFrom(3000, 2), '1106')).toBe(200);
    // One number is left, and Ana Prado has two.
    const found = await ask('/v1/directory/search', { q: 'ana' }, await ticketOf(site.key, ['names']));
    expect(found.body.entries).toMatchObject([{ name: 'Ana Prado', numbers: [{ number: '+554833224455' }] }]);
    expect(await answerTo('/v1/directory/search', { q: 'joao' })).toBe(429);
    expect(await answerTo('/v1/directory/search', { q: 'nobody' })).toBe(200);
    expect((await ask(status, numbersFrom(4000, 50))).status).toBe(200);
    expect((await ask(status, numbersFrom(5000, 50))).status).toBe(200);
  });

  it('is notified of names alone, whatever else it may see', async () => {
    const site = await relay.site('https://all.example', '1105');
    const page = await readEvents(
      relay.url,
      await ticketOf(site.key, ['watch', 'record', 'wrapUp', 'names']),
    );
    const own = await readEvents(relay.url, agent);
    await announce(relay.url, agent, '48999990001');
    await until(() => own.names.some(({ leasesOnly }) => leasesOnly), 'the lease');
    const { call } = await announce(relay.url, agent, '48999990002');
    for (let count = 1; (await page.until(count)).at(-1)!.call.id !== call.id; ) count++;
    // The names of beforeAll may be announced only now: another epoch each time, which a lease would not be.
    expect(page.names).not.toEqual([]);
    for (const event of page.names) expect(event).toEqual({ epoch: expect.stringMatching(/^[0-9a-f]{12}$/) });
    expect(new Set(page.names.map(({ epoch }) => epoch)).size).toBe(page.names.length);
    page.close();
    own.close();
  });
});

describe('POST /v1/directory/search', () => {
  it.each([
    ['ana', ['Ana Prado']],
    ['PRA', ['Ana Prado']],
    ['acme', ['Ana Prado', 'Rui Costa']],
    ['acme rui', ['Rui Costa']],
    ['ap', ['Ana Prado']],
    ['conceicao', ['João Conceição']],
    ['joão c', ['João Conceição']],
    ['JOÃO', ['João Conceição']],
    ['nobody', []],
    ['  ', []],
  ])('finds people by "%s"', async (q, names) => {
    expect(await search(q)).toEqual(names);
  });

  it('answers numbers with their labels', async () => {
    const { entries } = (await ask('/v1/directory/search', { q: 'ana' })).body;
    expect(entries).toEqual([
      {
        name: 'Ana Prado',
        organisation: 'Acme',
        role: 'Buyer',
        numbers: [
          { number: '+554833224455', label: 'Phone' },
          { number: '+5548999998888', label: 'Mobile' },
        ],
      },
    ]);
  });
});

it('says who of the team talked last with a number', async () => {
  const key = async (name: string, team: string | undefined, ...callers: string[]) => {
    const fields = { kind: 'agent', name, origins: [], callers, clientCalls: true } as const;
    const made = makeApiKey({ ...fields, origins: [], ...(team ? { team } : {}) }, new Date());
    await relay.store.keys.add(made.stored);
    return made.key;
  };
  const rui = await key('Rui', 'sales', '1201');
  const eva = await key('Eva', 'sales', '1202');
  const other = await key('Ida', undefined, '1203');
  const { path } = await announce(relay.url, rui, '48999998888');
  await relay.ask(path, { body: hangup({ billsec: '240' }) });
  const talk = async (as: string) =>
    (await ask('/v1/numbers/status', { numbers: ['+554899998888', '+554833224455'] }, as)).body.numbers.map(
      ({ lastTalk }: { lastTalk?: unknown }) => lastTalk,
    );
  const expected = { by: 'Rui', at: '2026-11-21T10:00:02.000Z', seconds: 240 };
  expect(await talk(eva)).toEqual([expected, undefined]);
  expect(await talk(other)).toEqual([undefined, undefined]);
  const keys = await relay.store.keys.list();
  await relay.store.keys.revoke(keys.find(({ name }) => name === 'Rui')!.id, new Date().toISOString());
  await until(async () => (await relay.ask('/v1/calls', { as: rui })).status === 401, 'the revocation');
  expect(await talk(eva)).toEqual([expected, undefined]);
  await key('Zoe', 'support', '1201');
  await until(async () => (await talk(eva))[0] === undefined, 'the extension of another team');
});

it('gives a call the name of the number it reaches', async () => {
  const place = async (to: string, more = {}) =>
    (
      await relay.ask('/v1/calls', {
        as: agent,
        body: { to, placedBy: 'client', ...more },
        headers: newClick(),
      })
    ).body.call.name;
  expect(await place('48999998888')).toBe('Ana Prado, Acme');
  expect(await place('4833224455')).toBe('Acme (2)');
  expect(await place('1105')).toBe('João Conceição, Other');
  expect(await place('48999998888', { name: 'Somebody else' })).toBe('Ana Prado, Acme');
  expect(await place('4833224499', { name: ' Eva\n Luz ' })).toBe('Eva Luz');
  expect(await place('4833224499')).toBeUndefined();
});

it('reads a changed file again, then notifies streams of the new epoch', async () => {
  const reader = await readEvents(relay.url, agent);
  const lastEpoch = () => reader.names.at(-1)?.epoch;
  const isCurrent = async () => lastEpoch() !== undefined && lastEpoch() === (await status('1106')).epoch;
  await until(isCurrent, 'the epoch at the opening');
  await writeFile(file(), [...rows, 'Eva Luz,Acme,,1106,'].join('\n'));
  await until(async () => (await status('1106')).numbers[0].names[0]?.name === 'Eva Luz', 'the new name');
  await until(isCurrent, 'the epoch of the new name');
  reader.close();
});

it('drops the names of a source that is not set any more', async () => {
  const index = openSqliteIndex(folder.file('old.db.directory'));
  await index.put('gone', [{ uid: '1', tag: '', person: { name: 'Ana', numbers: [{ number: '1' }] } }]);
  const settings = {
    STORE: `sqlite:${folder.file('old.db')}`,
    COUNTRY: 'BR',
    DIRECTORY_PEOPLE_KIND: 'csv',
    DIRECTORY_PEOPLE_URL: file(),
  };
  await (await startTestRelay(settings)).stop();
  expect(await index.countOf('gone')).toBe(0);
  index.close();
});

it('reports the age of each source beside its entries', async () => {
  const { text } = await relay.ask('/metrics');
  expect(text).toMatch(/^dialmark_directory_entries\{source="people"\} [34]$/m);
  expect(text).toMatch(/^dialmark_directory_age_seconds\{source="people"\} \d/m);
});

describe('with an index of its own', () => {
  const start = (name: string, more = {}) =>
    startTestRelay({
      STORE: `sqlite:${folder.file(name)}`,
      COUNTRY: 'BR',
      DIRECTORY_PEOPLE_KIND: 'csv',
      DIRECTORY_PEOPLE_URL: file(),
      ...more,
    });
  const statusAt = async (own: TestRelay, as: string, number: string) =>
    (await own.ask('/v1/numbers/status', { as, body: { numbers: [number] } })).body;

  it('says what the rules know of a number while its names cannot be read', async () => {
    const own = await start('broken.db');
    const rui = await own.member('1201', { name: 'Rui', team: 'sales' });
    const read = () => statusAt(own, rui, '+5548999998888');
    await until(async () => (await read()).numbers[0].count === 1, 'the names', 20_000);
    const { epoch } = await read();
    await own.ask('/v1/rules/do-not-call', { as: rui, body: { number: '+5548999998888', reason: 'asked' } });
    const index = new DatabaseSync(folder.file('broken.db.directory'));
    for (const { name } of index
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all())
      index.exec(`ALTER TABLE "${name}" RENAME TO "gone_${name}"`);
    index.close();
    const page = await read();
    expect(page.numbers).toEqual([
      {
        ...{ number: '+5548999998888', names: [], count: 0 },
        doNotCall: { by: 'Rui', at: expect.any(String), reason: 'asked' },
      },
    ]);
    // Readers forget what an answer of another epoch said: they ask for the names again.
    expect(page.epoch).not.toBe(epoch);
    await own.stop();
  });

  it('keeps a name with a call only from a source that everybody may see', async () => {
    await writeFile(
      folder.file('private.csv'),
      'Name,Phone\nEva Luz,48 99999-7777\nAna Secret,48 99999-8888',
    );
    const own = await start('limited.db', {
      DIRECTORY_CLINIC_KIND: 'csv',
      DIRECTORY_CLINIC_URL: folder.file('private.csv'),
      DIRECTORY_CLINIC_TEAMS: 'sales',
    });
    const eva = await own.member('1301', { name: 'Eva', team: 'sales' });
    const namesOf = async (number: string) =>
      (await statusAt(own, eva, number)).numbers[0].names.map(({ name }: { name: string }) => name);
    await until(async () => (await namesOf('+5548999998888')).length === 2, 'the names', 20_000);
    expect(await namesOf('+5548999997777')).toEqual(['Eva Luz']);
    for (const body of [
      { to: '48999997777', name: 'Eva Luz' },
      { to: '48999998888' },
      { to: '48999996666', name: 'Written' },
    ])
      await own.ask('/v1/calls', { as: eva, body, headers: newClick() });
    const site = await own.site('https://site.example', '1301');
    const body = { from: '1301', rights: ['watch', 'names'] };
    const { ticket } = (await own.ask('/v1/tickets', { as: site.key, body })).body;
    for (const as of [eva, await own.agent('1301'), ticket]) {
      const { calls } = (await own.ask('/v1/calls', { as })).body;
      expect(calls.map(({ to, name }: { to: string; name?: string }) => [to, name])).toEqual([
        ['48999996666', 'Written'],
        ['48999998888', 'Ana Prado, Acme'],
        ['48999997777', undefined],
      ]);
    }
    await own.stop();
  });
});
