/**
 * Watches which blocks are near the viewport. An IntersectionObserver measures all its targets at every frame: 2 ms for
 * 1,000 targets (Chromium 156). So it observes only a sample. Blocks are measured again when a sampled block enters or
 * leaves, on scroll or resize, and after blocks were added. If a block near the viewport was not rendered, they are
 * also measured after input (`revisitHidden`).
 */

import { isRendered } from './layout.ts';
import { listen } from './listen.ts';
import type { TimeSlicer } from './time-slicer.ts';
import { type Block, boxElementOf } from './tree.ts';

/** Distance from the viewport that counts as near. */
const marginPx = 200;
const groupSize = 32;
/**
 * The most groups whose blocks are all measured. With more, only the blocks of groups that reach the viewport are
 * measured.
 */
const maxMeasuredGroups = 32;
/** The most blocks that are observed. With more blocks, about every second block is observed, then every fourth … */
const maxObserved = 300;

interface ViewportEvents {
  entered(block: Block): void;
  left(block: Block): void;
  /** `measure` is due. */
  moved(): void;
}

export class ViewportWatcher {
  readonly #signal: AbortSignal;
  readonly #on: ViewportEvents;
  /** All blocks in the order in which they were found: document order, except for later additions. */
  #groups: Block[][] = [];
  /** All blocks of the groups. A weak set would slow every garbage collection, and would not free a block. */
  readonly #known = new Set<Block>();
  /** The sample: about one of `sampling` blocks of `known`. */
  readonly #observed = new Set<Block>();
  #sampling = 1;
  readonly #observer: IntersectionObserver;
  /** The blocks that were near at the last `measure`. */
  #nearBlocks = new Set<Block>();
  /** True when something may have moved since the last `measure`. */
  #isMoved = false;
  /** True if a block that would be near was not rendered. Only the page knows when it will be. */
  #hasHidden = false;

  constructor(signal: AbortSignal, on: ViewportEvents) {
    this.#signal = signal;
    this.#on = on;
    this.#observer = new IntersectionObserver(() => this.#move(), { rootMargin: `${marginPx}px` });
    signal.addEventListener('abort', () => this.#observer.disconnect());
    listen('resize', () => this.#move(), signal);
  }

  get hasMoved(): boolean {
    return this.#isMoved;
  }

  get near(): Iterable<Block> {
    return this.#nearBlocks;
  }

  has(block: Block): boolean {
    return this.#nearBlocks.has(block);
  }

  add(block: Block): void {
    if (this.#known.has(block)) {
      if (!this.has(block)) this.#move(); // Removed and put back.
      return;
    }
    this.#known.add(block);
    const last = this.#groups.at(-1);
    if (last && last.length < groupSize) last.push(block);
    else this.#groups.push([block]);
    this.#observe(block);
    this.#move();
  }

  /** Adds a root whose scroll events do not reach the window. */
  addRoot(root: Document | ShadowRoot): void {
    listen('scroll', () => this.#move(), this.#signal, root === document ? window : root);
  }

  /** Measures again soon if a block near the viewport was not rendered. */
  revisitHidden(): void {
    if (this.#hasHidden) this.#move();
  }

  /** Measures again, in slices, and reports every block that entered or left. */
  async measure(slicer: TimeSlicer): Promise<void> {
    this.#isMoved = this.#hasHidden = false;
    const clipped = new Map<Element, boolean>();
    const now = new Set<Block>();
    for (const group of this.#groups) {
      if (slicer.isDue()) await slicer.yieldToPage();
      if (!group.every((block) => block.isConnected)) this.#clean(group);
      if (group.length === 0) continue;
      if (this.#groups.length > maxMeasuredGroups && !reachesViewport(group[0]!, group.at(-1)!)) continue;
      for (const block of group) {
        if (!reachesViewport(block)) continue;
        if (isRendered(block, clipped)) now.add(block);
        else this.#hasHidden = true;
      }
    }
    this.#groups = this.#groups.filter((group) => group.length > 0);
    const before = this.#nearBlocks;
    this.#nearBlocks = now;
    for (const block of before) if (!now.has(block)) this.#on.left(block);
    for (const block of now) if (!before.has(block)) this.#on.entered(block);
  }

  #move(): void {
    if (this.#isMoved) return;
    this.#isMoved = true;
    this.#on.moved();
  }

  #observe(block: Block): void {
    if (Math.random() * this.#sampling >= 1) return;
    this.#observed.add(block);
    this.#observer.observe(boxElementOf(block));
    if (this.#observed.size <= maxObserved) return;
    this.#sampling *= 2;
    let index = 0;
    for (const each of this.#observed) if (index++ % 2) this.#unobserve(each);
  }

  #unobserve(block: Block): void {
    if (this.#observed.delete(block)) this.#observer.unobserve(boxElementOf(block));
  }

  /** Forgets the blocks of a group that were removed. */
  #clean(group: Block[]): void {
    for (const block of group.splice(0)) {
      if (block.isConnected) group.push(block);
      else {
        this.#known.delete(block);
        this.#unobserve(block);
      }
    }
  }
}

function reachesViewport(...blocks: Block[]): boolean {
  const boxes = blocks.map((block) => boxElementOf(block).getBoundingClientRect());
  return (
    boxes.some(({ width, height }) => width + height > 0) &&
    Math.min(...boxes.map(({ top }) => top)) < innerHeight + marginPx &&
    Math.max(...boxes.map(({ bottom }) => bottom)) > -marginPx
  );
}
