import { expect, it } from 'vitest';
import { ListReader } from './read-list.ts';

function read(...lines: string[]): string[] {
  const keys: string[] = [];
  const reader = new ListReader({ country: 'BR' }, (key) => keys.push(key));
  for (const line of lines) reader.readLine(line);
  reader.end();
  return keys;
}

it.each([
  ['before', (tabs: string) => `"Ana"${tabs}4832221000`],
  ['behind', (tabs: string) => `4832221000${tabs}x"`],
])('reads a line with a million tabs %s its number', (_where, line) => {
  // Where the time grew with the square of the length, this test would hang.
  expect(read(line('\t'.repeat(1_000_000)))).toEqual(['+554832221000']);
});

it('joins the lines of a cell in quotes behind blanks or tabs', () => {
  expect(read('Name;Phone', 'Ana; \t "4832221000', '"', '\t"Rui";4832221001')).toEqual([
    '+554832221000',
    '+554832221001',
  ]);
});
