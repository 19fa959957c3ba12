/**
 * Finds the numbers of blocks. Excerpts around digits are sent to the background in one message per batch, each text
 * once. A number may continue across inline elements, but not across a visible break.
 */
import type { FoundNumber } from '../messages/content.ts';
import type { BackgroundConnection } from './background-connection.ts';
import { type BlockText, isReadableText, isStillThere, placeOf, readBlock } from './block-text.ts';
import { type Excerpt, excerptsOfBlock } from './excerpts.ts';
import { pageLanguage } from './page-language.ts';
import type { Mark } from './paint-marks.ts';
import { readPlace } from './text-blocks.ts';
import type { TimeSlicer } from './time-slicer.ts';
import type { Block } from './tree.ts';

const maxTextsPerMessage = 200;
const maxCachedTexts = 5_000;

/** One reading of a block. */
interface BlockReading {
  block: Block;
  text: BlockText;
  excerpts: Excerpt[];
}

export class NumberFinder {
  /** The numbers of each excerpt that was sent, by its key. The excerpt that was used last is at the end. */
  #cache = new Map<string, FoundNumber[]>();
  /** Whether digits of a block were not rendered when it was read. */
  readonly #partlyHidden = new WeakMap<Block, boolean>();
  readonly #background: BackgroundConnection;
  readonly #slicer: TimeSlicer | undefined;

  /** @param slicer divides the reading of long blocks; without it, each is read at once. */
  constructor(background: BackgroundConnection, slicer?: TimeSlicer) {
    this.#background = background;
    this.#slicer = slicer;
  }

  /** Forgets earlier replies: with new settings the same texts may be other numbers. */
  clearCache(): void {
    // A reply to an earlier request fills the earlier cache.
    this.#cache = new Map();
  }

  isPartlyHidden(block: Block): boolean {
    return this.#partlyHidden.get(block) ?? false;
  }

  /**
   * The numbers of each block, in order. If the background does not reply, only known numbers are found. `control`: as
   * for `readBlock`.
   */
  async find(blocks: readonly Block[], control?: Element): Promise<[Block, Mark[]][]> {
    const readings: BlockReading[] = [];
    for (const block of blocks) {
      readings.push(await this.#read(block, control));
      await this.#pauseIfDue();
    }
    const found = await this.#numbersIn(readings.flatMap(({ excerpts }) => excerpts));
    const result: [Block, Mark[]][] = [];
    for (const reading of readings) result.push([reading.block, await this.#marksOf(reading, found)]);
    return result;
  }

  async #read(block: Block, control?: Element): Promise<BlockReading> {
    const reading = readBlock(block, control);
    let step = reading.next();
    for (; !step.done; step = reading.next()) await this.#pauseIfDue();
    const text = step.value;
    const excerpts: Excerpt[] = [];
    for (const excerpt of excerptsOfBlock(block, text))
      if (excerpt) excerpts.push(excerpt);
      else await this.#pauseIfDue();
    excerpts.sort((one, other) => one.at - other.at);
    this.#partlyHidden.set(block, text.isPartlyHidden);
    return { block, text, excerpts };
  }

  /** The numbers in each excerpt, by its key. Excerpts that the background did not answer for are left out. */
  async #numbersIn(excerpts: readonly Excerpt[]): Promise<Map<string, FoundNumber[]>> {
    const found = new Map<string, FoundNumber[]>();
    const missing = new Map<string, Excerpt>();
    const cache = this.#cache;
    for (const excerpt of excerpts) {
      const key = excerptKey(excerpt);
      const known = cache.get(key);
      if (known) found.set(key, known);
      else missing.set(key, excerpt);
      await this.#pauseIfDue();
    }
    const unknown = [...missing];
    for (let start = 0; start < unknown.length; start += maxTextsPerMessage) {
      const batch = unknown.slice(start, start + maxTextsPerMessage);
      const reply = await this.#background.send('content.find', {
        texts: batch.map(([, { text }]) => text),
        labels: batch.map(([, { label }]) => label),
        lang: pageLanguage(),
      });
      if (!reply.ok) break;
      for (const [index, [key]] of batch.entries()) found.set(key, reply.value[index] ?? []);
    }
    await this.#remember(cache, found);
    return found;
  }

  /** Puts these texts last. Then it removes those from a full cache that were used longest ago. */
  async #remember(
    cache: Map<string, FoundNumber[]>,
    found: ReadonlyMap<string, FoundNumber[]>,
  ): Promise<void> {
    for (const [key, numbers] of found) {
      cache.delete(key);
      cache.set(key, numbers);
      await this.#pauseIfDue();
    }
    for (const key of cache.keys()) {
      if (cache.size <= maxCachedTexts) break;
      cache.delete(key);
    }
  }

  async #marksOf(
    { block, text, excerpts }: BlockReading,
    found: ReadonlyMap<string, FoundNumber[]>,
  ): Promise<Mark[]> {
    const marks: Mark[] = [];
    for (const excerpt of excerpts) {
      for (const { start, end, ...judged } of found.get(excerptKey(excerpt)) ?? []) {
        const [from, to] = [excerpt.at + start, excerpt.at + end];
        // If the page changed the number's text before the reply, the number is skipped here. The text is read again.
        if (!isReadableText(text, from, to) || !isStillThere(text, from, to)) continue;
        const place = placeOf(text, from, to);
        const before = text.text.slice(0, from);
        marks.push({ block, place, pageText: readPlace(place), before, ...judged });
      }
      await this.#pauseIfDue();
    }
    return marks;
  }

  async #pauseIfDue(): Promise<void> {
    if (this.#slicer?.isDue()) await this.#slicer.yieldToPage();
  }
}

const excerptKey = ({ label, text }: Excerpt): string => `${label}\n${text}`;
