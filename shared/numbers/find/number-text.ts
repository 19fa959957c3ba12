/** Parses the text of one number into its digits, the plus before them and the extension behind them. */
import { DIGIT, HIDDEN, kindAt, kindOf, LETTER, PLUS, plain, SLASH, SPACE } from './characters.ts';

export interface NumberText {
  input: string;
  plus: boolean;
  digits: string;
  extension: string;
  brackets: boolean;
  /** How many digits precede the closing bracket; 0 where there is none. */
  bracketEnd: number;
  /** A slash is between two groups. */
  slash: boolean;
  /** Where groups begin, as bits: bit 3 is set where one begins after three digits. */
  cuts: number;
  /** How many groups of digits, and the length of the first and the last. */
  groupCount: number;
  firstGroup: number;
  lastGroup: number;
  /** The lengths of the groups read as one decimal number: 334 for 415-555-0132. */
  shape: number;
  /** The last group is joined by a dash, as a direct line is. */
  isLastGroupDashed: boolean;
}

/** Carrier marks (`0xx11`, `0**11`) are skipped; full-width and Arabic digits become plain ones. */
export function parseNumberText(input: string): NumberText {
  const length = input.length;
  let digits = '';
  let extension = '';
  let plus = false;
  let brackets = false;
  let bracketEnd = 0;
  let slash = false;
  let cuts = 0;
  let isLastGroupDashed = false;
  let groupCount = 0;
  let firstGroup = 0;
  let lastGroup = 0;
  let shape = 0;
  for (let at = 0; at < length; at++) {
    const code = input.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === DIGIT) {
      const start = at;
      if (digits !== '') cuts |= 1 << digits.length;
      while (at + 1 < length && kindOf(input.charCodeAt(at + 1)) === DIGIT) at++;
      digits += plainDigits(input, start, at + 1);
      lastGroup = at + 1 - start;
      if (groupCount++ === 0) firstGroup = lastGroup;
      shape = shape * 10 + lastGroup;
      isLastGroupDashed = start > 0 && plain(input.charCodeAt(start - 1)) === 45;
    } else if (kind === PLUS) {
      if (digits === '') plus = true;
    } else if (code === 40 || code === 0xff08) brackets = true;
    else if (code === 41 || code === 0xff09) bracketEnd ||= digits.length;
    else if (kind === SLASH) slash ||= digits !== '';
    else if (
      (kind === LETTER || code === 35 || code === 59 || code === 42) &&
      digits !== '' &&
      digits !== '0'
    ) {
      extension = extensionFrom(input, at);
      break;
    }
  }
  return {
    input,
    plus,
    digits,
    extension,
    brackets,
    bracketEnd,
    slash,
    cuts,
    groupCount,
    firstGroup,
    lastGroup,
    shape,
    isLastGroupDashed,
  };
}

function plainDigits(input: string, start: number, end: number): string {
  if (input.charCodeAt(start) < 128) return input.slice(start, end);
  let digits = '';
  for (let at = start; at < end; at++) digits += String.fromCharCode(plain(input.charCodeAt(at)));
  return digits;
}

function extensionFrom(input: string, mark: number): string {
  let extension = '';
  for (let at = mark; at < input.length; at++) {
    if (kindAt(input, at) === DIGIT) extension += String.fromCharCode(plain(input.charCodeAt(at)));
  }
  return extension;
}

/** The number as written, in plain characters and without its extension: the display form of one that no plan has. */
export function plainText({ input, digits }: NumberText): string {
  let text = '';
  let left = digits.length;
  for (let at = 0; at < input.length && left > 0; at++) {
    const kind = kindAt(input, at);
    if (kind === DIGIT) left--;
    if (kind !== HIDDEN) text += kind === SPACE ? ' ' : String.fromCharCode(plain(input.charCodeAt(at)));
  }
  return text;
}
