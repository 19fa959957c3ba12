/**
 * What a word says that no list has, right before a number. Most such words are labels of other things, in any language: a
 * docket, a Zählpunkt, a bordereau. The others are names, of people or companies.
 */
import type { Evidence } from '../evidence.ts';
import { candidateEvidence } from './candidate-evidence.ts';
import { letterKind, oneOf, spaceKind } from './characters.ts';
import type { ScannedText } from './scanned-text.ts';

const { bit } = candidateEvidence;

/** Longer words are cut. */
export const maxWordLength = 24;

/** Where the word that ends at `end` starts. */
export function wordStart(scanned: ScannedText, end: number): number {
  let start = end;
  while (start > 0 && end - start < maxWordLength && scanned.kindAt(start - 1) === letterKind) start--;
  return start;
}

/** Signs between a label and its number: `PO #: 4711`, `Aluno n.º 4711`, `policy_no = 4711`, `"id": 4711`. */
const isLinkingSign = oneOf(':.#=º°"\'');

/** Whether nothing but spaces and signs of a label is between the word that ends at `end` and the number at `start`. */
export function isNextTo(scanned: ScannedText, end: number, start: number): boolean {
  const { text } = scanned;
  if (start - end > 4) return false;
  for (let at = end; at < start; at++)
    if (scanned.kindAt(at) !== spaceKind && !isLinkingSign(text.charCodeAt(at))) return false;
  return true;
}

/** Signs of a number of something: PO #: 4711, Permit No. 4711, Aluno n.º 4711, Roll number 4711, policy_no = 4711 */
const numberSign =
  /^[\s.:"']*(?:(?:[#=]|[Nn]\.?\s?[º°]|N[or]\b|n[or](?=[.:]|\s?#)|[Nn][uú]m\p{L}*)[\s.:#=º°"']*)+$/u;

/**
 * Evidence of an unknown word right before a number.
 * @param end of the word.
 * @param isBare the number has no grouping.
 */
export function unknownWordEvidence(
  scanned: ScannedText,
  start: number,
  end: number,
  number: number,
  isBare: boolean,
): Evidence {
  if (isVowelless(scanned.text, start, end)) return bit.otherWordFar;
  const sign = scanned.text.slice(end, number);
  if (numberSign.test(sign)) return bit.unknownLabel;
  const isLabel = /^[\s.:"']*$/.test(sign) && (isBare || sign.includes(':'));
  return isLabel && !isName(scanned, start, end) ? bit.unknownLabel : 0;
}

/** Whether the word and the one before it are a full name: Ana Souza. An acronym is not a surname: Mutuelle AMC. */
function isName(scanned: ScannedText, start: number, end: number): boolean {
  const { text } = scanned;
  const isCapital = (at: number) => text[at] !== text[at]!.toLowerCase();
  if (!isCapital(start) || scanned.kindBefore(start) !== spaceKind) return false;
  if (end - start < 4 && isAcronym(text, start, end)) return false;
  const before = wordStart(scanned, start - 1);
  return before < start - 1 && isCapital(before);
}

/** KvK, CUI, ЄДРПОУ: two to six letters, with a capital after the first. */
export function isAcronym(text: string, start: number, end: number): boolean {
  if (end - start < 2 || end - start > 6) return false;
  for (let at = start + 1; at < end; at++) if (text[at]! !== text[at]!.toLowerCase()) return true;
  return false;
}

/** TRN, MRN: no name, and no word. */
function isVowelless(text: string, start: number, end: number): boolean {
  return isAcronym(text, start, end) && /^[b-df-hj-np-tv-xz]+$/i.test(text.slice(start, end));
}
