import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/relay/test-relay.ts';
import { settingsOption } from './settings-file.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const read = (path: string) => settingsOption().parseArg!(path, undefined);

it.each(['\n', '\r\n', '\r'])('reads lines that end in %j', async (end) => {
  const file = folder.file('relay.env');
  await writeFile(file, ['# a remark', 'A=1', 'B="2 3"', ''].join(end), { mode: 0o600 });
  expect(read(file)).toEqual({ A: '1', B: '2 3' });
  await writeFile(file, ['A=1', 'B'].join(end));
  expect(() => read(file)).toThrow(`${file}, line 2: expected NAME=value`);
});

it.each(['A=1\n  # a remark\nB=2', 'A=1\n \t\nB=2', ' A=1\n\texport  B = 2 ', '# a\n # b\nA=1\n# c\nB=2'])(
  'reads both settings of %j, whatever white space is there',
  async (content) => {
    const file = folder.file('blanks.env');
    await writeFile(file, content, { mode: 0o600 });
    expect(read(file)).toEqual({ A: '1', B: '2' });
  },
);

it('says of an empty path that one is expected', () => {
  for (const path of ['', ' ']) expect(() => read(path)).toThrow('expected the path of a file');
});

it('says of a path below a file what is wrong with it', async () => {
  await writeFile(folder.file('plain'), '');
  const below = folder.file('plain/relay.env');
  expect(() => read(below)).toThrow(`${below} cannot be read: what its path names as a folder is a file`);
});
