/** Words without accents and capitals: what a person who searches does not type. */
export const plainWords = (words: string): string =>
  words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
