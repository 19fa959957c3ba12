/** Groups before a whole phone number that are another thing: a document, a day, the number of a house. */
import {
  type DigitGroups,
  digitsIn,
  lengthOf,
  minWholeDigits,
  openGap,
  plainRun,
  startsWithZero,
} from './digit-groups.ts';
import { isExtensionBeforeNumber } from './extension-mark.ts';
import { isBehindPlace } from './place-and-unit.ts';

/** 11 98765-4321, 415-555-0132, 1.415.555.0132: the signs show where a number with its area begins. */
const inSigns = /^(?:\d\d \d{4,5}-\d{4}|(?:1-)?\d{3}-\d{3}-\d{4}|(?:1\.)?\d{3}\.\d{3}\.\d{4})$/;
/**
 * 01 42 68 53 00, 020 7946 0958: only a number with a trunk zero has such groups. A last group of one digit is a check
 * digit.
 */
const withTrunk = /^(?:0\d(?: \d\d){4}|(?=(?:\d ?){9,11}$)0\d\d+(?: \d+)* \d\d+)$/;
/** Whole numbers in spaces. The spaces alone show little, so hours, a day or a house must be before the number. */
const inSpaces = /^(?:\d{3} \d{3} \d{3,4}|\d\d \d{3,4} \d{4}|\d\d \d{3} \d\d \d\d|\d{3}(?: \d\d){3})$/;

const isWholeByForm = (number: string): boolean => inSigns.test(number) || withTrunk.test(number);
const hasWholeLength = (number: string): boolean => number.replace(/\D/g, '').length >= minWholeDigits;

/** CNPJ 12.345.678/0001-90 and CPF 123.456.789-09 of Brazil. */
const documentForm = /^(?:\d\d\.\d{3}\.\d{3}\/\d{4}|\d{3}\.\d{3}\.\d{3})-\d\d /;
/** 88015-200, a postal code of Brazil; 2026-00412, a serial of a year. A slash or a dash may be between spaces. */
const codeForm = /^(?:\d{5}-\d{3}|(?:199\d|20[0-4]\d)-\d{5,}) (?:[-/] )?/;
/** 9.00-17.30, and 8-16 behind the days of a week. */
const hoursForm = /^(?:2[0-4]|[01]?\d)(\.\d+)?(?: ?- ?)(?:2[0-4]|[01]?\d)(\.\d+)? /;
/** Mon-Fri, lun-ven, pn-pt: */
const daysOfWeek = /\p{L}\.?[-–]\p{L}{1,4}\.?:?\s$/u;

/**
 * How many groups before a whole phone number are another thing: a document; a day, hours or a rating; the number of a
 * house, a room, a row or a list.
 */
export function leadingSize(groups: DigitGroups, from: number, to: number): number {
  if (!mayFollow(groups, from, to)) return 0;
  const run = plainRun(groups, from, to);
  const document = documentForm.exec(run)?.[0];
  if (document !== undefined) return document.includes('/') ? 5 : 4;
  const [hours, minutes, lastMinutes] = hoursForm.exec(run) ?? [];
  if (hours !== undefined && hasWholeLength(run.slice(hours.length))) {
    if (minutes !== undefined && lastMinutes !== undefined) return 4;
    if (!(minutes ?? lastMinutes) && daysOfWeek.test(textBefore(groups, from))) return 2;
  }
  const code = codeForm.exec(run)?.[0];
  if (code !== undefined && isWholeByForm(run.slice(code.length))) return 2;
  if (areTwoLeading(run)) return 2;
  return isCount(groups, from, to, run) ? 1 : 0;
}

/**
 * Whether a number may follow the first group: a whole number, or what starts with a zero or a bracket. Behind a single
 * digit, as in Tel2, the number may be short.
 */
const mayFollow = (groups: DigitGroups, from: number, to: number): boolean =>
  digitsIn(groups, from + 1, to) >= minWholeDigits ||
  lengthOf(groups, from) === 1 ||
  startsWithZero(groups, from + 1) ||
  groups.gaps.slice(from + 1, to + 1).some((gap) => gap & openGap);

