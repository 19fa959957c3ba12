/** For inputs of what is no prose: from left to right in every language, neither completed nor checked for spelling. */
export const plainText = { dir: 'ltr', autocomplete: 'off', spellcheck: false } as const;
