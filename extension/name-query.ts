/** Fewer letters find half of a directory. */
const minLetters = 2;

/** Whether what was typed may be a name: it has letters, and is neither a number nor an address. */
export const isNameQuery = (typed: string): boolean =>
  (typed.match(/\p{L}/gu) ?? []).length >= minLetters && !/\p{Nd}{3}|:|^_/u.test(typed);
