/** Accents are left out in haste, and on purpose in addresses: telefono, numero. */
export const unaccented = (word: string): string =>
  word.normalize('NFD').replace(/[\u0300-\u036f\u093c]/g, '');

type Ending = readonly [ending: string, kind: number];

const endingOf = (word: string, endings: readonly Ending[]): number | undefined =>
  endings.find(([ending]) => word.length > ending.length + 2 && word.endsWith(ending))?.[1];

/**
 * Words and their kinds. `word*` matches what begins with it, `*word` what ends with it, and `**word` too, before any
 * beginning is tried.
 */
export class Lexicon {
  readonly #words = new Map<string, number>();
  readonly #stems = new Map<string, number>();

  readonly #endings: Ending[] = [];
  readonly #heads: Ending[] = [];

  /** @param kind a number above 0. A word listed twice keeps its first kind. @param list without accents. */
  add(kind: number, list: string): this {
    for (const word of list.split(' ')) {
      if (word.startsWith('*')) {
        if (word.startsWith('**')) this.#heads.push([word.slice(2), kind]);
        else this.#endings.push([word.slice(1), kind]);
        continue;
      }
      const [map, key] = word.endsWith('*') ? [this.#stems, word.slice(0, -1)] : [this.#words, word];
      if (!map.has(key)) map.set(key, kind);
    }
    return this;
  }

  /** A cache by the word as written; emptied when full, so that a hostile text cannot fill the memory. */
  readonly #known = new Map<string, number>();

  /** @returns the kind of the word, else of its longest stem, else 0. */
  kindOf(written: string): number {
    let kind = this.#known.get(written);
    if (kind === undefined) {
      kind = this.#find(unaccented(written.toLowerCase()));
      if (this.#known.size > 2000) this.#known.clear();
      this.#known.set(written, kind);
    }
    return kind;
  }

  #find(word: string): number {
    const kind = this.#words.get(word);
    if (kind !== undefined) return kind;
    const head = endingOf(word, this.#heads);
    if (head !== undefined) return head;
    for (let length = word.length; length > 1; length--) {
      const stem = this.#stems.get(word.slice(0, length));
      if (stem !== undefined) return stem;
    }
    return endingOf(word, this.#endings) ?? 0;
  }
}
