/** Text -> the words under which it is found: lower case, without accents. */
import { plainWords } from '../../shared/plain-words.ts';

const maxWords = 12;
const maxWordLength = 24;

/** Letters that cannot be split into a letter and an accent. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
};

export function searchWordsOf(text: string): string[] {
  return plainWords(text)
    .replace(/[ßæœøđðłıþ]/g, (letter) => letters[letter]!)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => word.slice(0, maxWordLength));
}

/** Each word once, and the initials: of all words of the name, and of its first and last one. */
export function searchWords({
  name,
  organisation = '',
}: {
  name: string;
  organisation?: string | undefined;
}): string[] {
  const names = searchWordsOf(name);
  const initials = names.map((word) => [...word][0]!);
  const short = names.length > 1 ? [initials.join(''), initials[0]! + initials.at(-1)!] : [];
  return [...new Set([...names, ...searchWordsOf(organisation), ...short])];
}
