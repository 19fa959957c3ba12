/**
 * Observes the page and marks the numbers near the viewport. One MutationObserver per root queues what changed, and the queue is
 * processed in slices that leave the page its frames. Changed numbers lose their mark in the observer's callback, before the
 * page is painted again.
 */

import type { BackgroundConnection } from './background-connection.ts';
import { watchLateShadowRoots } from './late-shadow-roots.ts';
import { listen } from './listen.ts';
import type { NumberFinder } from './number-finder.ts';
import type { Marks } from './paint-marks.ts';
import { shadowRootOf } from './shadow-roots.ts';
import { blockOf, findBlocks, isInsideUntouchable } from './text-blocks.ts';
import type { TimeSlicer } from './time-slicer.ts';
import type { Block } from './tree.ts';
import { watchViewport } from './viewport-watcher.ts';
import { hasDigit } from './words.ts';

/** We pause this many times as long as we worked: a page that changes all the time never costs more than a tenth. */
const pauseFactor = 10;
const maxPauseMs = 1_000;
/** A block that keeps changing without a number is read again after this time at most. */
const maxRereadDelayMs = 60_000;
/** A block without a change for so long is again read at once. */
const backoffResetMs = 20_000;
/** Above so many records in one callback, checking every mark is quicker than checking every record. */
const maxChangesCheckedSingly = 30;
/** Above so many queued records of a root, walking the root again is quicker than reading them, and frees them at once. */
const maxPendingChanges = 2_000;
/** Each of so many first slices of the walk is followed by reading what is near: on a slow machine the first may find no number. */
const earlySlices = 4;
/** A few milliseconds of reading. */
const blocksPerBatch = 30;

interface ObserverParts {
  marks: Marks;
  finder: NumberFinder;
  background: BackgroundConnection;
  slicer: TimeSlicer;
}

export type PageObserver = ReturnType<typeof observePage>;

