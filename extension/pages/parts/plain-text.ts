/**
 * Attributes of inputs for numbers, codes and addresses: left to right in every language, neither completed nor
 * spell-checked.
 */
export const plainInput = { dir: 'ltr', autocomplete: 'off', spellcheck: false } as const;
