import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { settingsOption } from './settings-file.ts';

let folder: TemporaryFolder;
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

it.each([
  ['A=1\nB=2\nexport A = 3\n', 'lines 1 and 3: expected A once'],
  ['# as systemd reads it\nA=one,\\\nB=2\n', 'line 2: expected the value on one line'],
])('refuses %j, which systemd or a person reads otherwise', async (content, problem) => {
  const file = folder.file('doubtful.env');
  await writeFile(file, content, { mode: 0o600 });
  expect(() => read(file)).toThrow(`${file}, ${problem}`);
});

it.each(['A=1\n  # a remark\nB=2', 'A=1\n \t\nB=2', ' A=1\n\texport  B = 2 ', '# a\n # b\nA=1\n# c\nB=2'])(
  'reads both settings of %j, whatever white space is there',
  async (content) => {
    const file = folder.file('blanks.env');
    await writeFile(file, content, { mode: 0o600 });
    expect(read(file)).toEqual({ A: '1', B: '2' });
  },
);

it('names the line also in a file that begins with empty lines', async () => {
  const file = folder.file('late.env');
  await writeFile(file, '\uFEFF\n\nA=1\nB\n', { mode: 0o600 });
  expect(() => read(file)).toThrow(`${file}, line 4: expected NAME=value`);
});

it('keeps a backslash inside a value or quotes', async () => {
  const file = folder.file('backslash.env');
  await writeFile(file, 'A=C:\\x\nB="C:\\x\\"\n#A=2\n', { mode: 0o600 });
  expect(read(file)).toEqual({ A: 'C:\\x', B: 'C:\\x\\' });
});

it('says of an empty path that one is expected', () => {
  for (const path of ['', ' ']) expect(() => read(path)).toThrow('expected the path of a file');
});

it('says of a path below a file what is wrong with it', async () => {
  await writeFile(folder.file('plain'), '');
  const below = folder.file('plain/relay.env');
  expect(() => read(below)).toThrow(`${below} cannot be read: what its path names as a folder is a file`);
});
