/** The fewest letters of a name. Fewer find half a directory. */
const minLetters = 2;

/** Whether the typed text may be a name: it has letters, and is not a number or an address. */
export const isNameQuery = (typed: string): boolean =>
  (typed.match(/\p{L}/gu) ?? []).length >= minLetters && !/\p{Nd}{3}|:|^_/u.test(typed);
