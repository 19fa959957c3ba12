import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { filesUnder, zip } from './zip.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('the same files make the same bytes, whatever their order or age', async () => {
  const folder = await temporaryFolder();
  await mkdir(folder.file('deep/er'), { recursive: true });
  await writeFile(folder.file('b.txt'), 'b');
  await writeFile(folder.file('deep/er/a.txt'), 'a');
  const first = zip(await filesUnder(folder.path));
  await utimes(folder.file('b.txt'), new Date(0), new Date(0));
  const second = zip(await filesUnder(folder.path));
  const third = zip(
    new Map([
      ['deep/er/a.txt', bytes('a')],
      ['b.txt', bytes('b')],
    ]),
  );
  await folder.remove();
  expect(Buffer.from(second).equals(first)).toBe(true);
  expect(Buffer.from(third).equals(first)).toBe(true);
  expect(Object.keys(unzipSync(first))).toEqual(['b.txt', 'deep/er/a.txt']);
});

test('other contents make other bytes', () => {
  expect(Buffer.from(zip(new Map([['a', bytes('1')]]))).equals(zip(new Map([['a', bytes('2')]])))).toBe(
    false,
  );
});
