/**
 * Observes the page and marks the numbers near the viewport. One MutationObserver per root queues what changed, and the
 * queue is processed in slices that leave the page its frames. Changed numbers lose their mark in the observer's
 * callback, before the page is painted again.
 */

import type { BackgroundConnection } from './background-connection.ts';
import { watchLateShadowRoots } from './late-shadow-roots.ts';
import { listen } from './listen.ts';
import type { NumberFinder } from './number-finder.ts';
import type { Marks } from './paint-marks.ts';
import { shadowRootOf } from './shadow-roots.ts';
import { blockOf, findBlocks, isInsideUntouchable, isPageEditor } from './text-blocks.ts';
import type { TimeSlicer } from './time-slicer.ts';
import type { Block } from './tree.ts';
import { ViewportWatcher } from './viewport-watcher.ts';
import { hasDigit } from './words.ts';

/**
 * How many times as long as we worked we pause, at most `maxPauseMs`. A page that changes all the time then costs about
 * a tenth of the time.
 */
const pauseFactor = 10;
const maxPauseMs = 1_000;
/** The longest wait until a block that keeps changing without a number is read again. */
const maxRereadDelayMs = 60_000;
/** After how long without a change a block is read at once again. */
const backoffResetMs = 20_000;
/** With this many records or more in one callback, checking every mark is quicker than checking each record. */
const maxChangesCheckedSingly = 30;
/** The most queued records of a root. With more, walking the root again is quicker and frees the records. */
const maxPendingChanges = 2_000;
/** How many slices are followed by reading what is near. On a slow machine the first slice may not reach a number. */
const earlySlices = 4;
/** How many blocks are read together at first. This takes a few milliseconds, so the first numbers are marked soon. */
const blocksPerBatch = 30;
/**
 * How many blocks are painted together later. At each change of a highlight, the browser paints all its numbers again.
 */
const blocksPerLaterBatch = 200;

interface ObserverParts {
  marks: Marks;
  finder: NumberFinder;
  background: BackgroundConnection;
  slicer: TimeSlicer;
}

/** How often a changed block was read without a number. */
interface Misses {
  /** How often in a row the block was read without a number. */
  times: number;
  /** When the block last changed. */
  changed: number;
  /** True while its next reading waits. */
  isDelayed: boolean;
}

export class PageObserver {
  readonly slicer: TimeSlicer;
  readonly #parts: ObserverParts;
  readonly #signal: AbortSignal;
  readonly #onChange: () => void;
  /** Roots that are observed. */
  readonly #roots = new WeakSet<Node>();
  /** Their callbacks hold the roots. Weak, so that the page may free a root that it removed. */
  readonly #observers: WeakRef<MutationObserver>[] = [];
  readonly #lateRoots: ReturnType<typeof watchLateShadowRoots>;
  readonly #viewport: ViewportWatcher;
  /** Roots and added or changed elements to be searched for blocks. */
  readonly #toWalk = new Set<Node>();
  /** Blocks near the viewport whose text is to be read. */
  readonly #toRead = new Set<Block>();
  /** Blocks that are not near any more. The next `mark` removes their marks, even if it sets no new ones. */
  readonly #toDrop = new Set<Block>();
  readonly #misses = new WeakMap<Block, Misses>();
  /** Records by their root, except those of a root that is in `toWalk`. */
  readonly #queuedRecords = new Map<Node, MutationRecord[]>();
  /** True from `schedule` until all that is queued was processed. */
  #isRunning = false;
  #earlySlicesLeft = earlySlices;

