/**
 * Where the index lies in Redis: numbers and words are sorted sets that are read by range, entries are a
 * hash, and each source has a hash of its uids.
 */
import { root } from '../../store/redis/script-parts.ts';
import { searchWords } from '../words.ts';
import type { FoundPerson } from './directory-index.ts';

const prefix = `${root}directory:`;
export const key = {
  epoch: `${prefix}epoch`,
  lastId: `${prefix}last-id`,
  /** id -> `SOURCE person`. */
  entries: `${prefix}entries`,
  /** `NUMBER SOURCE id`, read by range for one source. So people of hidden sources do not use up the limit. */
  numbers: `${prefix}numbers`,
  /** `SOURCE WORD id`. */
  words: `${prefix}words`,
  states: `${prefix}sources`,
  /** uid -> `id tag`. */
  uids: (source: string) => `${prefix}uids:${source}`,
  /** uids in order, for pages. */
  order: (source: string) => `${prefix}order:${source}`,
  claim: (source: string) => `${prefix}claim:${source}`,
};

/** The members of `numbers` and `words` by which an entry is found. */
export const membersOf = (person: FoundPerson, id: number) => ({
  numbers: person.numbers.map(({ number }) => `${number} ${person.source} ${id}`),
  words: searchWords(person).map((word) => `${person.source} ${word} ${id}`),
});
