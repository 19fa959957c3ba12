/** Removes accents, because people omit them in haste, and on purpose in addresses: telefono, numero. */
export const unaccented = (word: string): string =>
  isAscii.test(word) ? word : word.normalize('NFD').replace(/[\u0300-\u036f\u093c]/g, '');

const isAscii = /^[\0-\x7f]*$/;

interface ListedPart<Kind> {
  part: string;
  kind: Kind;
}

/** How many letters of a part choose its list. Each part of a word has at least this many. */
const sortedLetters = 2;

/**
 * Words and their kinds. `word*` matches the beginning of a word and `*word` its ending. `**word` also matches an
 * ending, but is checked before all beginnings: a Telefonrechnung is an invoice.
 */
export class Lexicon<Kind extends string> {
  readonly #words = new Map<string, Kind>();
  /** Beginnings of words by their first letters, the longest first. */
  readonly #stems = new Map<string, ListedPart<Kind>[]>();
  /** Endings of words by their last letters. */
  readonly #endings = new Map<string, ListedPart<Kind>[]>();
  readonly #strongEndings = new Map<string, ListedPart<Kind>[]>();

  /** @param lists of words without accents. A word that is listed twice keeps its first kind. */
  constructor(...lists: readonly (readonly [kind: Kind, words: string])[]) {
    for (const [kind, words] of lists) for (const word of words.split(' ')) this.#add(word, kind);
    for (const stems of this.#stems.values())
      stems.sort(({ part: one }, { part: other }) => other.length - one.length);
  }

  #add(word: string, kind: Kind): void {
    if (word.startsWith('**')) sortIn(this.#strongEndings, word.slice(-sortedLetters), word.slice(2), kind);
    else if (word.startsWith('*')) sortIn(this.#endings, word.slice(-sortedLetters), word.slice(1), kind);
    else if (word.endsWith('*')) sortIn(this.#stems, word.slice(0, sortedLetters), word.slice(0, -1), kind);
    else if (!this.#words.has(word)) this.#words.set(word, kind);
  }

  /**
   * @returns the kind of the word, else that of a `**` ending, else that of its longest stem, else that of its ending.
   */
  kindOf(written: string): Kind | undefined {
    const word = unaccented(written.toLowerCase());
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const last = word.slice(-sortedLetters);
    return (
      endingOf(word, this.#strongEndings.get(last)) ??
      stemOf(word, this.#stems.get(word.slice(0, sortedLetters))) ??
      endingOf(word, this.#endings.get(last))
    );
  }
}

function sortIn<Kind>(lists: Map<string, ListedPart<Kind>[]>, letters: string, part: string, kind: Kind) {
  const list = lists.get(letters);
  if (list) list.push({ part, kind });
  else lists.set(letters, [{ part, kind }]);
}

function stemOf<Kind>(word: string, stems: readonly ListedPart<Kind>[] = []): Kind | undefined {
  for (const { part, kind } of stems) if (word.startsWith(part)) return kind;
  return undefined;
}

function endingOf<Kind>(word: string, endings: readonly ListedPart<Kind>[] = []): Kind | undefined {
  for (const { part, kind } of endings) if (word.length > part.length + 2 && word.endsWith(part)) return kind;
  return undefined;
}
