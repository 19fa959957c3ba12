/**
 * Which blocks stand near the viewport. An IntersectionObserver asks that for each of its targets at every frame of the page,
 * 2 ms a frame at 1,000 (Chromium 156): so only a sample is observed, to tell that something came or went, and the blocks
 * are measured by ourselves when it does, when the page scrolls, and when blocks come.
 */
import type { SliceClock } from './slice-clock.ts';
import { type Block, elementOf } from './walk.ts';

export interface Nearness {
  add(block: Block): void;
  has(block: Block): boolean;
  /** Another root whose scrolling boxes the window does not hear of. */
  listen(root: Document | ShadowRoot): void;
  /** Something may have moved since the last `measure`. */
  readonly moved: boolean;
  /** Measures again, in slices; tells of every block that came near, or went. */
  measure(breathe: SliceClock): Promise<void>;
  readonly near: Iterable<Block>;
}

/** Pixels around the viewport that count as near. */
const margin = 200;
/** Up to so many blocks each is measured; beyond, only those of groups that reach the viewport. */
const mostMeasured = 1_000;
const groupSize = 32;
/** Every block is observed up to so many; then every second one, every fourth … */
const mostObserved = 300;
/** Groups far away are looked through for blocks that are gone every so many measurements. */
const cleanEvery = 16;

export function watchNearness(
  signal: AbortSignal,
  tell: { came(block: Block): void; went(block: Block): void; moved(): void },
): Nearness {
  /** In the order in which they were found: the document's, but for what came later. */
  let groups: Block[][] = [];
  const known = new WeakSet<Block>();
  const observed = new Set<Block>();
  let sample = 1;
  let count = 0;
  let round = 0;
  let near = new Set<Block>();
  let moved = false;
  const move = () => {
    if (moved) return;
    moved = true;
    tell.moved();
  };
  const observer = new IntersectionObserver(move, { rootMargin: `${margin}px` });
  signal.addEventListener('abort', () => observer.disconnect());
  addEventListener('resize', move, { passive: true, signal });

  const observe = (block: Block) => {
    if (count % sample) return;
    observed.add(block);
    observer.observe(elementOf(block)!);
    if (observed.size <= mostObserved) return;
    sample *= 2;
    let index = 0;
    for (const each of observed) if (index++ % 2) ignore(each);
  };
  const ignore = (block: Block) => {
    if (observed.delete(block)) observer.unobserve(elementOf(block)!);
  };
  const reaches = (...blocks: Block[]) => {
    const boxes = blocks.map((block) => elementOf(block)!.getBoundingClientRect());
    return (
      boxes.some(({ width, height }) => width + height > 0) &&
      Math.min(...boxes.map(({ top }) => top)) < innerHeight + margin &&
      Math.max(...boxes.map(({ bottom }) => bottom)) > -margin
    );
  };
  const clean = (group: Block[]) => {
    for (const block of group.splice(0)) {
      if (block.isConnected) group.push(block);
      else {
        known.delete(block);
        ignore(block);
        count--;
      }
    }
  };

  return {
    add(block) {
      if (known.has(block)) {
        if (!near.has(block)) move(); // Taken away and put back.
        return;
      }
      known.add(block);
      const last = groups.at(-1);
      if (last && last.length < groupSize) last.push(block);
      else groups.push([block]);
      observe(block);
      count++;
      move();
    },
    has: (block) => near.has(block),
    listen: (root) =>
      (root === document ? window : root).addEventListener('scroll', move, {
        capture: true,
        passive: true,
        signal,
      }),
    get moved() {
      return moved;
    },
    async measure(breathe) {
      moved = false;
      round++;
      const now = new Set<Block>();
      for (const [index, group] of groups.entries()) {
        if (breathe.due()) await breathe.now();
        if ((index + round) % cleanEvery === 0 || !group[0]!.isConnected || !group.at(-1)!.isConnected)
          clean(group);
        if (group.length === 0 || (count > mostMeasured && !reaches(group[0]!, group.at(-1)!))) continue;
        for (const block of group) if (block.isConnected && reaches(block)) now.add(block);
      }
      groups = groups.filter((group) => group.length > 0);
      const before = near;
      near = now;
      for (const block of before) if (!now.has(block)) tell.went(block);
      for (const block of now) if (!before.has(block)) tell.came(block);
    },
    get near() {
      return near;
    },
  };
}
