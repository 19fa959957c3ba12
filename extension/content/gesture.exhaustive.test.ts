import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryGestures } from '../../testing/extension/gesture-actions.ts';
import type { Transition } from '../../testing/extension/gesture-world.ts';
import { gestureStep } from './gesture.ts';

test('no one of 100,000 sequences dials what was not read', () => {
  expect(tryGestures(gestureStep, 100_000)).toBeGreaterThan(2_000);
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
  ['a covered tip keeps its time', 'gesture.ts', 'state.isCovered && !isCovered', 'false'],
  ['a press under a cover counts', 'gesture-pointer.ts', '!isCovered && isSameTarget', 'isSameTarget'],
  ['a tip that may be covered is dialled', 'gesture.ts', "cover === 'clear' ?", 'true ?'],
  ['an invisible number is dialled', 'gesture.ts', '!isSeen || cover', 'cover'],
  ['a press on another number counts', 'gesture-pointer.ts', 'isSame && press.wasShown', 'isSame'],
  [
    'a brought number needs no leaving',
    'gesture-pointer.ts',
    'isMouse ? hasComeTo(next, target)',
    'isMouse ? true',
  ],
  [
    'a brought button counts',
    'gesture-pointer.ts',
    "isBrought ? showTip(state, target, tip.mode, 'again') :",
    '',
  ],
  ['a brought number counts as come to', 'gesture-state.ts', 'isStill || hasComeTo(state, target)', 'true'],
  [
    'a finger comes to what the page puts under it',
    'gesture-pointer.ts',
    'comeTo(next, isSame ?',
    'comeTo(next, true ?',
  ],
  [
    'Enter on our link counts for a tapped number',
    'gesture-keys.ts',
    "|| tip?.mode !== 'keyboard'",
    '|| !tip',
  ],
  ['Enter counts though the page led to our link', 'gesture-keys.ts', 'next.isLed ?', 'false ?'],
  [
    'Enter counts wherever the focus came from',
    'gesture-keys.ts',
    'isRead && tabbedLink === target.key',
    'isRead',
  ],
  ['Enter counts before it was read', 'gesture-keys.ts', 'isReadableTip(state) &&', ''],
  ['a check is never too late', 'gesture.ts', 'at > pending.until + maxLateMs', 'false'],
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
      gestureStep: Transition;
    };
    // What is not there fails, too.
    expect(mutant.gestureStep).toBeTypeOf('function');
    expect(() => tryGestures(mutant.gestureStep, 100_000, 1)).toThrow('Property failed');
  },
  300_000,
);
