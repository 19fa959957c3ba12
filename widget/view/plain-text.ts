/** Other people's text, made fit to show: nothing invisible, nothing that turns the direction of what follows, not endless. */
export function plainText(text = '', longest = 40): string {
  // Cut twice: ten thousand characters are not worth a search.
  const shown = text
    .slice(0, 500)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown || '–';
}
