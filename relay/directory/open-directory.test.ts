import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { Metrics } from '../metrics.ts';
import { readRelaySettings } from '../settings.ts';
import { openMemoryStore } from '../store/memory-store.ts';
import { openIndex } from './index/open-index.ts';
import { openDirectory } from './open-directory.ts';

let folder: TemporaryFolder;
let store: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  store = `sqlite:${folder.file('relay.db')}`;
});
afterEach(() => folder.remove());

/** Of a relay for which no source of names is set. */
const openWithoutSources = (logged = { write() {} }) =>
  openDirectory({
    settings: readRelaySettings({ DIALMARK_STORE: store, DIALMARK_SECRET: 's'.repeat(32) }),
    ...{ store: openMemoryStore(), metrics: new Metrics(), log: pino(logged) },
  });

const ana = { name: 'Ana Prado', numbers: [{ number: '+554833224455' }] };

it('removes the names of the last source that was unset from the file', async () => {
  const index = await openIndex(store);
  await index.put('crm', [{ uid: '1', tag: '1', person: ana }]);
  const directory = await openWithoutSources();
  await directory?.start(() => {});
  await until(async () => (await index.countOf('crm')) === 0, 'the names to go');
  await directory?.stop();
  index.close();
  expect((await readFile(folder.file('relay.db.directory'))).includes('Ana Prado')).toBe(false);
  expect(await openWithoutSources()).toBeUndefined();
});

it('makes no file of names where no source was ever set', async () => {
  expect(await openWithoutSources()).toBeUndefined();
  expect(existsSync(folder.file('relay.db.directory'))).toBe(false);
});

it('opens without names where the file of unset sources cannot be read', async () => {
  await mkdir(folder.file('relay.db.directory'));
  expect(await openWithoutSources()).toBeUndefined();
});

it('leaves the names in Redis, where other relays may still have the sources', async () => {
  store = 'redis://127.0.0.1:1/0';
  const reported = vi.fn();
  expect(await openWithoutSources({ write: reported })).toBeUndefined();
  expect(reported).not.toHaveBeenCalled();
});
