/** Chooses the name of a person or organisation from the words beside a number in the page. */
import { contextLexicon, type WordKind } from '../../../shared/numbers/text/context-words.ts';

const labelKinds = new Set<WordKind | undefined>(['phone', 'mobile', 'contact', 'between', 'label', 'whose']);

/**
 * @param words lines of a content script, the likeliest name first.
 * @returns the first line that is not only a label of telephones: not `Tel`, `Work phone` or `Mobile no`.
 */
export const nameAmong = (words = ''): string | undefined =>
  words.split('\n').find((line) => line !== '' && !isTelephoneLabel(line));

function isTelephoneLabel(line: string): boolean {
  const kinds = (line.match(/[\p{L}\p{M}]+/gu) ?? []).map((word) => contextLexicon.kindOf(word));
  // "Wife" and "Reception" alone say who answers.
  return kinds.every((kind) => labelKinds.has(kind)) && (kinds.includes('phone') || kinds.includes('mobile'));
}
