/**
 * Classifies characters by their part in a written phone number, by a small table and comparisons instead of
 * regular expressions.
 */

export const otherKind = 0;
export const digitKind = 1;
export const spaceKind = 2;
export const dashKind = 3;
export const dotKind = 4;
export const slashKind = 5;
export const openKind = 6;
export const closeKind = 7;
export const plusKind = 8;
export const letterKind = 9;
/** Invisible: direction marks, joiners, soft hyphens. Skipped inside a number, never at its ends. */
export const hiddenKind = 10;

/** Separates blocks that are joined into one text. What is found on one side does not depend on the other. */
export const blockBorder = '\u2029';

const ascii = new Uint8Array(128);
for (let code = 48; code < 58; code++) ascii[code] = digitKind;
for (let code = 65; code < 91; code++) ascii[code] = ascii[code + 32] = letterKind;
for (const [characters, kind] of [
  [' ', spaceKind],
  ['-', dashKind],
  ['.', dotKind],
  ['/', slashKind],
  ['([', openKind],
  [')]', closeKind],
  ['+', plusKind],
  ['_', letterKind],
] as const) {
  for (const character of characters) ascii[character.charCodeAt(0)] = kind;
}

/** A test for the codes of a few characters. It uses a table, because `includes` searches the list each time. */
export function oneOf(characters: string): (code: number) => boolean {
  const listed = new Uint8Array(128);
  for (const character of characters) {
    const code = character.charCodeAt(0);
    if (code < 128) listed[code] = 1;
  }
  return (code) => (code < 128 ? listed[code] === 1 : characters.includes(String.fromCharCode(code)));
}

/** A full-width form or an Arabic or Devanagari digit as its plain ASCII code, any other code as it is. */
export function asciiCode(code: number): number {
  return code < 0x660 ? code : plainBeyondAscii(code);
}

function plainBeyondAscii(code: number): number {
  if (code > 0xff00 && code < 0xff5f) return code - 0xfee0;
  if (!isDigit(code)) return code;
  return code < 0x966 ? 48 + (code & 15) : 48 + code - 0x966;
}

/** Whether a code beyond ASCII is a digit: full-width, Arabic-Indic, Persian or Devanagari. */
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

/** This function is short, so that the engine inlines it into every loop over characters. */
export function kindOf(code: number): number {
  return code < 128 ? ascii[code]! : kindBeyondAscii(code);
}

function kindBeyondAscii(code: number): number {
  if (code > 0xff00 && code < 0xff5f) return ascii[code - 0xfee0]!;
  if (code === 0xa0 || code === 0x202f || code === 0x205f || code === 0x3000) return spaceKind;
  if (code === 0xad || code === 0x061c || code === 0xfeff) return hiddenKind;
  // Middle dot, as in 415·666·7777.
  if (code === 0xb7) return dotKind;
  if (code >= 0xc0 && code <= 0x52f) return code === 0xd7 || code === 0xf7 ? otherKind : letterKind;
  if (code < 0x1e00) return isDigit(code) ? digitKind : isSpacedLetter(code) ? letterKind : otherKind;
  if (code < 0x2000) return letterKind;
  if (code <= 0x200a) return spaceKind;
  if (code <= 0x200f || (code >= 0x202a && code <= 0x202e)) return hiddenKind;
  if (code >= 0x2060 && code <= 0x2069) return hiddenKind;
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212 || code === 0xfe63) return dashKind;
  return otherKind;
}

/** The kind of the character at `at` of a text, `otherKind` beyond its ends. */
export function kindIn(text: string, at: number): number {
  return at >= 0 && at < text.length ? kindOf(text.charCodeAt(at)) : otherKind;
}
