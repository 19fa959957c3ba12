import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openSqliteIndex } from '../directory/index/sqlite-index.ts';
import type { Source } from '../directory/sources/source.ts';
import { readRelaySettings } from '../settings.ts';
import { openMemoryStore } from '../store/memory-store.ts';
import { directoryCommands, forgetInDirectory } from './directory.ts';

const openSource = vi.hoisted(() => vi.fn());
vi.mock('../directory/sources/open-source.ts', () => ({ openSource }));
afterEach(() => {
  process.exitCode = 0;
});

it('ends a sync that Ctrl-C stops, so that the next one may begin', async () => {
  const folder = await temporaryFolder();
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const settings = readRelaySettings({
    DIALMARK_STORE: `sqlite:${folder.file('relay.db')}`,
    DIALMARK_DIRECTORY_PEOPLE_KIND: 'csv',
    DIALMARK_DIRECTORY_PEOPLE_URL: folder.file('people.csv'),
    DIALMARK_DIRECTORY_PEOPLE_COUNTRY: 'BR',
  });
  const sync = async (onPull: () => void) => {
    const source: Source = {
      async *pull() {
        onPull();
        yield [{ uid: 'a', written: { name: 'Ana', numbers: [{ text: '4833224455' }] } }];
        return { isComplete: true };
      },
      check: async () => '',
    };
    openSource.mockReturnValue(source);
    const program = new Command();
    directoryCommands(program, (work) => async (...input) => {
      await work({ store: openMemoryStore(), name: 'memory' }, settings, ...input);
    });
    await program.parseAsync(['directory', 'sync'], { from: 'user' });
    return printed.mock.lastCall?.[0];
  };
  expect(await sync(() => process.emit('SIGINT'))).toBe('people: the sync was stopped\n');
  expect(process.exitCode).toBe(1);
  expect(await sync(() => {})).toMatch(/^people: 1 changed, 0 removed, 1 entries/);
  printed.mockRestore();
  await folder.remove();
});

it('forgets a number of a source that is not set any more', async () => {
  const folder = await temporaryFolder();
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const file = folder.file('relay.db');
  const index = openSqliteIndex(`${file}.directory`);
  const number = '+554833224455';
  await index.put('old', [{ uid: 'a', tag: '', person: { name: 'Ana', numbers: [{ number }] } }]);
  const settings = readRelaySettings({ DIALMARK_STORE: `sqlite:${file}` });
  await forgetInDirectory(settings, openMemoryStore(), number);
  expect(await index.find([number], ['old'])).toEqual([{ people: [], count: 0 }]);
  expect(printed.mock.lastCall?.[0]).toBe('1 name forgotten\n');
  index.close();
  printed.mockRestore();
  await folder.remove();
});