export function observePage(
  { marks, finder, background, slicer }: ObserverParts,
  signal: AbortSignal,
  onChange: () => void,
) {
  const roots = new WeakSet<Node>();
  const observers: MutationObserver[] = [];
  // One listener for all: a signal compares each new one with those that it has.
  signal.addEventListener('abort', () => {
    for (const observer of observers) observer.disconnect();
  });
  const lateRoots = watchLateShadowRoots(signal, () => schedule());
  /** Roots and added or changed elements to be searched for blocks. */
  const toWalk = new Set<Node>();
  /** Blocks near the viewport whose text is to be read. */
  const toRead = new Set<Block>();
  /** How often in a row a changed block was read without a number, when it last changed, and whether its next reading waits. */
  const misses = new WeakMap<Block, { times: number; changed: number; isDelayed: boolean }>();
  const queuedRecords = new Map<Node, MutationRecord[]>();
  let isRunning = false;
  let earlySlicesLeft = earlySlices;

  const viewport = watchViewport(signal, {
    entered: (block) => toRead.add(block),
    left(block) {
      toRead.delete(block);
      marks.drop(block);
    },
    moved: () => schedule(),
  });

  /** The callback does only what must happen before the page is painted again; the rest is done in slices. */
  const observeRoot = (root: Document | ShadowRoot) => {
    const observer = new MutationObserver((records) => {
      if (!background.isAlive()) return;
      queueRecords(root, records);
      if (
        marks.check(
          records.length < maxChangesCheckedSingly ? records.map(({ target }) => blockOf(target)) : undefined,
        )
      )
        onChange();
      schedule();
    });
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    observers.push(observer);
  };
  const queueRecords = (root: Node, records: MutationRecord[]) => {
    const queued = (queuedRecords.get(root) ?? []).concat(records);
    if (queued.length > maxPendingChanges) toWalk.add(root);
    if (toWalk.has(root)) queuedRecords.delete(root);
    else queuedRecords.set(root, queued);
  };

  async function readRecords(): Promise<void> {
    let count = 0;
    let last: Node | undefined;
    let block: Block | undefined;
    for (const [root, records] of queuedRecords) {
      queuedRecords.delete(root);
      for (const { target, addedNodes } of records) {
        if (++count % 32 === 0 && slicer.isDue()) await slicer.yieldToPage();
        if (target !== last) {
          last = target;
          block = blockOf(target);
        }
        let digit = hasDigit.test(target.nodeValue ?? '');
        for (let node = addedNodes[0], index = 0; node; node = addedNodes[++index])
          if (node.nodeType === 1) toWalk.add(node);
          else digit ||= node.nodeType === 3 && hasDigit.test(node.nodeValue!);
        if (!block || toRead.has(block)) continue;
        if (digit) viewport.add(block);
        if (viewport.has(block)) queueRead(block);
      }
    }
  }

  /** Backs off: a clock or ticker without a number must not keep the background awake all day. */
  const queueRead = (block: Block) => {
    const now = performance.now();
    const miss = misses.get(block) ?? { times: 0, changed: now, isDelayed: false };
    misses.set(block, miss);
    if (now - miss.changed > backoffResetMs) miss.times = 0;
    miss.changed = now;
    if (miss.isDelayed) return;
    const wait = Math.min(2 ** miss.times * 100, maxRereadDelayMs);
    miss.isDelayed = wait >= 1_000;
    if (!miss.isDelayed) toRead.add(block);
    else
      setTimeout(() => {
        miss.isDelayed = false;
        toRead.add(block);
        schedule();
      }, wait);
  };
  const addRoot = (root: Document | ShadowRoot) => {
    if (roots.has(root)) return;
    roots.add(root);
    observeRoot(root);
    marks.adopt(root);
    viewport.addRoot(root);
    toWalk.add(root);
  };
  const findShadowRoot = (element: Element) => {
    const root = shadowRootOf(element);
    if (root) addRoot(root);
    else lateRoots.add(element);
  };

  async function walk(): Promise<void> {
    for (const root of toWalk) {
      toWalk.delete(root);
      // Thousands of rows may have been added, each too small for its own walk to check the clock.
      if (slicer.isDue()) await slicer.yieldToPage();
      if (!root.isConnected || (root.nodeType !== 9 && isInsideUntouchable(root as Block))) continue;
      for (const block of findBlocks(root, findShadowRoot)) {
        if (block) {
          viewport.add(block);
          if (viewport.has(block)) queueRead(block);
        } else if (slicer.isDue()) {
          // What the agent sees comes first: a long page is walked further when its first numbers are marked.
          if (earlySlicesLeft-- > 0) await readNear();
          else await slicer.yieldToPage();
        }
      }
    }
  }

  async function readNear(): Promise<void> {
    if (viewport.hasMoved) await viewport.measure(slicer);
    if (slicer.isDue()) await slicer.yieldToPage();
    const blocks: Block[] = [];
    for (const block of toRead) {
      toRead.delete(block);
      if (block.isConnected && !isInsideUntouchable(block)) blocks.push(block);
      else marks.drop(block);
      if (blocks.length === blocksPerBatch) await mark(blocks.splice(0));
      else if (slicer.isDue()) await slicer.yieldToPage();
    }
    await mark(blocks);
  }

  async function mark(blocks: readonly Block[]): Promise<void> {
    if (blocks.length === 0) return;
    const found = await finder.find(blocks);
    if (signal.aborted) return;
    await slicer.yieldToPage();
    for (const [block, numbers] of found) {
      // Changed before the reply came: it is in the queue again.
      if (toRead.has(block)) continue;
      marks.set(block, numbers);
      const miss = misses.get(block);
      if (miss) miss.times = numbers[0] ? 0 : miss.times + 1;
      if (slicer.isDue()) await slicer.yieldToPage();
    }
    onChange();
  }

  const schedule = () => {
    if (isRunning || signal.aborted || !background.isAlive()) return;
    isRunning = true;
    void run();
  };
  /** Awaits by itself: in Firefox `postTask` and its `then` do not wait for a promise of a content script. */
  async function run(): Promise<void> {
    try {
      await slicer.yieldToPage();
      while (
        queuedRecords.size > 0 ||
        viewport.hasMoved ||
        toWalk.size > 0 ||
        toRead.size > 0 ||
        lateRoots.isDue
      ) {
        slicer.restart();
        await readRecords();
        await walk();
        await readNear();
        if (lateRoots.isDue) for (const root of await lateRoots.find(slicer)) addRoot(root);
        await slicer.yieldToPage(Math.min(slicer.workedMs() * pauseFactor, maxPauseMs));
      }
    } catch {} // Aborted.
    isRunning = false;
  }

  // What a class or style hides and shows changes no node: it follows what a person does, or ends a transition.
  const revisitHidden = () => {
    for (const block of viewport.near) if (finder.isPartlyHidden(block)) toRead.add(block);
    viewport.revisitHidden();
    if (toRead.size > 0) schedule();
  };
  listen(['click', 'keyup', 'transitionend'], revisitHidden, signal);

  addRoot(document);
  schedule();

  return {
    slicer,
    /** Marks a block now, also far from the viewport. */
    markNow: (block: Block) => mark([block]),
    /** Reads everything near the viewport again: the settings changed. */
    rereadAll() {
      for (const block of viewport.near) toRead.add(block);
      schedule();
    },
  };
}
