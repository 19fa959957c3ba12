/**
 * The numbers of blocks. What looks like digits of a number is cut out with the words around it and sent to the background
 * in one message per batch, each text once; a number may run over inline elements, never over a break on the screen.
 */
import type { FoundNumber } from '../messages.ts';
import type { Mark } from './marks.ts';
import type { Runtime } from './runtime.ts';
import { type Block, nodesOf, placeOf, textOf } from './walk.ts';

export interface Finder {
  /** The numbers of each block, in order; none where the background could not be asked. */
  find(blocks: readonly Block[]): Promise<Map<Block, Mark[]>>;
  /** The settings changed: the same texts may now be other numbers. */
  forget(): void;
}

/** A stretch of a block's text to ask about. */
interface Excerpt {
  at: number;
  text: string;
}

const mostInBatch = 200;
const mostKept = 5_000;
/** How far the words before and after digits may say what they are. */
const reach = 80;
const longestExcerpt = 1_000;

/** Seven digits or more with little between; fewer only after a word that announces a number (an extension, a short code). */
const digits =
  /(?:(?:tel|ph|fon|cel|mob|ramal|ext|anex|inter|disc|call|dial|lig|llam|whats|sac|durchw)[^\n]{0,20}?\d[\d .-]{1,6}\d)|[0-9０-９](?:[^\p{L}0-9０-９:;,%\n]{0,5}[0-9０-９]){6,}/giu;

export function excerptsOf(text: string): Excerpt[] {
  const excerpts: { at: number; end: number }[] = [];
  for (const { index, 0: found } of text.matchAll(digits)) {
    const at = Math.max(0, index - reach);
    const end = Math.min(text.length, index + found.length + reach);
    const last = excerpts.at(-1);
    if (last && at <= last.end && end - last.at <= longestExcerpt) last.end = end;
    // What stands between two numbers belongs to one excerpt only: no digit is asked about twice.
    else if (end - at <= longestExcerpt) excerpts.push({ at: Math.max(at, last?.end ?? 0), end });
  }
  return excerpts.map(({ at, end }) => ({ at, text: text.slice(at, end) }));
}

export function askingFinder(runtime: Runtime): Finder {
  let known = new Map<string, FoundNumber[]>();

  const learn = async (texts: ReadonlySet<string>) => {
    const unknown = [...texts].filter((text) => !known.has(text));
    if (known.size > mostKept) known = new Map();
    for (let start = 0; start < unknown.length; start += mostInBatch) {
      const batch = unknown.slice(start, start + mostInBatch);
      const lang = document.documentElement.lang.slice(0, 35);
      const reply = await runtime.ask('content.find', { texts: batch, ...(lang && { lang }) });
      if (!reply.ok) return;
      for (const [index, text] of batch.entries()) known.set(text, reply.value[index] ?? []);
    }
  };

  return {
    forget: () => known.clear(),
    async find(blocks) {
      const numbers = new Map<Block, Mark[]>();
      const cuts = new Map<Block, Set<Node>>();
      // Elements that are inline by name may be laid out otherwise: looked at only where a number runs over several, and
      // then what remains is asked about again.
      for (let open = blocks; open.length > 0; ) {
        const read = open.map((block) => {
          const text = textOf(block, cuts.get(block));
          return { block, text, excerpts: excerptsOf(text.text) };
        });
        await learn(new Set(read.flatMap(({ excerpts }) => excerpts.map(({ text }) => text))));
        open = [];
        for (const { block, text, excerpts } of read) {
          const found = excerpts.flatMap((excerpt) =>
            (known.get(excerpt.text) ?? []).map(({ start, end, ...judged }) => ({
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
          if (cut.size > before) (open as Block[]).push(block);
          else numbers.set(block, found);
        }
      }
      return numbers;
    },
  };
}

/** Adds the text nodes before which the screen shows a break, or nothing at all. */
function cutBetween(nodes: readonly Text[], cuts: Set<Node>): void {
  for (const [index, node] of nodes.entries()) {
    const previous = nodes[index - 1];
    if (previous && !(flowsInline(previous, node) && flowsInline(node, previous))) cuts.add(node);
  }
}

/** True when nothing between this text and what it has in common with the other one interrupts a line, or is hidden. */
function flowsInline(text: Text, other: Text): boolean {
  let element = text.parentElement;
  if (element && !element.contains(other) && !element.checkVisibility({ visibilityProperty: true }))
    return false;
  for (; element && !element.contains(other); element = element.parentElement)
    if (!/^(inline|contents|ruby)/.test(getComputedStyle(element).display)) return false;
  return true;
}
