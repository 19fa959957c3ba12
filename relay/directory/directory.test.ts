import { writeFile } from 'node:fs/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { Metrics } from '../metrics.ts';
import { openMemoryStore } from '../store/memory-store.ts';
import { Directory } from './directory.ts';
import { ForgottenNumbers } from './forgotten-numbers.ts';
import type { DirectoryIndex } from './index/directory-index.ts';
import { openSqliteIndex } from './index/sqlite-index.ts';
import { csvSource } from './sources/csv.ts';

let folder: TemporaryFolder;
let index: DirectoryIndex;
let directory: Directory;
let lines: string[];

/** One source by team, in a file of its own. */
const opened = (name: string, ...teams: string[]) => {
  const url = folder.file(`${name}.csv`);
  const settings = { name, kind: 'csv', url, country: 'BR', ...(teams.length > 0 ? { teams } : {}) } as const;
  return { ...csvSource(url), settings };
};
const open = (sources: ConstructorParameters<typeof Directory>[0]['sources'], store = openMemoryStore()) =>
  new Directory({
    ...{ sources, extensions: [], index, store, metrics: new Metrics() },
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });

beforeEach(async () => {
  folder = await temporaryFolder();
  index = openSqliteIndex(':memory:');
  lines = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await directory.stop();
  await folder.remove();
});

const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    uid: `u${n}`,
    tag: '1',
    person: { name: `Ana ${n}`, numbers: [{ number: '+554833224455' }] },
  }));

it('shows each team only the people of its sources', async () => {
  for (const [name, person] of [
    ['one', 'Ana Um'],
    ['two', 'Ana Dois'],
    ['all', 'Ana Todos'],
  ] as const)
    await writeFile(folder.file(`${name}.csv`), `Name,Phone\n${person},4833224455\n`);
  const sources = [opened('all'), opened('one', 'sales'), opened('two', 'support')];
  directory = open(sources);
  for (const source of sources) await directory.sync(source);
  const seenBy = async (team: string | undefined) => {
    const [names] = await directory.namesOf(['+554833224455'], team);
    const found = await directory.search('ana', team);
    expect(found.map(({ name }) => name).sort()).toEqual(names!.names.map(({ name }) => name).sort());
    return [names!.count, ...names!.names.map(({ name }) => name)];
  };
  expect(await seenBy('sales')).toEqual([2, 'Ana Todos', 'Ana Um']);
  expect(await seenBy('support')).toEqual([2, 'Ana Todos', 'Ana Dois']);
  expect(await seenBy(undefined)).toEqual([1, 'Ana Todos']);
});

it('reads a source from the start where it leads to another address book', async () => {
  const bookAt = (url: string, name: string) => ({
    settings: { name: 'crm', kind: 'odoo', url, country: 'BR' } as const,
    async *pull({ token }: { token?: string | undefined }) {
      // As a CRM: once its people are known, it says what changed.
      if (token === undefined)
        yield [{ uid: 'res.partner/7', written: { name, numbers: [{ text: '4833224455' }] } }];
      else yield [{ uid: 'res.partner/7', isUnchanged: true } as const];
      return { isComplete: true, token: '1' };
    },
    check: async () => '',
  });
  for (const [url, name] of [
    ['https://test.example', 'Ana Test'],
    ['https://odoo.example', 'Rui Costa'],
  ] as const) {
    const source = bookAt(url, name);
    directory = open([source]);
    await directory.sync(source);
    expect((await directory.peopleOf('+554833224455')).map((person) => person.name)).toEqual([name]);
  }
});

it('keeps a number away that is forgotten while its source is read', async () => {
  const number = '+554833224455';
  await writeFile(folder.file('all.csv'), 'Name,Phone\nAna,4833224455\n');
  const store = openMemoryStore();
  const source = opened('all');
  directory = open([source], store);
  const { put } = index;
  index.put = async (...input) => {
    await ForgottenNumbers.set(store, number, true);
    await index.removeNumber(number);
    return put.apply(index, input);
  };
  await directory.sync(source);
  expect(await directory.peopleOf(number)).toEqual([]);
});

it('looks up the four longest words of a search', async () => {
  directory = open([opened('all')]);
  const search = vi.spyOn(index, 'search');
  await directory.search('a bb ccc dddd eeeee ffffff g', undefined);
  expect(search.mock.calls[0]![0]).toEqual(['ffffff', 'eeeee', 'dddd', 'ccc']);
  await directory.search('a b', undefined);
  expect(search.mock.calls[1]![0]).toEqual(['a']);
});

it('starts before the names of a removed source are gone, with turns between them', async () => {
  await index.put('old', people(1000));
  await writeFile(folder.file('all.csv'), 'Name,Phone\n');
  directory = open([opened('all')]);
  await directory.start(() => {});
  expect(await index.countOf('old')).toBeGreaterThan(900);
  let turns = 0;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await until(async () => (await index.countOf('old')) === 0, 'the old names to go');
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(30);
});

it('starts where the names of a removed source cannot be removed, with the reason in the log', async () => {
  await index.put('old', people(1));
  await writeFile(folder.file('all.csv'), 'Name,Phone\n');
  index.remove = () => Promise.reject(new Error('disk full'));
  directory = open([opened('all')]);
  await directory.start(() => {});
  await until(() => lines.some((line) => line.includes('disk full')), 'the log');
});

it('reads a file half a minute after another process had its source', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await writeFile(folder.file('all.csv'), 'Name,Phone\nAna,4833224455\n');
  await index.claim('all', 'other', 600_000);
  directory = open([opened('all')]);
  const claim = vi.spyOn(index, 'claim');
  const countOf = vi.spyOn(index, 'countOf');
  await directory.start(() => {});
  await vi.advanceTimersByTimeAsync(1);
  // The last that a run asks for.
  await eventually(() => expect(countOf).toHaveBeenCalledTimes(2));
  expect(claim).toHaveBeenCalledTimes(1);
  await index.release('all', 'other');
  await vi.advanceTimersByTimeAsync(31_000);
  vi.useRealTimers();
  await until(async () => (await index.countOf('all')) === 1, 'the file to be read', 10_000);
});

it('logs once that its index is out of reach, then again in the next outage', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  directory = open([]);
  await directory.start(() => {});
  const failures = () => lines.filter((line) => line.includes('the directory cannot be read')).length;
  const epoch = vi.spyOn(index, 'epoch').mockRejectedValue(new Error('Redis is away'));
  await vi.advanceTimersByTimeAsync(5000);
  expect(epoch.mock.calls.length).toBeGreaterThan(3);
  expect(failures()).toBe(1);
  epoch.mockResolvedValue(directory.epoch);
  await vi.advanceTimersByTimeAsync(2000);
  epoch.mockRejectedValue(new Error('Redis is away'));
  await vi.advanceTimersByTimeAsync(2000);
  expect(failures()).toBe(2);
});
