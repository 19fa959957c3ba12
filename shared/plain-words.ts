/** Words without accents and capitals, because a person who searches does not type them. */
export const plainWords = (words: string): string =>
  words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
