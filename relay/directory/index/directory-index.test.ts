/** What every index promises, on each engine. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedis } from '../../../testing/servers/redis-server.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { until } from '../../../testing/until.ts';
import type { Person } from '../person.ts';
import { syncSource } from '../sync.ts';
import type { DirectoryIndex } from './directory-index.ts';
import { openRedisIndex } from './redis-index.ts';
import { openSqliteIndex } from './sqlite-index.ts';

const redis = await startRedis();
afterAll(() => redis.stop());

it.each([
  ['a file of something else', 'no database, but long enough to be one'.repeat(200)],
  ['an empty file', ''],
])('the index on SQLite starts again from %s', async (_what, content) => {
  const folder = await temporaryFolder();
  await writeFile(folder.file('x.directory'), content);
  const index = openSqliteIndex(folder.file('x.directory'));
  expect(await index.countOf('book')).toBe(0);
  index.close();
  await folder.remove();
});

const person = (name: string, ...numbers: string[]): Person => ({
  name,
  numbers: numbers.map((number) => ({ number })),
});

it('the index on SQLite leaves nothing of a removed number in its files', async () => {
  const folder = await temporaryFolder();
  const index = openSqliteIndex(folder.file('x.directory'));
  const others = Array.from({ length: 50 }, (_, n) => person(`Other ${n}`, `+55483222${1000 + n}`));
  const people = [person('Zacharias Unmistakable', '+5548999997777'), ...others];
  await index.put(
    'book',
    people.map((each) => ({ uid: each.name, tag: '1', person: each })),
  );
  const found = async () => {
    const files = await readdir(folder.path);
    const texts = await Promise.all(files.map((name) => readFile(folder.file(name), 'latin1')));
    return ['Zacharias', 'zacharias', '5548999997777'].filter((text) => texts.join().includes(text));
  };
  expect(await found()).not.toEqual([]);
  await index.removeNumber('+5548999997777');
  expect(await found()).toEqual([]);
  index.close();
  expect(await found()).toEqual([]);
  await folder.remove();
});

describe.each([
  ['SQLite', async () => openSqliteIndex(':memory:')],
  ['Redis', () => openRedisIndex(redis.url)],
])('the index on %s', (_engine, open) => {
  let index: DirectoryIndex;
  let source: string;
  let sources = 0;
  beforeAll(async () => {
    index = await open();
  });
  afterAll(() => index.close());
  beforeEach(() => {
    source = `source-${sources++}`;
  });

  const put = (...people: Person[]) =>
    index.put(
      source,
      people.map((each) => ({ uid: each.name, tag: '1', person: each })),
    );
  const names = async (number: string, ...visible: string[]) => {
    const [found] = await index.find([number], visible.length > 0 ? visible : [source]);
    return found!.people.map(({ name }) => name);
  };

  it('finds people by each of their numbers, with all that is kept of them', async () => {
    const ana: Person = {
      name: 'Ana Prado',
      organisation: 'Acme',
      role: 'Buyer',
      numbers: [{ number: '+5548999998888', label: 'cell phone' }, { number: '0105' }],
    };
    await put(ana, person('Rui', '+5548999998888'));
    const found = await index.find(['0105', '+5548999998888', '105', '+554899999888'], [source]);
    expect(found.map(({ count }) => count)).toEqual([1, 2, 0, 0]);
    expect(found[0]!.people).toEqual([{ ...ana, source }]);
  });

  it('keeps a person whose name has neither a letter nor a digit', async () => {
    await put(person('⭐', '+551140028944'));
    expect(await names('+551140028944')).toEqual(['⭐']);
    expect(await index.search(['a'], [source], 10)).toEqual([]);
    await put(person('⭐', '+551140028955'));
    expect(await names('+551140028944')).toEqual([]);
  });

  it('replaces an entry, with the numbers or words that it had', async () => {
    await put(person('Ana Prado', '+551140028922'));
    await index.put(source, [{ uid: 'Ana Prado', tag: '2', person: person('Eva Luz', '+551140028933') }]);
    expect(await names('+551140028922')).toEqual([]);
    expect(await names('+551140028933')).toEqual(['Eva Luz']);
    expect(await index.search(['prado'], [source], 10)).toEqual([]);
    expect(await index.known(source, ['Ana Prado', 'x'])).toEqual([
      { id: expect.any(Number), tag: '2' },
      undefined,
    ]);
    expect(await index.countOf(source)).toBe(1);
  });

  it('lists, then removes, the entries of one source', async () => {
    await put(person('a', '1'), person('b', '1'), person('c', '1'));
    expect((await index.list(source, '', 2)).map(({ uid }) => uid)).toEqual(['a', 'b']);
    expect((await index.list(source, 'b', 2)).map(({ uid }) => uid)).toEqual(['c']);
    await index.remove(source, ['a', 'c', 'unknown']);
    expect(await names('1')).toEqual(['b']);
    expect(await index.countOf(source)).toBe(1);
  });

  it('removes a number from every entry, with the entries that have no other', async () => {
    await put(person('Ana', '+551140028944', '1105'), person('Rui', '+551140028944'));
    expect(await index.removeNumber('+551140028944')).toBe(2);
    expect(await names('+551140028944')).toEqual([]);
    expect(await names('1105')).toEqual(['Ana']);
    expect(await index.countOf(source)).toBe(1);
  });

  it('searches by the beginning of every word, with accents or without', async () => {
    await put(person('João Conceição', '1'), person('Joana Costa', '2'), person('Costa', '3'));
    const search = async (...words: string[]) =>
      (await index.search(words, [source], 10)).map(({ name }) => name).sort();
    expect(await search('jo')).toEqual(['Joana Costa', 'João Conceição']);
    expect(await search('jo', 'co')).toEqual(['Joana Costa', 'João Conceição']);
    expect(await search('costa', 'jo')).toEqual(['Joana Costa']);
    expect(await search('jc')).toEqual(['Joana Costa', 'João Conceição']);
    expect(await search('ana')).toEqual([]);
  });

  it('shows the named sources alone, by their order', async () => {
    await put(person('Ana', '77'));
    const first = source;
    source = `${first}-b`;
    await put(person('Eva', '77'));
    expect(await names('77', source, first)).toEqual(['Eva', 'Ana']);
    expect(await names('77', first)).toEqual(['Ana']);
    expect(await index.search(['eva'], [first], 10)).toEqual([]);
  });

  it('finds people of a visible source behind many of another', async () => {
    const hidden = source;
    await put(...Array.from({ length: 60 }, (_, n) => person(`Zara ${n}`, '+551140028966')));
    source = `${hidden}-b`;
    await put(person('Zara Luz', '+551140028966'));
    const [found] = await index.find(['+551140028966'], [source]);
    expect(found).toMatchObject({ count: 1, people: [{ name: 'Zara Luz' }] });
    expect(await index.search(['zara'], [source], 10)).toMatchObject([{ name: 'Zara Luz' }]);
    const [both] = await index.find(['+551140028966'], [source, hidden]);
    expect([both!.people[0]!.name, both!.people.length, both!.count]).toEqual(['Zara Luz', 50, 61]);
  });

  it('leaves a repeated uid neither after the next sync nor after a removal', async () => {
    const rows = ['Ivo Reis', 'Ivo Reis', 'Ivo Lima'].map((name) => ({
      uid: 'one',
      written: { name, numbers: [{ text: '4833224455' }] },
    }));
    const sync = (entries: typeof rows) =>
      syncSource(
        {
          name: source,
          source: {
            async *pull() {
              yield entries;
              return { isComplete: true };
            },
            check: async () => '',
          },
          rules: { country: 'BR', extensions: [] },
          index,
          readForgotten: async () => ({ has: () => false, digest: '' }),
        },
        { signal: new AbortController().signal, acceptsFewer: true },
      );
    expect(await sync(rows)).toMatchObject({ changed: 1, entries: 1 });
    expect(await names('+554833224455')).toEqual(['Ivo Lima']);
    expect(await sync([])).toMatchObject({ removed: 1, entries: 0 });
    expect(await names('+554833224455')).toEqual([]);
    expect(await index.search(['ivo'], [source], 10)).toEqual([]);
  });

  it('does not find a name whose only number was removed, though put twice', async () => {
    const entry = { uid: 'one', tag: '1', person: person('Noé Paz', '+551140028977') };
    await index.put(source, [entry, entry]);
    await index.removeNumber('+551140028977');
    expect(await index.search(['noe'], [source], 10)).toEqual([]);
    expect(await index.countOf(source)).toBe(0);
  });

  it('counts all people of a number that many have', async () => {
    await put(...Array.from({ length: 60 }, (_, n) => person(`p${n}`, '+551140028955')));
    const [found] = await index.find(['+551140028955'], [source]);
    expect([found!.people.length, found!.count]).toEqual([50, 60]);
  });

  it('gives a source to one sync at a time', async () => {
    const claim = (owner: string, ms = 60_000) => index.claim(source, owner, ms);
    expect(await claim('one')).toBe(true);
    expect(await claim('two')).toBe(false);
    expect(await claim('one', 1)).toBe(true);
    await until(() => claim('two'), 'the end of the claim');
    expect(await claim('one')).toBe(false);
    await index.release(source, 'one');
    expect(await claim('three')).toBe(false);
    await index.release(source, 'two');
    expect(await claim('three')).toBe(true);
  });

  it('keeps the state of a source beside an epoch that changes', async () => {
    await index.countOf(source);
    await index.claim(source, 'one', 60_000);
    await index.saveSource(source, { token: 't1', unread: 3 });
    expect((await index.sources()).get(source)).toEqual({ token: 't1', unread: 3 });
    const epoch = await index.epoch();
    expect(await index.epoch()).toBe(epoch);
    await index.newEpoch();
    expect(await index.epoch()).not.toBe(epoch);
  });
});
