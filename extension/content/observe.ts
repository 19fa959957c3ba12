/**
 * What stands near the viewport, and what of it has changed. Text is read only there: blocks with a digit are known by
 * `nearness.ts`, one MutationObserver a root collects what changed, and all of it is worked off in slices that leave the
 * page its frames. Changed numbers lose their mark in the observer's callback, before the page is painted again.
 */
import type { Finder } from './find.ts';
import type { Marks } from './marks.ts';
import { watchNearness } from './nearness.ts';
import type { Runtime } from './runtime.ts';
import { mayHideARoot, shadowRootOf } from './shadow-roots.ts';
import { sliceClock } from './slice-clock.ts';
import { type Block, blockOf, findBlocks, hasDigit, standsInUntouchable } from './walk.ts';

/** We rest this many times as long as we worked: a page that changes all the time never costs more than a tenth. */
const restFactor = 10;
const longestRest = 1_000;
/** Milliseconds until a block that changes and changes without a number is read again, at most. */
const longestWait = 60_000;
/** Milliseconds without a change after which a block is read at once again. */
const restless = 20_000;
/** Above so many changes told at once, looking at every mark is quicker than at every change. */
const fewChanges = 30;
/** Above so many changes of a root that wait, walking it anew is quicker than reading them, and lets go of them at once. */
const mostChanges = 2_000;
/** After so many slices of the first walk what is near is read: on a slow machine the first of them may find no number yet. */
const earlySlices = 4;
/** Blocks read at once: a few milliseconds. */
const batch = 30;

export interface Observer {
  /** Every block with a digit, in no order: for the list in the popup. */
  everyBlock(): Promise<Block[]>;
  /** Marks a block now, wherever it stands: the keyboard got there. */
  markNow(block: Block): Promise<void>;
  /** Judge and mark everything near the viewport again: the settings changed. */
  again(): void;
}

