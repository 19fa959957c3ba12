import { expect, it } from 'vitest';
import { countEntries } from './count-entries.ts';

const entry = (id: string) => `1105 called 4833224455\ndialmark:${id}`;
const amendment = (id: string) =>
  `This call belongs to another record: https://crm.example/2\ndialmark:${id}/2`;

/** @param texts by record; the call is on record 2, and was on record 1 before. */
const count = (texts: Record<string, string[]>) =>
  countEntries(
    { texts: async (record) => texts[record] ?? [] },
    ['1', '2', '3'],
    [{ id: 'a', record: '2', left: '1' }],
  );

it.each([
  ['an entry that its first record never had', { 2: [entry('a')] }],
  ['an entry that its first record amends', { 1: [amendment('a'), entry('a')], 2: [entry('a')] }],
])('finds nothing wrong with %s', async (_name, texts) => {
  expect(await count(texts)).toEqual({ lost: [], twice: [], elsewhere: [] });
});

it.each([
  ['lost', 'an entry on the record that the call left', { 1: [entry('a'), amendment('a')] }],
  ['twice', 'a second entry', { 2: [entry('a'), entry('a')] }],
  ['twice', 'a second amendment', { 1: [entry('a'), amendment('a'), amendment('a')], 2: [entry('a')] }],
  ['elsewhere', 'an entry that was not amended', { 1: [entry('a')], 2: [entry('a')] }],
  ['elsewhere', 'an amendment without its entry', { 1: [amendment('a')], 2: [entry('a')] }],
  ['elsewhere', 'an entry on a third record', { 2: [entry('a')], 3: [entry('a')] }],
  ['elsewhere', 'an amendment on its record', { 2: [entry('a'), amendment('a')] }],
])('counts as %s %s', async (kind, _name, texts) => {
  expect(await count(texts)).toEqual({ lost: [], twice: [], elsewhere: [], [kind]: ['a'] });
});
