/** Parses the text of one number into its digits, the plus before them and the extension behind them. */

import { maxExtensionDigits } from '../plan/extension-words.ts';
import type { GroupEnds } from '../plan/group-ends.ts';
import {
  asciiCode,
  dashKind,
  digitKind,
  hiddenKind,
  isDigit,
  kindIn,
  kindOf,
  letterKind,
  spaceKind,
} from './characters.ts';
import { isCarrierMark } from './digit-groups.ts';

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
  groupEnds: GroupEnds;
  /** The last group is joined by a dash, as a direct line is. */
  isLastGroupDashed: boolean;
  /** Where the last digit ends in `input`. */
  end: number;
  /** Every character that was read is ASCII. */
  isPlain: boolean;
}

/** Carrier marks (`0xx11`, `0**11`) are skipped; full-width and Arabic digits become plain ones. */
export function parseNumberText(input: string): NumberText {
  const length = input.length;
  let digits = '';
  let digitCount = 0;
  let extension = '';
  let plus = false;
  let brackets = false;
  let bracketEnd = 0;
  let slash = false;
  let groupEnds = 0;
  let before = 0;
  let isLastGroupDashed = false;
  let lastGroup = 0;
  let end = 0;
  let isPlain = true;
  for (let at = 0; at < length; at++) {
    let code = input.charCodeAt(at);
    // Nearly every character is of ASCII, and every number of a page passes here.
    if (code > 127) {
      isPlain = false;
      const kind = kindOf(code);
      code = kind === digitKind ? 48 : kind === dashKind ? 45 : asciiCode(code);
    }
    if (code > 47 && code < 58) {
      const start = at;
      while (at + 1 < length && hasDigitAt(input, at + 1)) at++;
      end = at + 1;
      lastGroup = end - start;
      digits += plainDigits(input, start, end);
      digitCount += lastGroup;
      groupEnds |= 1 << digitCount;
      isLastGroupDashed = before === 45;
    } else if (code === 43) plus ||= digitCount === 0;
    else if (code === 40) brackets = true;
    else if (code === 41) bracketEnd ||= digitCount;
    else if (code === 47) slash ||= digitCount > 0;
    else if (lastGroup === 1 && at - end < 2 && digits.endsWith('0') && isCarrierMark(input, at)) at++;
    // Two commas are a pause: what follows is dialled once the call is answered.
    else if (digitCount > 0 && digits !== '0' && (isExtensionMark(code) || (code === 44 && before === 44))) {
      const dialled = extensionFrom(input, at);
      // 48 3322-4466 ou 48 99122-4466: another number.
      if (kindOf(code) !== letterKind || dialled.length <= maxExtensionDigits) extension = dialled;
      break;
    }
    before = code;
  }
  return {
    input,
    plus,
    digits,
    extension,
    brackets,
    bracketEnd,
    slash,
    groupEnds,
    isLastGroupDashed,
    end,
    isPlain,
  };
}

function hasDigitAt(input: string, at: number): boolean {
  const code = input.charCodeAt(at);
  return code < 128 ? code > 47 && code < 58 : isDigit(code);
}

/** A letter, or one of `#;*`. */
const isExtensionMark = (code: number): boolean =>
  code === 35 || code === 59 || code === 42 || kindOf(code) === letterKind;

function plainDigits(input: string, start: number, end: number): string {
  if (input.charCodeAt(start) < 128) return input.slice(start, end);
  let digits = '';
  for (let at = start; at < end; at++) digits += String.fromCharCode(asciiCode(input.charCodeAt(at)));
  return digits;
}

function extensionFrom(input: string, mark: number): string {
  let extension = '';
  for (let at = mark; at < input.length; at++) {
    const start = at;
    while (at < input.length && hasDigitAt(input, at)) at++;
    if (at > start) extension += plainDigits(input, start, at);
  }
  return extension;
}

/**
 * The number as written, in plain characters and without its extension. Numbers that are in no plan are displayed like
 * this.
 */
export function displayAsWritten({ input, digits, end, isPlain }: NumberText): string {
  if (isPlain) return input.slice(0, end);
  let text = '';
  let left = digits.length;
  for (let at = 0; at < input.length && left > 0; at++) {
    const kind = kindIn(input, at);
    if (kind === digitKind) left--;
    if (kind !== hiddenKind)
      text += kind === spaceKind ? ' ' : String.fromCharCode(asciiCode(input.charCodeAt(at)));
  }
  return text;
}
