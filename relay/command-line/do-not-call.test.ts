import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { readRelaySettings } from '../settings.ts';
import { openMemoryStore } from '../store/memory-store.ts';
import { importList } from './do-not-call.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

it('audits an import that a full disk ends after its first numbers', async () => {
  const file = folder.file('long.csv');
  const numbers = Array.from({ length: 501 }, (_, at) => `+55489999${String(at).padStart(5, '0')}`);
  await writeFile(file, numbers.join('\n'));
  const store = await openMemoryStore();
  const { list } = store.rules;
  vi.spyOn(store.rules, 'list')
    .mockImplementationOnce(list)
    .mockRejectedValueOnce(new Error('the disk is full'));
  const settings = readRelaySettings({ DIALMARK_STORE: 'memory:', DIALMARK_COUNTRY: 'BR' });
  await expect(importList(store, settings, file, {})).rejects.toThrow('the disk is full');
  expect((await store.rules.listed('', 501)).rows).toHaveLength(500);
  expect((await store.rules.audit('', 10)).records).toMatchObject([
    { action: 'doNotCall.add', by: 'operator', about: '501 numbers', detail: `from ${file}` },
  ]);
  await store.close();
});
