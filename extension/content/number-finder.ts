/**
 * Finds the numbers of blocks. Excerpts around digits go to the background in one message per batch, each text once; a number
 * may run over inline elements, never over a visible break.
 */
import type { FoundNumber } from '../messages/content.ts';
import type { BackgroundConnection } from './background-connection.ts';
import { type BlockText, isReadable, isStillThere, placeOf, readBlock } from './block-text.ts';
import { headOver, isInColumns, labelOf } from './labels.ts';
import { pageLanguage } from './page-language.ts';
import type { Mark } from './paint-marks.ts';
import { readPlace } from './text-blocks.ts';
import type { TimeSlicer } from './time-slicer.ts';
import type { Block } from './tree.ts';
import { candidateDigits, hasDigit } from './words.ts';

/** A part of a block's text to send. */
interface Excerpt {
  at: number;
  text: string;
  /** Where its first digits are in the block's text. */
  from: number;
  /** What names the digits in another box. */
  label: string;
}
const keyOf = ({ label, text }: Excerpt) => `${label}\n${text}`;

const maxTextsPerMessage = 200;
/** Characters of text, digits among them, that are looked through at once. */
const stretchLength = 20_000;
/** Digits farther apart than this, or in two lines, are of different numbers, with the words that announce them. */
const maxGap = 40;
const maxCachedTexts = 5_000;
/** Characters of context words before and after digits. */
const contextLength = 80;
const maxExcerptLength = 1_000;
const maxLabelLength = 200;

/** @param offset where the text begins in its block's. @param label what names all of it. */
export function excerptsOf(text: string, offset = 0, label = ''): Excerpt[] {
  return [...excerptsIn(text)].flatMap((excerpt) =>
    excerpt ? [{ ...excerpt, at: excerpt.at + offset, from: excerpt.from + offset, label }] : [],
  );
}

/** The cells of a grid whose parts are inline elements: lines of its text, under heads that only its layout shows. */
function* linesUnderHeads(
  block: Block,
  text: BlockText,
): Generator<{ at: number; line: string; head: string }> {
  if (!(block instanceof Element) || !text.text.includes('\n') || !isInColumns(block)) return;
  let at = 0;
  for (const line of text.text.split('\n')) {
    const digit = line.search(hasDigit);
    if (digit >= 0) {
      let node: Node = placeOf(text, at + digit, at + digit + 1).startContainer;
      while (node.parentNode && node.parentNode !== block) node = node.parentNode;
      const head = node instanceof Element ? headOver(node) : '';
      if (head) yield { at, line, head };
    }
    at += line.length + 1;
  }
}

/** Yields the excerpts of a text, and undefined now and then for a check of the clock. */
function* excerptsIn(text: string): Generator<Excerpt | undefined> {
  let last: { at: number; end: number; from: number } | undefined;
  /** Where the digits end that are in an excerpt already. */
  let read = 0;
  const excerptOf = ({ at, end, from }: typeof last & {}): Excerpt => ({
    at,
    from,
    text: text.slice(at, end),
    label: '',
  });
  for (const [start, stretch] of stretchesOf(text)) {
    for (const { index, 0: found } of stretch.matchAll(candidateDigits)) {
      const from = start + index;
      const line = text.lastIndexOf('\n', from);
      // From the start of a short line, which shows the columns of a table.
      const at = Math.max(0, Math.min(from - contextLength, line > from - maxLabelLength ? line : from));
      const end = Math.min(text.length, from + found.length + contextLength);
      if (last && at <= last.end && end - last.at <= maxExcerptLength) last.end = end;
      else if (end - at <= maxExcerptLength) {
        // The text between two numbers belongs to one excerpt only, a number to one as a whole.
        const own = Math.max(at, read);
        if (last) yield excerptOf({ ...last, end: Math.min(last.end, own) });
        last = { at: own, end, from };
      } else continue;
      read = from + found.length;
    }
    yield undefined;
  }
  if (last) yield excerptOf(last);
}

/** Parts of a text around its digits, where each begins. What is looked for in one never reaches into the next. */
function* stretchesOf(text: string): Generator<[start: number, stretch: string]> {
  const digit = new RegExp(hasDigit, 'g');
  const farFromDigits = new RegExp(`\\n|[^${hasDigit.source.slice(1, -1)}]{${maxGap}}`, 'g');
  for (let end = 0; ; ) {
    digit.lastIndex = end;
    const first = digit.exec(text);
    if (!first) return;
    const start = Math.max(end, first.index - maxGap);
    farFromDigits.lastIndex = start + stretchLength;
    end = farFromDigits.exec(text)?.index ?? text.length;
    yield [start, text.slice(start, end)];
  }
}

export type NumberFinder = ReturnType<typeof createNumberFinder>;