export function observePage(
  { marks, finder, runtime, signal }: { marks: Marks; finder: Finder; runtime: Runtime; signal: AbortSignal },
  changed: () => void,
): Observer {
  const roots = new WeakSet<Node>();
  /** Custom elements without a root so far: they get one without any mutation to tell. */
  const hosts = new Set<WeakRef<Element>>();
  /** Roots and added or changed elements, to be walked for blocks. */
  const toWalk = new Set<Node>();
  /** Blocks near the viewport whose text is to be read. */
  const toRead = new Set<Block>();
  /** How often in a row a block near the viewport was read and had no number, and when it last changed. */
  const fruitless = new WeakMap<Block, { times: number; changed: number }>();
  const waiting = new WeakSet<Block>();
  const changes = new Map<Node, MutationRecord[]>();
  let draining = false;
  let early = earlySlices;

  const nearness = watchNearness(signal, {
    came: (block) => toRead.add(block),
    went(block) {
      toRead.delete(block);
      marks.drop(block);
    },
    moved: () => schedule(),
  });

  /** What must be done before the page is painted again, and no more: the rest of it is done in slices. */
  const observeRoot = (root: Document | ShadowRoot) => {
    const observer = new MutationObserver((records) => {
      if (!runtime.alive()) return;
      keep(root, records);
      if (marks.check(records.length < fewChanges ? records.map(({ target }) => blockOf(target)) : undefined))
        changed();
      schedule();
    });
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    signal.addEventListener('abort', () => observer.disconnect());
  };
  const keep = (root: Node, records: MutationRecord[]) => {
    const waiting = (changes.get(root) ?? []).concat(records);
    if (waiting.length > mostChanges) toWalk.add(root);
    if (toWalk.has(root)) changes.delete(root);
    else changes.set(root, waiting);
  };

  async function digest(): Promise<void> {
    let count = 0;
    let last: Node | undefined;
    let block: Block | undefined;
    for (const [root, records] of changes) {
      changes.delete(root);
      for (const { target, type, addedNodes } of records) {
        if (++count % 32 === 0 && breathe.due()) await breathe.now();
        if (target !== last) {
          last = target;
          block = blockOf(target);
        }
        let digit = type === 'characterData' && hasDigit.test(target.nodeValue!);
        for (let node = addedNodes[0], index = 0; node; node = addedNodes[++index])
          if (node.nodeType === 1) toWalk.add(node);
          else digit ||= node.nodeType === 3 && hasDigit.test(node.nodeValue!);
        if (!block || toRead.has(block)) continue;
        if (digit) nearness.add(block);
        if (nearness.has(block)) dirty(block);
      }
    }
  }

  /** A clock or a ticker that shows no number must not keep the background awake all day: it is read ever more seldom. */
  const dirty = (block: Block) => {
    const now = performance.now();
    const idle = fruitless.get(block) ?? { times: 0, changed: now };
    if (now - idle.changed > restless) idle.times = 0;
    idle.changed = now;
    if (waiting.has(block)) return;
    const wait = Math.min(2 ** idle.times * 100, longestWait);
    if (wait < 1_000) {
      toRead.add(block);
      return;
    }
    waiting.add(block);
    setTimeout(() => {
      waiting.delete(block);
      toRead.add(block);
      schedule();
    }, wait);
  };
  const enterRoot = (root: Document | ShadowRoot) => {
    if (roots.has(root)) return;
    roots.add(root);
    observeRoot(root);
    marks.adopt(root);
    nearness.listen(root);
    toWalk.add(root);
  };
  const lookForRoot = (element: Element) => {
    const root = shadowRootOf(element);
    if (root) enterRoot(root);
    else if (element.localName.includes('-') && mayHideARoot(element)) hosts.add(new WeakRef(element));
  };
  const lookForLateRoots = () => {
    for (const reference of hosts) {
      const host = reference.deref();
      const root = host && shadowRootOf(host);
      if (root || !host?.isConnected) hosts.delete(reference);
      if (root) enterRoot(root);
    }
  };

  const breathe = sliceClock(signal);

  async function walk(): Promise<void> {
    for (const root of toWalk) {
      toWalk.delete(root);
      // Thousands of rows may have come, each too small for its own walk to look at the clock.
      if (breathe.due()) await breathe.now();
      if (!root.isConnected || (root.nodeType !== 9 && standsInUntouchable(root as Block))) continue;
      for (const block of findBlocks(root, lookForRoot)) {
        if (block) {
          nearness.add(block);
          if (nearness.has(block)) dirty(block);
        } else if (breathe.due()) {
          // What the agent looks at comes first: a long page is walked on when its first numbers are marked.
          if (early-- > 0) await readNear();
          else await breathe.now();
        }
      }
    }
  }

  async function readNear(): Promise<void> {
    if (nearness.moved) await nearness.measure(breathe);
    if (breathe.due()) await breathe.now();
    await read();
  }

  async function read(): Promise<void> {
    const blocks: Block[] = [];
    for (const block of toRead) {
      toRead.delete(block);
      if (block.isConnected && !standsInUntouchable(block)) blocks.push(block);
      else marks.drop(block);
      if (blocks.length === batch) await mark(blocks.splice(0));
      else if (breathe.due()) await breathe.now();
    }
    await mark(blocks);
  }

  async function mark(blocks: readonly Block[]): Promise<void> {
    if (blocks.length === 0) return;
    const found = await finder.find(blocks);
    if (signal.aborted) return;
    await breathe.now();
    for (const [block, numbers] of found) {
      // Changed while the background was thinking: it is in the queue again.
      if (toRead.has(block)) continue;
      marks.set(block, numbers);
      if (numbers.length > 0) fruitless.delete(block);
      else {
        const idle = fruitless.get(block) ?? { times: 0, changed: performance.now() };
        idle.times++;
        fruitless.set(block, idle);
      }
      if (breathe.due()) await breathe.now();
    }
    changed();
  }

  async function drain(): Promise<void> {
    while (!signal.aborted && (changes.size > 0 || nearness.moved || toWalk.size > 0 || toRead.size > 0)) {
      breathe.restart();
      const started = breathe.worked();
      await digest();
      await walk();
      await readNear();
      lookForLateRoots();
      await breathe.rest(Math.min((breathe.worked() - started) * restFactor, longestRest));
    }
  }
  const schedule = () => {
    if (draining || signal.aborted || !runtime.alive()) return;
    draining = true;
    scheduler
      .postTask(drain, { priority: 'user-visible', signal })
      .catch(() => {})
      .finally(() => {
        draining = false;
      });
  };

  enterRoot(document);
  schedule();

  return {
    async everyBlock() {
      const blocks = new Set<Block>();
      const queue: Node[] = [document];
      for (let root = queue.shift(); root; root = queue.shift()) {
        const enter = (element: Element) => {
          const inner = shadowRootOf(element);
          if (inner) queue.push(inner);
        };
        for (const block of findBlocks(root, enter)) {
          if (block) blocks.add(block);
          else if (breathe.due()) await breathe.now();
        }
      }
      return [...blocks];
    },
    markNow: (block) => mark([block]),
    again() {
      for (const block of nearness.near) toRead.add(block);
      schedule();
    },
  };
}
