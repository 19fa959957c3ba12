import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { buildList } from '../rules/lists/build-list.ts';
import { readRelaySettings } from '../settings.ts';
import { checkLists } from './check-lists.ts';

const folder = await temporaryFolder();
afterAll(() => folder.remove());

const from = folder.file('national.csv');
const national = { name: 'national', from, maxAgeDays: 31 };

async function check(list: object, now = Date.now()): Promise<string[]> {
  await writeFile(folder.file('rules.json'), JSON.stringify({ lists: [list] }));
  const settings = readRelaySettings({
    DIALMARK_STORE: `sqlite:${folder.file('relay.db')}`,
    DIALMARK_RULES_FILE: folder.file('rules.json'),
    DIALMARK_COUNTRY: 'BR',
  });
  return (await checkLists(settings, now)).map(({ isOk, what, advice }) => `${isOk} ${what}: ${advice}`);
}

it('reads the copy that the relay has of each large list', async () => {
  expect(await check(national)).toEqual([
    'false list national: this relay has no copy of it yet; it makes one when it starts',
  ]);
  await mkdir(folder.file('lists'));
  await writeFile(from, '48999998888\n48999997777\n');
  const path = folder.file('lists/national.numbers');
  await buildList({ list: { ...national, country: 'BR' }, path });
  const day = new Date().toISOString().slice(0, 10);
  expect(await check(national)).toEqual([`true list national: 2 numbers, read on ${day}`]);
  expect(await check(national, Date.now() + 32 * 86_400_000)).toEqual([
    `false list national: 2 numbers, read on ${day}; it is older than 31 days, and the log says why`,
  ]);
  expect(await check({ ...national, country: 'PT' })).toEqual([
    `false list national: 2 numbers, read on ${day}, from another source; the log says why`,
  ]);
  await writeFile(path, 'damaged');
  expect(await check(national)).toEqual([expect.stringMatching(/^false list national: .*national\.numbers/)]);
});
