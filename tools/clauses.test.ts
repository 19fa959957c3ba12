import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const rows = readFileSync(path.join(root, 'docs/service.md'), 'utf8')
  .split('## What the interface leaves open')[0]!
  .split('\n')
  .filter((line) => /^\| [\d.]+( to \d+)? \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, clause, says, code, test, own]) => ({
    clause: clause!,
    says: says!,
    code: code!,
    tests: [test!, own!].filter((cell) => cell !== '–'),
  }));

describe('docs/service.md', () => {
  it('has a row for every section that says something', () => {
    const sections = new Set(rows.map(({ clause }) => clause.split('.')[0]));
    for (const section of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) expect(sections).toContain(section);
  });

  it('holds our own service to every section that says what a service does', () => {
    const held = rows.filter(({ tests }) => tests.length === 2).map(({ clause }) => clause);
    for (const clause of ['1', '2.1', '2.2', '2.3', '3', '4.1', '5', '6', '7', '8', '9'])
      expect(held).toContain(clause);
  });

  it.each(rows.map((row) => [`${row.clause}: ${row.says}`, row] as const))(
    '%s: names code and a test that exist',
    (_name, row) => {
      for (const [, file] of row.code.matchAll(/`([^`]+)`/g))
        expect(existsSync(path.join(root, file!)), file).toBe(true);
      expect(row.tests).not.toEqual([]);
      for (const test of row.tests) {
        const [, file, title] = /^`([^`]+)`: (.+)$/.exec(test)!;
        expect(readFileSync(path.join(root, file!), 'utf8')).toContain(title);
      }
    },
  );
});
