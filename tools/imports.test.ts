import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../testing/child.ts';
import { trackedFiles } from '../testing/tracked-files.ts';

/** File -> the files of this repository that it imports, types included. */
const imports = new Map(
  trackedFiles('*.ts', '*.tsx', '*.mts', '*.mjs').map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const relative = text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g);
    return [file, [...relative].map(([, target]) => path.join(path.dirname(file), target!))] as const;
  }),
);
const folderOf = (file: string) => file.split('/')[0]!;
const isTest = (file: string) => /\.(test|spec)\.tsx?$|\/(testing|system)\//.test(file);

it('no files import each other in a circle', () => {
  const left = new Map(
    [...imports].map(([file, targets]) => [file, targets.filter((one) => imports.has(one))]),
  );
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [file, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(file);
  }
  expect([...left.keys()]).toEqual([]);
});

it('what is shipped imports only its own folder or shared', () => {
  const shipped = ['extension', 'widget', 'relay', 'pbx', 'registration', 'sandbox', 'shared'];
  const crossing = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => ![folderOf(file), 'shared'].includes(folderOf(target)))
      .map((target) => `${file} -> ${target}`)
      .filter(() => shipped.includes(folderOf(file)) && !isTest(file) && !file.includes('/gallery/')),
  );
  expect(crossing).toEqual([]);
});

it('only e2e imports e2e, only bench imports bench', () => {
  const tests = ['e2e', 'bench'];
  const wrong = [...imports].filter(
    ([file, targets]) =>
      !tests.includes(folderOf(file)) && targets.some((target) => tests.includes(folderOf(target))),
  );
  expect(wrong.map(([file]) => file)).toEqual([]);
});
