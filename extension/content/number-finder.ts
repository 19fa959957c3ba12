/**
 * Finds the numbers of blocks. Excerpts around digits go to the background in one message per batch, each text once; a number
 * may run over inline elements, never over a visible break.
 */
import type { FoundNumber } from '../messages.ts';
import type { Mark } from './paint-marks.ts';
import type { Runtime } from './runtime.ts';
import { type Block, nodesOf, placeOf, textOf } from './text-blocks.ts';

/** A part of a block's text to send. */
interface Excerpt {
  at: number;
  text: string;
}

const maxTextsPerMessage = 200;
const maxCachedTexts = 5_000;
/** Characters of context words before and after digits. */
const contextLength = 80;
const maxExcerptLength = 1_000;

/** Seven digits or more with little between; fewer only after a word that announces a number (an extension, a short code). */
const digits =
  /(?:(?:tel|ph|fon|cel|mob|ramal|ext|anex|inter|disc|call|dial|lig|llam|whats|sac|durchw)[^\n]{0,20}?\d[\d .-]{1,6}\d)|[0-9０-９](?:[^\p{L}0-9０-９:;,%\n]{0,5}[0-9０-９]){6,}/giu;

export function excerptsOf(text: string): Excerpt[] {
  const excerpts: { at: number; end: number }[] = [];
  for (const { index, 0: found } of text.matchAll(digits)) {
    const at = Math.max(0, index - contextLength);
    const end = Math.min(text.length, index + found.length + contextLength);
    const last = excerpts.at(-1);
    if (last && at <= last.end && end - last.at <= maxExcerptLength) last.end = end;
    // The text between two numbers belongs to one excerpt only: no digit is sent twice.
    else if (end - at <= maxExcerptLength) excerpts.push({ at: Math.max(at, last?.end ?? 0), end });
  }
  return excerpts.map(({ at, end }) => ({ at, text: text.slice(at, end) }));
}

export type NumberFinder = ReturnType<typeof createNumberFinder>;

export function createNumberFinder(runtime: Runtime) {
  let cache = new Map<string, FoundNumber[]>();

  const fetchUnknown = async (texts: ReadonlySet<string>) => {
    const missing = [...texts].filter((text) => !cache.has(text));
    if (cache.size > maxCachedTexts) cache = new Map();
    for (let start = 0; start < missing.length; start += maxTextsPerMessage) {
      const batch = missing.slice(start, start + maxTextsPerMessage);
      const lang = document.documentElement.lang.slice(0, 35);
      const reply = await runtime.send('content.find', { texts: batch, ...(lang && { lang }) });
      if (!reply.ok) return;
      for (const [index, text] of batch.entries()) cache.set(text, reply.value[index] ?? []);
    }
  };

  return {
    /** Forgets earlier replies: with new settings the same texts may be other numbers. */
    clearCache: () => cache.clear(),
    /** The numbers of each block, in order; none where the background did not reply. */
    async find(blocks: readonly Block[]) {
      const numbers = new Map<Block, Mark[]>();
      const cuts = new Map<Block, Set<Node>>();
      // Elements that are inline by name may be laid out otherwise: checked only where a number runs over several, and then
      // the parts are sent again.
      for (let pending = blocks; pending.length > 0; ) {
        const read = pending.map((block) => {
          const text = textOf(block, cuts.get(block));
          return { block, text, excerpts: excerptsOf(text.text) };
        });
        await fetchUnknown(new Set(read.flatMap(({ excerpts }) => excerpts.map(({ text }) => text))));
        pending = [];
        for (const { block, text, excerpts } of read) {
          const found = excerpts.flatMap((excerpt) =>
            (cache.get(excerpt.text) ?? []).map(({ start, end, ...judged }) => ({
              block,
              place: placeOf(text, excerpt.at + start, excerpt.at + end),
              text: excerpt.text.slice(start, end),
              nodes: nodesOf(text, excerpt.at + start, excerpt.at + end),
              ...judged,
            })),
          );
          const cut = cuts.get(block) ?? new Set();
          const before = cut.size;
          for (const { nodes } of found) cutBetween(nodes, cut);
          cuts.set(block, cut);
          if (cut.size > before) (pending as Block[]).push(block);
          else numbers.set(block, found);
        }
      }
      return numbers;
    },
  };
}

/** Adds the text nodes that follow a visible break or a hidden text. */
function cutBetween(nodes: readonly Text[], cuts: Set<Node>): void {
  for (const [index, node] of nodes.entries()) {
    const previous = nodes[index - 1];
    if (previous && !(flowsInline(previous, node) && flowsInline(node, previous))) cuts.add(node);
  }
}

/** True when nothing between this text and the common ancestor breaks the line or is hidden. */
function flowsInline(text: Text, other: Text): boolean {
  let element = text.parentElement;
  if (element && !element.contains(other) && !element.checkVisibility({ visibilityProperty: true }))
    return false;
  for (; element && !element.contains(other); element = element.parentElement)
    if (!/^(inline|contents|ruby)/.test(getComputedStyle(element).display)) return false;
  return true;
}
