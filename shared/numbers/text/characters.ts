/** Classifies characters by their part in a written phone number, by a small table and comparisons instead of regular expressions. */

export const OTHER = 0;
export const DIGIT = 1;
export const SPACE = 2;
export const DASH = 3;
export const DOT = 4;
export const SLASH = 5;
export const OPEN = 6;
export const CLOSE = 7;
export const PLUS = 8;
export const LETTER = 9;
/** Invisible: direction marks, joiners, soft hyphens. Skipped inside a number, never at its ends. */
export const HIDDEN = 10;

/** Between blocks joined into one text: nothing found on one side depends on the other. */
export const BLOCK_BORDER = '\u2029';

const ascii = new Uint8Array(128);
for (let code = 48; code < 58; code++) ascii[code] = DIGIT;
for (let code = 65; code < 91; code++) ascii[code] = ascii[code + 32] = LETTER;
for (const [characters, kind] of [
  [' ', SPACE],
  ['-', DASH],
  ['.', DOT],
  ['/', SLASH],
  ['([', OPEN],
  [')]', CLOSE],
  ['+', PLUS],
  ['_', LETTER],
] as const) {
  for (const character of characters) ascii[character.charCodeAt(0)] = kind;
}

/** A test for the codes of a few characters: a table, as `includes` costs a search of the list for each. */
export function oneOf(characters: string): (code: number) => boolean {
  const listed = new Uint8Array(128);
  for (const character of characters) {
    const code = character.charCodeAt(0);
    if (code < 128) listed[code] = 1;
  }
  return (code) => (code < 128 ? listed[code] === 1 : characters.includes(String.fromCharCode(code)));
}

/** A full-width form or an Arabic or Devanagari digit as its plain ASCII code, any other code as it is. */
export function plain(code: number): number {
  return code < 0x660 ? code : plainBeyondAscii(code);
}

function plainBeyondAscii(code: number): number {
  if (code > 0xff00 && code < 0xff5f) return code - 0xfee0;
  if (!isDigit(code)) return code;
  return code < 0x966 ? 48 + (code & 15) : 48 + code - 0x966;
}

/** Of codes beyond ASCII: full-width, Arabic-Indic, Persian and Devanagari digits. */
export function isDigit(code: number): boolean {
  return (
    (code >= 0xff10 && code <= 0xff19) ||
    (code >= 0x660 && code <= 0x669) ||
    (code >= 0x6f0 && code <= 0x6f9) ||
    (code >= 0x966 && code <= 0x96f)
  );
}

/** Letters of Hebrew, Arabic and Devanagari, whose words are separated by spaces. */
function isSpacedLetter(code: number): boolean {
  return (
    (code >= 0x5d0 && code <= 0x5ea) ||
    (code >= 0x620 && code <= 0x64a) ||
    (code >= 0x671 && code <= 0x6d3) ||
    (code >= 0x900 && code <= 0x963)
  );
}

/** Short, so that the engine puts it into every loop over characters. */
export function kindOf(code: number): number {
  return code < 128 ? ascii[code]! : kindBeyondAscii(code);
}

function kindBeyondAscii(code: number): number {
  if (code > 0xff00 && code < 0xff5f) return ascii[code - 0xfee0]!;
  if (code === 0xa0 || code === 0x202f || code === 0x205f || code === 0x3000) return SPACE;
  if (code === 0xad || code === 0x061c || code === 0xfeff) return HIDDEN;
  // Middle dot, as in 415·666·7777.
  if (code === 0xb7) return DOT;
  if (code >= 0xc0 && code <= 0x52f) return code === 0xd7 || code === 0xf7 ? OTHER : LETTER;
  if (code < 0x1e00) return isDigit(code) ? DIGIT : isSpacedLetter(code) ? LETTER : OTHER;
  if (code < 0x2000) return LETTER;
  if (code <= 0x200a) return SPACE;
  if (code <= 0x200f || (code >= 0x202a && code <= 0x202e)) return HIDDEN;
  if (code >= 0x2060 && code <= 0x2069) return HIDDEN;
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212 || code === 0xfe63) return DASH;
  return OTHER;
}

/**
 * The kinds of the characters of the text being scanned, from `readFrom` to `readTo`: around a number each is looked at many times,
 * which costs far more in a string. What is far from any digit is never read.
 */
let kinds = new Uint8Array(1 << 16);
let scanned = '';
let readFrom = 0;
let readTo = 0;
const READ_BEFORE = 80;
/** Digits near each other are read in ever longer stretches, and a lone one in a short one. */
const MIN_AHEAD = 64;
const MAX_AHEAD = 4096;
let ahead = MIN_AHEAD;
/** Part of an expression: any character of the kind DIGIT. */
export const digitClass = '[0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\uff10-\\uff19]';
const DIGITS = new RegExp(digitClass, 'g');

/** Makes `text` the one that `nextDigit` and `kindAt` read; an empty one frees it. */
export function beginScan(text: string): void {
  scanned = text;
  readFrom = 0;
  readTo = 0;
  ahead = MIN_AHEAD;
  if (text.length > kinds.length) kinds = new Uint8Array(text.length);
}

/** Where the next digit at `from` or behind it is; -1 where none is left. */
export function nextDigit(from: number): number {
  let at = from;
  while (at < readTo && kinds[at] !== DIGIT) at++;
  if (at < readTo) return at;
  DIGITS.lastIndex = at;
  if (!DIGITS.test(scanned)) return -1;
  at = DIGITS.lastIndex - 1;
  if (at - READ_BEFORE > readTo) {
    readFrom = readTo = at - READ_BEFORE;
    ahead = MIN_AHEAD;
  }
  readUpTo(at + ahead);
  return at;
}

function readUpTo(end: number): void {
  if (ahead < MAX_AHEAD) ahead *= 2;
  const [text, all, stop] = [scanned, kinds, Math.min(end, scanned.length)];
  for (let at = readTo; at < stop; at++) all[at] = kindOf(text.charCodeAt(at));
  readTo = stop;
}

/** The kind of the character at `at` of the text being scanned, OTHER beyond its ends. */
export function kindAt(at: number): number {
  return at >= readFrom && at < readTo ? kinds[at]! : kindBeyond(at);
}

function kindBeyond(at: number): number {
  if (at < 0 || at >= scanned.length) return OTHER;
  if (at < readFrom) return kindOf(scanned.charCodeAt(at));
  readUpTo(at + ahead);
  return kinds[at]!;
}

/** The kind of a character of any other text. */
export function kindIn(text: string, at: number): number {
  return at >= 0 && at < text.length ? kindOf(text.charCodeAt(at)) : OTHER;
}
