/** Text that programs write: paths, lines of logs and rows of data, whose bare digits are ids. */
import { blockBorder, dashKind, digitKind, dotKind, letterKind, slashKind, spaceKind } from './characters.ts';
import type { ScannedText } from './scanned-text.ts';

/** How far back words count, in UTF-16 units. The limit keeps the cost the same, however a text is written. */
export const maxDistance = 72;

/** A small word in a path, or in a line with a time to the second: GET /a 4155550132, 10:22:31 trabajo 934112233 */
export function isOfProgram(scanned: ScannedText, start: number): boolean {
  const { text } = scanned;
  if (text[start] !== text[start]!.toLowerCase()) return false;
  return isPath(scanned, start) || logTime.test(blockBefore(text, start));
}

const logTime = /\d:\d\d:\d\d[^\n]*$/;

/** GET /api/contacts 200: the word is the end of a path that begins with a slash. */
export function isPath(scanned: ScannedText, start: number): boolean {
  if (scanned.kindAt(start - 1) !== slashKind) return false;
  let at = start - 1;
  while (start - at < maxDistance && at > 0) {
    const kind = scanned.kindAt(at - 1);
    if (
      kind !== letterKind &&
      kind !== slashKind &&
      kind !== dashKind &&
      kind !== dotKind &&
      kind !== digitKind
    )
      break;
    at--;
  }
  return scanned.kindAt(at) === slashKind && scanned.kindBefore(at) === spaceKind;
}

/** VALUES (4155550132, ['Ann', 4155550132: bare digits at `start` are a value in a row of data. */
export function isInRow(text: string, start: number): boolean {
  const sign = text[start - 1] === ' ' ? text[start - 2] : text[start - 1];
  return `,('"`.includes(sign ?? ' ') && rowBefore.test(blockBefore(text, start));
}

const rowBefore = /(?:\bvalues\s*\(\s*|[([]\s*(?:(?:'[^']*'|"[^"]*"|\d[\d.]*|null)\s*,\s*)+)['"]?$/i;

/** The text before `start` in its own block, at most `maxDistance` long. */
function blockBefore(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - maxDistance), start);
  return before.slice(before.lastIndexOf(blockBorder) + 1);
}