/** One reading of a block. */
interface BlockReading {
  block: Block;
  text: BlockText;
  excerpts: Excerpt[];
}

/** @param slicer divides the reading of long blocks; without it, each is read at once. */
export function createNumberFinder(background: BackgroundConnection, slicer?: TimeSlicer) {
  const cache = new Map<string, FoundNumber[]>();
  const partlyHidden = new WeakMap<Block, boolean>();
  const pauseIfDue = async () => {
    if (slicer?.isDue()) await slicer.yieldToPage();
  };

  const read = async (block: Block, control?: Element): Promise<BlockReading> => {
    const reading = readBlock(block, control);
    let step = reading.next();
    for (; !step.done; step = reading.next()) await pauseIfDue();
    const text = step.value;
    const excerpts: Excerpt[] = [];
    let rest = text.text;
    for (const { at, line, head } of linesUnderHeads(block, text)) {
      excerpts.push(...excerptsOf(line, at, head));
      rest = rest.slice(0, at) + '\n'.repeat(line.length) + rest.slice(at + line.length);
    }
    for (const excerpt of excerptsIn(rest))
      if (excerpt) excerpts.push(excerpt);
      else await pauseIfDue();
    if (rest !== text.text) excerpts.sort((one, other) => one.at - other.at);
    const [first] = excerpts;
    // A table that goes on in the next excerpt has its heads above the first one.
    const [heads] = /^[^\d\n]+\n/.exec(text.text) ?? [''];
    for (const excerpt of excerpts) if (excerpt.at > 0) excerpt.label ||= heads.slice(-maxLabelLength);
    if (first?.at === 0 && !first.label)
      first.label = labelOf(placeOf(text, first.from, first.from + 1).startContainer);
    partlyHidden.set(block, text.isPartlyHidden);
    return { block, text, excerpts };
  };

  /** The numbers in each excerpt, by its key. Excerpts that the background did not answer for are left out. */
  const numbersIn = async (excerpts: readonly Excerpt[]): Promise<Map<string, FoundNumber[]>> => {
    const found = new Map<string, FoundNumber[]>();
    const missing = new Map<string, Excerpt>();
    for (const excerpt of excerpts) {
      const key = keyOf(excerpt);
      const known = cache.get(key);
      if (known) found.set(key, known);
      else missing.set(key, excerpt);
    }
    const unknown = [...missing];
    for (let start = 0; start < unknown.length; start += maxTextsPerMessage) {
      const batch = unknown.slice(start, start + maxTextsPerMessage);
      const reply = await background.send('content.find', {
        texts: batch.map(([, { text }]) => text),
        labels: batch.map(([, { label }]) => label),
        lang: pageLanguage(),
      });
      if (!reply.ok) break;
      for (const [index, [key]] of batch.entries()) found.set(key, reply.value[index] ?? []);
    }
    remember(found);
    return found;
  };
  /** Puts these texts last, then forgets the ones that were used longest ago. */
  const remember = (found: ReadonlyMap<string, FoundNumber[]>) => {
    for (const [key, numbers] of found) {
      cache.delete(key);
      cache.set(key, numbers);
    }
    for (const key of cache.keys()) {
      if (cache.size <= maxCachedTexts) break;
      cache.delete(key);
    }
  };

  return {
    /** Forgets earlier replies: with new settings the same texts may be other numbers. */
    clearCache: () => cache.clear(),
    /** True where digits of the block were not rendered when it was read. */
    isPartlyHidden: (block: Block) => partlyHidden.get(block),
    /** The numbers of each block, in order; none where the background did not reply. `control`: as for `textOf`. */
    async find(blocks: readonly Block[], control?: Element): Promise<[Block, Mark[]][]> {
      const readings: BlockReading[] = [];
      for (const block of blocks) {
        readings.push(await read(block, control));
        await pauseIfDue();
      }
      const found = await numbersIn(readings.flatMap(({ excerpts }) => excerpts));
      const result: [Block, Mark[]][] = [];
      for (const { block, text, excerpts } of readings) {
        const marks: Mark[] = [];
        for (const excerpt of excerpts) {
          for (const number of found.get(keyOf(excerpt)) ?? []) {
            const [start, end] = [excerpt.at + number.start, excerpt.at + number.end];
            // What the page changed before the background replied is read again.
            if (isReadable(text, start, end) && isStillThere(text, start, end))
              marks.push(markOf(block, text, excerpt, number));
          }
          await pauseIfDue();
        }
        result.push([block, marks]);
      }
      return result;
    },
  };
}

function markOf(
  block: Block,
  text: BlockText,
  excerpt: Excerpt,
  { start, end, ...judged }: FoundNumber,
): Mark {
  const at = excerpt.at + start;
  const place = placeOf(text, at, excerpt.at + end);
  return { block, place, pageText: readPlace(place), before: text.text.slice(0, at), ...judged };
}
