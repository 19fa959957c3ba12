/** Words that explain digits: a place before them makes a house number, and a unit behind them makes an amount. */
import type { Evidence } from '../evidence.ts';
import { candidateEvidence } from './candidate-evidence.ts';
import { blockBorder, digitKind, letterKind, oneOf, spaceKind } from './characters.ts';
import { contextLexicon, placeLexicon, unitLexicon } from './context-words.ts';
import type { ScannedText } from './scanned-text.ts';
import { maxWordLength, wordStart } from './unknown-word.ts';

const { bit } = candidateEvidence;
const maxDistance = 36;

/** Whether a word by itself announces a phone number: "Fax", "cel". */
export const isPhoneWord = (word: string): boolean => {
  const meaning = contextLexicon.kindOf(word);
  return meaning === 'phone' || meaning === 'mobile' || meaning === 'contact';
};

/**
 * Whether the words before the number at `start`, up to the next phone word, number or line, name a street, a
 * house or a room.
 */
export function isBehindPlace(scanned: ScannedText, start: number): boolean {
  const { text } = scanned;
  for (let at = start - 1; at >= 0 && start - at < maxDistance; at--) {
    const kind = scanned.kindAt(at);
    if (kind === digitKind || text[at] === '\n' || text[at] === blockBorder) return false;
    if (kind !== letterKind) continue;
    const end = at + 1;
    at = wordStart(scanned, end);
    const word = text.slice(at, end);
    if (placeLexicon.kindOf(word) || (/^r$/i.test(word) && text[end] === '.')) return true;
    if (isPhoneWord(word)) return false;
  }
  return false;
}

/** 912.345.678 reproducciones: a word for what is counted, in English, French, Portuguese and Spanish. */
const isPluralNoun = (word: string): boolean =>
  word.length > 5 &&
  word.endsWith('s') &&
  word === word.toLowerCase() &&
  contextLexicon.kindOf(word) === undefined;

const isCurrency = oneOf('€$£¥%');

/** $ 2.614.230, R$ 11 345 678. A currency behind an amount belongs to that amount: 50,00 € 612 345 678. */
export const isCurrencyBefore = ({ text }: ScannedText, start: number): boolean =>
  /(?:^|[^\d \xa0]|(?<!\d)[ \xa0])[€$£¥][ \xa0]?$/.test(text.slice(Math.max(0, start - 4), start));

/** Whether a unit or a currency follows at `end`: 1234567 EUR, 12 345 678 Stück. */
export function isUnitAfter(scanned: ScannedText, end: number, isThousands = false): boolean {
  const { text } = scanned;
  let at = end;
  while (at - end < 2 && scanned.kindAt(at) === spaceKind) at++;
  // 7733904471 -$142.18: a line of an account.
  if (at > end && /^[-+−][€$£¥]/.test(text.slice(at, at + 2))) return true;
  if (at < text.length && isCurrency(text.charCodeAt(at))) return true;
  const start = at;
  while (at - start < maxWordLength && scanned.kindAt(at) === letterKind) at++;
  if (at === start) return false;
  // 920 21 10 24 hab. 204, 4155550132 ms=200: the unit belongs to the digits behind it.
  if (/^(?:\. ?\p{Nd}|=)/u.test(text.slice(at, at + 3))) return false;
  const word = text.slice(start, at);
  return unitLexicon.kindOf(word) !== undefined || (isThousands && isPluralNoun(word));
}

/**
 * What the text behind a number says of it: 19997214480 (whats), and 253 614 880 (chamada p/ rede fixa nacional), since
 * companies of Portugal have to write what a call costs. In Turkish and Hindi, a linking word and then the thing
 * follow: 0532 447 18 92 numaralı telefon, 0532 447 18 92 nolu sipariş, 98447 18820 par call.
 */
export function evidenceAfter(text: string, end: number): Evidence {
  const [written, inBrackets, of, on, code] = behindNumber.exec(text.slice(end, end + maxLengthBehind)) ?? [];
  if (written === undefined) return 0;
  if (code !== undefined) return bit.otherWordNear;
  const word = inBrackets ?? of ?? on;
  if (word === undefined || isPhoneWord(word) || turkishLine.test(of ?? '')) return bit.phoneWord;
  return of !== undefined && contextLexicon.kindOf(of) === 'otherThing' ? bit.otherWordNear : 0;
}

/** Numaralı hat, hattan, hattımızdan, hatlar: the line with this number. */
const turkishLine = /^hat(?:$|t|lar)/i;
const maxLengthBehind = 36;
const ofNumber = "(?:no['’]?lu|numaral[ıi])[ \\xa0](?:cep[ \\xa0])?";
/** French has "par téléphone", too, and then the number before it is of something else. */
const onNumber = '(?:(?:par|pe)[ \\xa0](?=call)|पर[ \\xa0])';
const oneWord = '([\\p{L}\\p{M}]+)';
const behindNumber = new RegExp(
  `^[ \\xa0]?(?:\\(?chamada p|\\(${oneWord}|${ofNumber}${oneWord}|${onNumber}${oneWord}|(kodlu)[ \\xa0])`,
  'iu',
);

const isSignOfTelephone = oneOf('☎☏✆');
/** Either half of an emoji. */
const isHalfOfEmoji = oneOf('📞📱📲');

/** Whether the character at `at`, or the emoji that ends there, is the sign of a telephone: ☎ 030 901820. */
export function isTelephoneSign(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isSignOfTelephone(code) || (isHalfOfEmoji(code) && text.charCodeAt(at - 1) === 0xd83d);
}