  constructor(parts: ObserverParts, signal: AbortSignal, onChange: () => void) {
    this.#parts = parts;
    this.slicer = parts.slicer;
    this.#signal = signal;
    this.#onChange = onChange;
    // One listener for all observers. A signal compares each new listener with those that it has.
    signal.addEventListener('abort', () => {
      for (const observer of this.#observers) observer.deref()?.disconnect();
    });
    this.#lateRoots = watchLateShadowRoots(signal, () => this.#schedule());
    this.#viewport = new ViewportWatcher(signal, {
      entered: (block) => {
        this.#toRead.add(block);
        this.#toDrop.delete(block);
      },
      left: (block) => {
        this.#toRead.delete(block);
        this.#toDrop.add(block);
      },
      moved: () => this.#schedule(),
    });
    listen(['click', 'keyup', 'transitionend'], () => this.#revisitHidden(), signal);
    this.#addRoot(document);
    this.#schedule();
  }

  /** Marks a block now, also far from the viewport. */
  markNow(block: Block): Promise<void> {
    return this.#mark([block]);
  }

  /** Reads everything near the viewport again: the settings changed. */
  rereadAll(): void {
    for (const block of this.#viewport.near) this.#toRead.add(block);
    this.#schedule();
  }

  /**
   * A class, a style or `designMode` can show or hide text without a change that we observe. That happens after a
   * person's act, or at the end of a transition.
   */
  #revisitHidden(): void {
    for (const block of this.#viewport.near)
      if (isPageEditor() || this.#parts.finder.isPartlyHidden(block)) this.#toRead.add(block);
    this.#viewport.revisitHidden();
    if (this.#toRead.size > 0) this.#schedule();
  }

  #addRoot(root: Document | ShadowRoot): void {
    if (this.#roots.has(root)) return;
    this.#roots.add(root);
    const observer = new MutationObserver((records) => this.#noteChanges(root, records));
    // Text that is being edited has no marks.
    const attributeFilter = ['contenteditable'];
    observer.observe(root, { childList: true, characterData: true, subtree: true, attributeFilter });
    this.#observers.push(new WeakRef(observer));
    this.#parts.marks.adopt(root);
    this.#viewport.addRoot(root);
    this.#toWalk.add(root);
  }

  #findShadowRoot(element: Element): void {
    const root = shadowRootOf(element);
    if (root) this.#addRoot(root);
    else this.#lateRoots.add(element);
  }

  /** Does only what must happen before the page is painted again; the rest is done in slices. */
  #noteChanges(root: Node, records: MutationRecord[]): void {
    const { background, marks } = this.#parts;
    if (!background.isAlive()) return;
    const queued = (this.#queuedRecords.get(root) ?? []).concat(records);
    if (queued.length > maxPendingChanges) this.#toWalk.add(root);
    if (this.#toWalk.has(root)) this.#queuedRecords.delete(root);
    else this.#queuedRecords.set(root, queued);
    const isSingle = records.length < maxChangesCheckedSingly;
    if (marks.check(isSingle ? records.map(({ target }) => blockOf(target)) : undefined)) this.#onChange();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isRunning || this.#signal.aborted || !this.#parts.background.isAlive()) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** It awaits its work itself. In Firefox, `postTask` and its `then` do not wait for a promise of a content script. */
  async #run(): Promise<void> {
    const { slicer } = this;
    try {
      await slicer.yieldToPage();
      while (this.#hasWork()) {
        slicer.restart();
        await this.#readRecords();
        await this.#walk();
        await this.#readNear();
        if (this.#lateRoots.isDue) for (const root of await this.#lateRoots.find(slicer)) this.#addRoot(root);
        await slicer.yieldToPage(Math.min(slicer.workedMs() * pauseFactor, maxPauseMs));
      }
    } catch {} // Aborted.
    this.#isRunning = false;
  }

  #hasWork(): boolean {
    return (
      this.#queuedRecords.size + this.#toWalk.size + this.#toRead.size > 0 ||
      this.#viewport.hasMoved ||
      this.#lateRoots.isDue
    );
  }

  async #readRecords(): Promise<void> {
    const { slicer } = this;
    let count = 0;
    let last: Node | undefined;
    let block: Block | undefined;
    for (const [root, records] of this.#queuedRecords) {
      this.#queuedRecords.delete(root);
      for (const { type, target, addedNodes } of records) {
        if (++count % 32 === 0 && slicer.isDue()) await slicer.yieldToPage();
        if (target !== last) {
          last = target;
          block = blockOf(target);
        }
        if (type === 'attributes') {
          this.#toWalk.add(target);
          for (const near of this.#viewport.near) if (target.contains(near)) this.#toRead.add(near);
        }
        let digit = hasDigit.test(target.nodeValue ?? '');
        for (const node of addedNodes)
          if (node.nodeType === 1) this.#toWalk.add(node);
          else digit ||= node.nodeType === 3 && hasDigit.test(node.nodeValue!);
        if (!block || this.#toRead.has(block)) continue;
        if (digit) this.#viewport.add(block);
        if (this.#viewport.has(block)) this.#queueRead(block);
      }
    }
  }

  /**
   * Queues a block, later each time if it was read without a number. A clock or ticker must not keep the background
   * awake all day.
   */
  #queueRead(block: Block): void {
    const now = performance.now();
    const miss = this.#misses.get(block) ?? { times: 0, changed: now, isDelayed: false };
    this.#misses.set(block, miss);
    if (now - miss.changed > backoffResetMs) miss.times = 0;
    miss.changed = now;
    if (miss.isDelayed) return;
    const wait = Math.min(2 ** miss.times * 100, maxRereadDelayMs);
    miss.isDelayed = wait >= 1_000;
    if (!miss.isDelayed) this.#toRead.add(block);
    else
      setTimeout(() => {
        miss.isDelayed = false;
        this.#toRead.add(block);
        this.#schedule();
      }, wait);
  }

  async #walk(): Promise<void> {
    const { slicer } = this;
    for (const root of this.#toWalk) {
      this.#toWalk.delete(root);
      // Thousands of rows may have been added, each too small for its own walk to check the clock.
      if (slicer.isDue()) await slicer.yieldToPage();
      if (!root.isConnected || (root.nodeType !== 9 && isInsideUntouchable(root as Block))) continue;
      for (const block of findBlocks(root, (element) => this.#findShadowRoot(element))) {
        if (block) {
          this.#viewport.add(block);
          if (this.#viewport.has(block)) this.#queueRead(block);
        } else if (slicer.isDue()) {
          // What the agent sees is marked first. The walk of a long page goes on afterwards.
          if (this.#earlySlicesLeft-- > 0) await this.#readNear();
          else await slicer.yieldToPage();
        }
      }
    }
  }

  async #readNear(): Promise<void> {
    const { slicer } = this;
    const { marks } = this.#parts;
    if (this.#viewport.hasMoved) await this.#viewport.measure(slicer);
    if (slicer.isDue()) await slicer.yieldToPage();
    const blocks: Block[] = [];
    for (const block of this.#toRead) {
      this.#toRead.delete(block);
      if (block.isConnected && !isInsideUntouchable(block)) blocks.push(block);
      else marks.drop(block);
      if (blocks.length >= (marks.size > 0 ? blocksPerLaterBatch : blocksPerBatch))
        await this.#mark(blocks.splice(0));
      else if (slicer.isDue()) await slicer.yieldToPage();
    }
    if (blocks.length + this.#toDrop.size > 0) await this.#mark(blocks);
  }

  async #mark(blocks: readonly Block[]): Promise<void> {
    const { slicer } = this;
    const { finder, marks } = this.#parts;
    const found = await finder.find(blocks);
    if (this.#signal.aborted) return;
    await slicer.yieldToPage();
    for (const block of this.#toDrop) marks.drop(block);
    this.#toDrop.clear();
    for (const [block, numbers] of found) {
      // The block changed before the reply and is in the queue again.
      if (this.#toRead.has(block)) continue;
      marks.set(block, numbers);
      const miss = this.#misses.get(block);
      if (miss) miss.times = numbers[0] ? 0 : miss.times + 1;
      if (slicer.isDue()) await slicer.yieldToPage();
    }
    this.#onChange();
  }
}
