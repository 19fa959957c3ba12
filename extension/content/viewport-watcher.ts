/**
 * Watches which blocks are near the viewport. An IntersectionObserver measures each of its targets at every frame of the page,
 * 2 ms a frame at 1,000 (Chromium 156): so it observes a sample only, and all blocks are measured here when a sample enters or
 * leaves, when the page scrolls, and when blocks are added.
 */

import { isRendered } from './layout.ts';
import { listen } from './listen.ts';
import type { TimeSlicer } from './time-slicer.ts';
import { type Block, boxElementOf } from './tree.ts';

/** Distance from the viewport that counts as near. */
const marginPx = 200;
const groupSize = 32;
/** Up to so many groups, each block is measured; beyond, only those of groups that reach the viewport. */
const maxMeasuredGroups = 32;
/** Up to so many blocks, each is observed; beyond, about every second one, every fourth … */
const maxObserved = 300;

export function watchViewport(
  signal: AbortSignal,
  on: { entered(block: Block): void; left(block: Block): void; moved(): void },
) {
  /** In the order in which they were found: document order, except for later additions. */
  let groups: Block[][] = [];
  /** All blocks of the groups. A weak set would cost every collection, and free none of them. */
  const known = new Set<Block>();
  const observed = new Set<Block>();
  let sample = 1;
  let near = new Set<Block>();
  let hasMoved = false;
  /** A block that would be near was not rendered: only the page knows when it will be. */
  let hasHidden = false;
  const move = () => {
    if (hasMoved) return;
    hasMoved = true;
    on.moved();
  };
  const observer = new IntersectionObserver(move, { rootMargin: `${marginPx}px` });
  signal.addEventListener('abort', () => observer.disconnect());
  listen('resize', move, signal);

  const observe = (block: Block) => {
    if (Math.random() * sample >= 1) return;
    observed.add(block);
    observer.observe(boxElementOf(block));
    if (observed.size <= maxObserved) return;
    sample *= 2;
    let index = 0;
    for (const each of observed) if (index++ % 2) unobserve(each);
  };
  const unobserve = (block: Block) => {
    if (observed.delete(block)) observer.unobserve(boxElementOf(block));
  };
  const reachesViewport = (...blocks: Block[]) => {
    const boxes = blocks.map((block) => boxElementOf(block).getBoundingClientRect());
    return (
      boxes.some(({ width, height }) => width + height > 0) &&
      Math.min(...boxes.map(({ top }) => top)) < innerHeight + marginPx &&
      Math.max(...boxes.map(({ bottom }) => bottom)) > -marginPx
    );
  };
  const clean = (group: Block[]) => {
    for (const block of group.splice(0)) {
      if (block.isConnected) group.push(block);
      else {
        known.delete(block);
        unobserve(block);
      }
    }
  };

  return {
    add(block: Block) {
      if (known.has(block)) {
        if (!near.has(block)) move(); // Removed and put back.
        return;
      }
      known.add(block);
      const last = groups.at(-1);
      if (last && last.length < groupSize) last.push(block);
      else groups.push([block]);
      observe(block);
      move();
    },
    has: (block: Block) => near.has(block),
    /** Adds a root whose scroll events do not reach the window. */
    addRoot: (root: Document | ShadowRoot) =>
      listen('scroll', move, signal, root === document ? window : root),
    /** Measures again soon if a block was not rendered that may be now. */
    revisitHidden: () => hasHidden && move(),
    /** True when something may have moved since the last `measure`. */
    get hasMoved() {
      return hasMoved;
    },
    /** Measures again, in slices, and reports every block that entered or left. */
    async measure(slicer: TimeSlicer) {
      hasMoved = hasHidden = false;
      const clipped = new Map<Element, boolean>();
      const now = new Set<Block>();
      for (const group of groups) {
        if (slicer.isDue()) await slicer.yieldToPage();
        if (!group.every((block) => block.isConnected)) clean(group);
        if (
          group.length === 0 ||
          (groups.length > maxMeasuredGroups && !reachesViewport(group[0]!, group.at(-1)!))
        )
          continue;
        for (const block of group) {
          if (!reachesViewport(block)) continue;
          if (isRendered(block, clipped)) now.add(block);
          else hasHidden = true;
        }
      }
      groups = groups.filter((group) => group.length > 0);
      const before = near;
      near = now;
      for (const block of before) if (!now.has(block)) on.left(block);
      for (const block of now) if (!before.has(block)) on.entered(block);
    },
    get near(): Iterable<Block> {
      return near;
    },
  };
}
