import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { filesUnder, zip } from './zip.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('the same files make the same bytes, whatever their order or age', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-zip-'));
  await mkdir(path.join(folder, 'deep/er'), { recursive: true });
  await writeFile(path.join(folder, 'b.txt'), 'b');
  await writeFile(path.join(folder, 'deep/er/a.txt'), 'a');
  const first = zip(await filesUnder(folder));
  await utimes(path.join(folder, 'b.txt'), new Date(0), new Date(0));
  const second = zip(await filesUnder(folder));
  const third = zip(
    new Map([
      ['deep/er/a.txt', bytes('a')],
      ['b.txt', bytes('b')],
    ]),
  );
  await rm(folder, { recursive: true });
  expect(Buffer.from(second).equals(first)).toBe(true);
  expect(Buffer.from(third).equals(first)).toBe(true);
  expect(Object.keys(unzipSync(first))).toEqual(['b.txt', 'deep/er/a.txt']);
});

test('other contents make other bytes', () => {
  expect(Buffer.from(zip(new Map([['a', bytes('1')]]))).equals(zip(new Map([['a', bytes('2')]])))).toBe(
    false,
  );
});
