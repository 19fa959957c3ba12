/**
 * What an unlisted word right before a number means. Most unlisted words are labels of other things, in any language: a
 * docket, a Zählpunkt, a bordereau. The others are names, of people or companies.
 */
import type { Evidence } from '../evidence.ts';
import { candidateEvidence } from './candidate-evidence.ts';
import { letterKind, oneOf, spaceKind } from './characters.ts';
import type { ScannedText } from './scanned-text.ts';

const { bit } = candidateEvidence;

/** How many letters of a word are read. Longer words are cut. */
export const maxWordLength = 24;

/** Where the word that ends at `end` starts. */
export function wordStart(scanned: ScannedText, end: number): number {
  let start = end;
  while (start > 0 && end - start < maxWordLength && scanned.kindAt(start - 1) === letterKind) start--;
  return start;
}

/** Signs between a label and its number: `PO #: 4711`, `Aluno n.º 4711`, `policy_no = 4711`, `"id": 4711`. */
const isLinkingSign = oneOf(':.#=º°"\'(');

/**
 * Whether only spaces and signs of a label are between the word's `end` and the number or word at `start`. A line end
 * may be behind a colon, and a hyphen before a word, as in Beleg-Nr. and Art.-Nr.
 */
export function isNextTo(scanned: ScannedText, end: number, start: number): boolean {
  const { text } = scanned;
  if (start - end > 4) return false;
  const isHyphenated = text[start - 1] === '-' && scanned.kindAt(start) === letterKind;
  for (let at = end; at < (isHyphenated ? start - 1 : start); at++) {
    const isLineEnd = text[at] === '\n' && text[at - 1] === ':';
    if (scanned.kindAt(at) !== spaceKind && !isLinkingSign(text.charCodeAt(at)) && !isLineEnd) return false;
  }
  return true;
}

/** Signs of a number of something: PO #: 4711, Art.-Nr. 4711, Aluno n.º 4711, Roll number 4711, policy_no = 4711 */
const numberSign =
  /^\.?-?[\s.:"'(]*(?:(?:[#=]|n\.|[Nn]\.?\s?[º°]|N[or]\b|n[or](?=[.:]|\s?#)|[Nn][uú]m\p{L}*)[\s.:#=º°"'(]*)+$/u;
/** Ref 2: 4711 */
const labelDigits = /\p{Nd}{1,2}\)?(?=:)/u;
/** In Portuguese, "no" also means "in the". "Hesap no 4711" has a label, but not "fale com Neide no 11987654321". */
const numberWord = /^\sno\s$/;

/**
 * Evidence of an unknown word right before a number. The word is a label if it has the sign of a label or is the first
 * word. Without a sign, a word with a capital behind another word is a name: "fale com Neide 11987654321", "Ana Souza
 * 11987654321".
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
  const { text } = scanned;
  const written = text.slice(end, number).replace(labelDigits, '');
  // In capitals, a surname may be before the sign of a grouped number: SCHMIDT NR: 030 901820.
  const sign = isBare ? written.replace('NR', 'Nr') : written;
  if (numberSign.test(sign)) return bit.numberedLabel;
  if (isLabelAcronym(text, start, end))
    return sign.includes(':') || isBetweenNumbers(text, start, end) ? bit.otherWordFar : bit.otherWordNear;
  const before = wordStart(scanned, start - 1);
  const isBehindWord = before < start - 1 && scanned.kindBefore(start) === spaceKind;
  const isBehindCapital = isBehindWord && isCapital(text, before);
  if (isCapital(text, start) && numberWord.test(sign) && (isBehindCapital || !isBehindWord))
    return bit.unknownLabel;
  if (!/^[\s.:"'(]*$/.test(sign)) return 0;
  if (sign.includes(':'))
    return isBehindCapital && scanned.wordKind(before, start - 1) === 'name' ? 0 : bit.unknownLabel;
  if (!isBare) return 0;
  if (!isCapital(text, start)) return isInSentence(scanned, start) ? 0 : bit.unknownLabel;
  const isName =
    (isBehindWord || isBehindTitle(text, start)) &&
    !isCode(text, start, end) &&
    !isBehindNumberSign(text, start);
  return isName ? 0 : bit.unknownLabel;
}

/** Nº cliente, Nr klienta, No. Pesanan, N.º de cliente: the word at `start` says what is numbered. */
export const isBehindNumberSign = (text: string, start: number): boolean =>
  /(?:^|[^\p{L}])n(?:r\.?|o\.|\.?[ \xa0]?[º°])[ \xa0](?:d[eoai]l?[ \xa0])?$/iu.test(
    text.slice(Math.max(0, start - 9), start),
  );

/** M. Diarra, Tech: Manjunath */
const isBehindTitle = (text: string, start: number): boolean =>
  /\p{L}[.:]\s$/u.test(text.slice(Math.max(0, start - 4), start));

/** How many words before a word make it part of a sentence. Labels have fewer words before them. */
const minWordsBefore = 3;

/** Works at opticians next door 01698263720 */
function isInSentence(scanned: ScannedText, start: number): boolean {
  for (let words = 0, at = start; words < minWordsBefore; words++) {
    if (scanned.kindBefore(at) !== spaceKind) return false;
    const before = wordStart(scanned, at - 1);
    if (before === at - 1) return false;
    at = before;
  }
  return true;
}

const isCapital = (text: string, at: number): boolean => text[at] !== text[at]!.toLowerCase();

/** An acronym is not a surname: Mutuelle AMC. */
const isCode = (text: string, start: number, end: number): boolean =>
  end - start < 4 && isAcronym(text, start, end);

/** KvK, CUI, ЄДРПОУ: two to six letters, with a capital after the first. */
export function isAcronym(text: string, start: number, end: number): boolean {
  if (end - start < 2 || end - start > 6) return false;
  for (let at = start + 1; at < end; at++) if (text[at]! !== text[at]!.toLowerCase()) return true;
  return false;
}

/** ES 612 345 678 PT 912 345 678: each behind its country. */
const isBetweenNumbers = (text: string, start: number, end: number): boolean =>
  end - start === 2 && /\p{Nd} $/u.test(text.slice(Math.max(0, start - 2), start));

/** TRN, MRN, SNS: only consonants, so neither a name nor a word. */
const isLabelAcronym = (text: string, start: number, end: number): boolean =>
  end - start < 4 &&
  isAcronym(text, start, end) &&
  /^[b-df-hj-np-tv-xz]+$/i.test(text.slice(start, end)) &&
  !endsName(text, start, end);

/** States of Brazil, Mexico and the United States, and cities of Mexico, whose codes have no vowel. */
const placeCodes = new Set(
  'DF MG MS MT PB PR RJ RN RS SC SP BCS GDL MTY NL CT DC FL KS MD MN NC ND NH NJ NM SD TN TX VT WV'.split(
    ' ',
  ),
);

/** Muster KG, Rossi SRL, Jane Doe, DDS; SP 11 3222-1111, Florianópolis/SC: the end of a name, or a place. */
function endsName(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - maxWordLength), start);
  return (
    placeCodes.has(text.slice(start, end)) ||
    /\p{Lu}\p{Ll}+,?\s$/u.test(before) ||
    (end - start === 2 && /\p{L} ?[/–-] ?$/u.test(before))
  );
}