const textBefore = ({ text, starts }: DigitGroups, group: number): string =>
  text.slice(Math.max(0, starts[group]! - 12), starts[group]);

/** 22/11 11 3333-4444, 9-18 912 345 678, 4.8 (12) (415) 555-0132, 7. Cad. 41/9 — 0555 207 46 81 */
function areTwoLeading(run: string): boolean {
  const pair = /^(\d\d?|\d{3}(?=\/))([-./])(\d{1,3})( \D*|\D+ \D*)(\d+\D.*)$/.exec(run);
  if (!pair) return false;
  const [, first, sign, second, gap, number] = pair as unknown as string[];
  const [one, other] = [Number(first), Number(second)];
  if (sign === '/' && one > 0 && withTrunk.test(number!)) return true;
  const isDay = sign === '/' && one > 0 && one <= 31 && other > 0 && other <= 12;
  // alle 18.00 02 1234567, 28/11 0341 482-0612
  const isTime = sign === '.' && one <= 24 && second!.length === 2 && other % 15 === 0;
  if ((isTime || isDay) && number!.startsWith('0') && hasWholeLength(number!)) return true;
  const areHours = sign === '-' && one > 0 && one < other && other <= 24;
  // 06, 052: a decimal does not begin with a zero and another digit.
  const isDecimal = sign === '.' && !/^0\d/.test(first!);
  if (!isDecimal && !areHours && !isDay) return false;
  return /[([]/.test(gap!) || isWholeByForm(number!) || (!isDecimal && inSpaces.test(number!));
}

const callingCode =
  /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-69]\d|3[578]\d|42\d|50\d|59\d|6[789]\d|8[0578]\d|9[679]\d)$/;

/**
 * Whether the first group is not part of the number: Sala 12 (11) 3333-4444, Rua A 1500 11 3333-4444, 1. 11 3333-4444.
 * It must not be a likely calling code without its plus.
 */
function isCount(groups: DigitGroups, from: number, to: number, run: string): boolean {
  const form = /^(\d{1,6})( \D*|\D+ \D*)(\d.*)$/.exec(run);
  if (!form) return false;
  const [, own, gap, number] = form as unknown as [string, string, string, string];
  // Tel2 912 345 678, Tel.2 912 345 678
  if (/^[1-9]$/.test(own) && /\p{L}\.?$/u.test(textBefore(groups, from))) return true;
  const isBehindHouse = () => isBehindPlace(groups.scanned, groups.starts[from]!);
  if (/[([]/.test(gap)) {
    // A trunk zero, an international prefix, and Mexico's old prefixes.
    if (/^0(?:$|0|1$|4[45]$)/.test(own) || (/[)\]]/.test(gap) && !hasWholeLength(number))) return false;
    // In 1 (415) and 8 (495), the first digit is part of the number. In 1 (48) and 1 (030), it counts a list.
    if (/^[178]$/.test(own)) return /^\d\d?(?!\d)/.test(number) || (own === '1' && number.startsWith('0'));
    return !callingCode.test(own) || isBehindHouse();
  }
  if (own.startsWith('0')) return false;
  if (isExtensionBeforeNumber(groups, from, to)) return true;
  // Ref 12345 / 214-555-0134
  if (gap.includes('/')) return own.length > 3 && isWholeByForm(number);
  // Argentina's mobiles: 9 11 2345-6789, 11 15 2345-6789.
  if (own === '9' || (own === '11' && /^15(?!\d)/.test(number))) return false;
  if (callingCode.test(own) && !isBehindHouse()) return false;
  // Av. Colón 1840 – 0351 468-2274
  const isBehindDash = gap === ' - ';
  const hasTrunk = number.startsWith('0');
  if ((isBehindDash && hasTrunk) || isWholeByForm(number)) return true;
  // Av. Maipú 12 0341 482-0612, Calle Mayor, 12 93 481 72 60, Rua A, 123 - 48991224466
  const isWhole = inSpaces.test(number) || ((isBehindDash || hasTrunk) && hasWholeLength(number));
  return isWhole && isBehindHouse();
}
