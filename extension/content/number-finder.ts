/**
 * Finds the numbers of blocks. Excerpts around digits go to the background in one message per batch, each text once; a number
 * may run over inline elements, never over a visible break.
 */
import type { FoundNumber } from '../messages/content.ts';
import type { BackgroundConnection } from './background-connection.ts';
import { labelOf } from './labels.ts';
import { pageLanguage } from './page-language.ts';
import type { Mark } from './paint-marks.ts';
import { placeOf, readPlace, textOf } from './text-blocks.ts';
import type { Block } from './tree.ts';
import { candidateDigits } from './words.ts';

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
const maxCachedTexts = 5_000;
/** Characters of context words before and after digits. */
const contextLength = 80;
const maxExcerptLength = 1_000;

export function excerptsOf(text: string): Excerpt[] {
  const excerpts: { at: number; end: number; from: number }[] = [];
  for (const { index, 0: found } of text.matchAll(candidateDigits)) {
    const at = Math.max(0, index - contextLength);
    const end = Math.min(text.length, index + found.length + contextLength);
    const last = excerpts.at(-1);
    if (last && at <= last.end && end - last.at <= maxExcerptLength) last.end = end;
    // The text between two numbers belongs to one excerpt only: no digit is sent twice.
    else if (end - at <= maxExcerptLength)
      excerpts.push({ at: Math.max(at, last?.end ?? 0), end, from: index });
  }
  return excerpts.map(({ at, end, from }) => ({ at, from, text: text.slice(at, end), label: '' }));
}

export type NumberFinder = ReturnType<typeof createNumberFinder>;

export function createNumberFinder(background: BackgroundConnection) {
  const cache = new Map<string, FoundNumber[]>();
  const partlyHidden = new WeakMap<Block, boolean>();

  const fetchUnknown = async (excerpts: readonly Excerpt[]) => {
    const missing = [...new Map(excerpts.map((excerpt) => [keyOf(excerpt), excerpt]))].filter(
      ([key]) => !cache.has(key),
    );
    if (cache.size > maxCachedTexts) cache.clear();
    while (missing[0]) {
      const batch = missing.splice(0, maxTextsPerMessage);
      const reply = await background.send('content.find', {
        texts: batch.map(([, { text }]) => text),
        labels: batch.map(([, { label }]) => label),
        lang: pageLanguage(),
      });
      if (!reply.ok) return;
      for (const [index, [key]] of batch.entries()) cache.set(key, reply.value[index] ?? []);
    }
  };

  return {
    /** Forgets earlier replies: with new settings the same texts may be other numbers. */
    clearCache: () => cache.clear(),
    /** True where digits of the block were not rendered when it was read. */
    isPartlyHidden: (block: Block) => partlyHidden.get(block),
    /** The numbers of each block, in order; none where the background did not reply. `control`: as for `textOf`. */
    async find(blocks: readonly Block[], control?: Element) {
      const read = blocks.map((block) => {
        const text = textOf(block, control);
        const excerpts = excerptsOf(text.text);
        const [first] = excerpts;
        if (first?.at === 0) first.label = labelOf(placeOf(text, first.from, first.from + 1).startContainer);
        partlyHidden.set(block, text.isPartlyHidden);
        return { block, text, excerpts };
      });
      await fetchUnknown(read.flatMap(({ excerpts }) => excerpts));
      return read.map(({ block, text, excerpts }): [Block, Mark[]] => [
        block,
        excerpts.flatMap((excerpt) =>
          (cache.get(keyOf(excerpt)) ?? []).map(({ start, end, ...judged }) => {
            const place = placeOf(text, excerpt.at + start, excerpt.at + end);
            return {
              block,
              place,
              pageText: readPlace(place),
              ...judged,
            };
          }),
        ),
      ]);
    },
  };
}
