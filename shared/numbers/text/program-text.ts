/** Text that programs write: paths, lines of logs and rows of data, whose bare digits are ids. */
import { blockBorder, dashKind, digitKind, dotKind, letterKind, slashKind, spaceKind } from './characters.ts';
import type { ScannedText } from './scanned-text.ts';

/** How far back words count, in UTF-16 units: bounded, so that a text costs the same however it is written. */
export const maxDistance = 72;

/** A small word in a path, or in a line with a time to the second: GET /a 4155550132, 10:22:31 trabajo 934112233 */
export function isOfProgram(scanned: ScannedText, start: number): boolean {
  const { text } = scanned;
  if (text[start] !== text[start]!.toLowerCase()) return false;
  return isPath(scanned, start) || logTime.test(blockBefore(text, start));
}

const logTime = /\d:\d\d:\d\d[^\n]*$/;

/** GET /api/contacts 200: the word ends a path, which begins with its slash. */
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

/** VALUES (4155550132, ['Ann', 4155550132: bare digits at `start` are a value, behind others of their row. */
export function isInRow(text: string, start: number): boolean {
  const sign = text[start - 1] === ' ' ? text[start - 2] : text[start - 1];
  return `,('"`.includes(sign ?? ' ') && rowBefore.test(blockBefore(text, start));
}

const rowBefore = /(?:\bvalues\s*\(\s*|[([]\s*(?:(?:'[^']*'|"[^"]*"|\d[\d.]*|null)\s*,\s*)+)['"]?$/i;

/** What stands before `start` in its own block, `maxDistance` at most. */
function blockBefore(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - maxDistance), start);
  return before.slice(before.lastIndexOf(blockBorder) + 1);
}
