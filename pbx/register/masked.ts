/** Enough of a key to tell two apart, too little to use: its first four characters and its length. */
export function masked(key: string | null): string {
  if (key === null || key === '') return '(empty)';
  const length = `${key.length} characters`;
  return key.length < 12 ? `(${length})` : `${key.slice(0, 4)}… (${length})`;
}
