/** Makes sequences of what hand, page and clock do, for the property test of the gesture. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { root } from '../child.ts';
import type { Action, Acts } from './gesture-acts.ts';
import { changes, slots } from './gesture-page.ts';
import { GestureWorld, type Transition } from './gesture-world.ts';

const slot = fc.integer({ min: 0, max: slots - 1 });
const which = fc.integer({ min: 0, max: 2 });
const pointer = fc.constantFrom('mouse', 'touch');
const change = fc.constantFrom(...changes);
const mostly = (often: boolean) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(often) }, fc.constant(!often));
const act = <Do extends keyof Acts>(
  name: Do,
  fields: { [Name in keyof Acts[Do]]: fc.Arbitrary<Acts[Do][Name]> },
  weight: number,
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Action>,
});

const action = fc.oneof(
  act('wait', { ms: fc.constantFrom(1, 20, 100, 299, 300, 320, 620, 1_600) }, 24),
  act('wait', { ms: fc.constantFrom(600_000, 20_000, -1, -500, -600_000) }, 1),
  act('move', { slot }, 12),
  act(
    'press',
    {
      pointer,
      isTrusted: mostly(true),
      isPrimary: mostly(true),
      drag: fc.constantFrom(0, 0, 0, 2, 40),
      clicks: fc.constantFrom(1, 1, 1, 2),
      holdMs: fc.constantFrom(0, 40, 700),
    },
    16,
  ),
  act('interfere', { change, which, slot, isSeen: mostly(true) }, 6),
  act('pressAround', { pointer, change, which, slot }, 3),
  act('cover', { isCovered: fc.boolean() }, 4),
  act('layer', { isReported: fc.boolean() }, 2),
  act(
    'key',
    {
      key: fc.constantFrom('Tab', 'Enter', 'Enter', 'Enter', ' ', 'x', 'Escape'),
      isTrusted: mostly(true),
      isRepeat: mostly(false),
      isComposing: mostly(false),
    },
    12,
  ),
  act('focus', { which: fc.constantFrom(0, 1, 1, 1), wasTab: fc.boolean() }, 6),
  act('focusSkipLink', { wasTab: fc.boolean() }, 2),
  act('blur', {}, 1),
  act('select', { text: fc.constantFrom('', '', 'words') }, 1),
  act('step', { which }, 6),
  act('command', {}, 4),
  act('button', { isBrought: fc.boolean() }, 4),
  act('activate', { which }, 1),
  act('frame', {}, 4),
);

const machine = path.join(root, 'extension/content');

/** Depends on the machine's source. So a run can be repeated, and each changed machine is tried with new sequences. */
function seedOfMachine(): number {
  const hash = createHash('sha256');
  for (const file of readdirSync(machine).sort())
    if (file.startsWith('gesture') && !file.includes('.test.'))
      hash.update(readFileSync(path.join(machine, file)));
  return hash.digest().readInt32BE();
}

/**
 * Runs sequences. @throws Error with the seed and the smallest sequence that breaks Law 3.
 * @returns how many calls were placed.
 */
export function tryGestures(step: Transition, runs: number, seed = seedOfMachine()): number {
  let calls = 0;
  fc.assert(
    fc.property(fc.array(action, { minLength: 3, maxLength: 30, size: 'max' }), (actions) => {
      const world = new GestureWorld(step);
      for (const each of actions) world.act(each);
      calls += world.dialled.length;
    }),
    { numRuns: runs, seed },
  );
  return calls;
}
