/** Shapes of digit groups that are other things than phone numbers: cards, documents, addresses, prices, years. */
import type { Evidence } from '../evidence.ts';
import { candidateEvidence } from './candidate-evidence.ts';
import { letterKind } from './characters.ts';
import { isIndexWithDate } from './dates.ts';
import {
  closeGap,
  type DigitGroups,
  dashGap,
  digitsIn,
  dotGap,
  isPadded,
  lengthOf,
  openGap,
  slashGap,
  smallValueOf,
  spaceGap,
  startsWithZero,
} from './digit-groups.ts';
import { separatorGaps, shapeNamed, shapeOf, shapes } from './group-shape.ts';
import type { ScannedText } from './scanned-text.ts';

/** CPF, CNPJ, NIS, RG and RUT, cards, SSN and CUIT: not phone numbers, whatever the words before them. */
const neverShapes = shapes(
  '3.3.3-2|2.3.3/4-2|2.3.3-2|2.3.3-1|1.3.3-1|3.3.3-1|4 4 4 4|4-4-4-4|4 4 4 3|4-4-4-3|4 6 5|4-6-5|4 4 2 10|' +
    '3-2-4|2-8-1|3.5.5.2|7-2.4',
);
/** CEP and ZIP+4, thousands with a dot or space, a check of two digits: phone numbers only after a phone word. */
const shapesAfterPhoneWord = shapes(
  '5-3|4-3|2.3-3|5-4|1.3.3|2.3.3|1 3 3|2 3 3|1.3.3.3|1 3 3 3|3.3.4.2|2-7|7-2|8-2|4-2-4|2/8-1',
);

const { bit } = candidateEvidence;

/** @param listed another number is between a phone word and this one. */
export function shapeEvidence(groups: DigitGroups, from: number, last: number, listed: boolean): Evidence {
  if (last === from) return isUnixTime(groups, from) || isLimit(groups, from) ? bit.unixTime : 0;
  const shape = shapeOf(groups, from, last);
  if (
    neverShapes.has(shape) ||
    isBook(groups, from, last) ||
    isYears(groups, from, last) ||
    isOfYear(groups, from, last, from) ||
    isOneByOne(groups, from, last) ||
    isFraction(groups, from, last)
  )
    return bit.otherShape;
  if (shape === zipPlus4 && isBehindState(groups, from)) return bit.otherShape;
  if (
    isCutFromId(groups, from, last) ||
    isOfYear(groups, from, last, last) ||
    isSerialOfYear(groups, from, last) ||
    isIndexWithDate(groups, from, last)
  )
    return bit.documentShape;
  if (isIpAddress(groups, from, last)) return shape === barcelonaShape ? bit.documentShape : bit.otherShape;
  const isDocument = shapesAfterPhoneWord.has(shape) && (listed || !startsWithZero(groups, from));
  return isDocument || isDecimals(groups, from, last) ? bit.documentShape : 0;
}

const zipPlus4 = shapeNamed('5-4');
/** 93.208.17.76: an address, or a number of Spain behind a word for telephones. */
const barcelonaShape = shapeNamed('2.3.2.2');

/** Mobile, AL 36602-1234: a city and its state, whatever the city's name means. */
const isBehindState = ({ text, starts }: DigitGroups, from: number): boolean => {
  const before = text.slice(Math.max(0, starts[from]! - 8), starts[from]);
  // Fone SP 91234-5678: Brazil's mobiles begin with 9.
  return text[starts[from]!] === '9' ? /, ?[A-Z]{2} $/.test(before) : /\p{L},? [A-Z]{2},?\s$/u.test(before);
};

/** The most digits that an id has behind what looks like a number: in small groups, or in groups of three only. */
const maxCutDigits = 3;
const maxCutDigitsInThrees = 6;

/**
 * 800 123 456 7, 01 18 84 42 07 71 5, 030/23125/1234/5, 0603 / 419, 030 145/87: the same separators continue behind the
 * number, or it has too few digits for them.
 */
function isCutFromId(groups: DigitGroups, from: number, last: number): boolean {
  const { text, gaps, ends, isApart, count } = groups;
  const sign = gaps[last]! & separatorGaps;
  if (sign & slashGap && lengthOf(groups, last) < 4) {
    const digits = digitsIn(groups, from, last);
    if (last === from + 1) return digits < 8;
    if (digits < 9) return true;
  }
  if (last + 2 > count || last === from || gaps[last + 1] !== gaps[last] || isApart[last + 1]) return false;
  if (sign === slashGap) return lengthOf(groups, last + 1) > 2 && lengthOf(groups, last + 1) < 7;
  if (last < from + 2) return false;
  const isInThrees = /^(?:\d{3} ?)+$/.test(text.slice(groups.starts[from], ends[count - 1]));
  const [maxDigits, maxLength] = isInThrees ? [maxCutDigitsInThrees, 3] : [maxCutDigits, 2];
  if (digitsIn(groups, last + 1, count - 1) > maxDigits) return false;
  for (let group = from + 1; group < count; group++) {
    if (gaps[group] !== spaceGap || (group > last && lengthOf(groups, group) > maxLength)) return false;
  }
  // 01 42 68 53 00 2 rue, 0 892 70 12 34 0,35 €, 612 345 678 9:00: another thing's count, price or time.
  return !/^(?:[.,:]\d| ?[\p{L}€$£%])/u.test(text.slice(ends[count - 1], ends[count - 1]! + 2));
}

/** 97[89]-… with thirteen digits: ISBN. */
function isBook(groups: DigitGroups, from: number, last: number): boolean {
  if (lengthOf(groups, from) !== 3) return false;
  const first = smallValueOf(groups, from);
  if (first !== 978 && first !== 979) return false;
  return digitsIn(groups, from, last) === 13;
}

/** 192.168.100.200, also with its network's size or a range's end: 192.168.1.0/24, 192.168.1.10-254 */
function isIpAddress(groups: DigitGroups, from: number, last: number): boolean {
  const end = from + 3;
  if (last !== end && (last !== end + 1 || !(groups.gaps[last]! & (slashGap | dashGap)))) return false;
  for (let group = from; group <= end; group++) {
    if (group > from && groups.gaps[group] !== dotGap) return false;
    const value = smallValueOf(groups, group);
    if (value < 0 || value > 255 || isPadded(groups, group)) return false;
  }
  return true;
}

/** 1998-2004, 2019/2020 */
function isYears(groups: DigitGroups, from: number, last: number): boolean {
  if (last !== from + 1 || lengthOf(groups, from) !== 4 || lengthOf(groups, last) !== 4) return false;
  const [first, second] = [smallValueOf(groups, from), smallValueOf(groups, last)];
  return first >= 1800 && first < 2100 && second >= 1800 && second < 2100;
}

/** Two groups with a slash, of which one is a year: 2024/1234567, a serial; 0391/2023, a file or a licence. */
function isOfYear(groups: DigitGroups, from: number, last: number, group: number): boolean {
  return last === from + 1 && groups.gaps[last] === slashGap && isYearOfFile(groups, group);
}

/** 2022-415958, 2025-0048217 */
function isSerialOfYear(groups: DigitGroups, from: number, last: number): boolean {
  if (last !== from + 1 || groups.gaps[last] !== dashGap || lengthOf(groups, last) < 6) return false;
  return isYearOfFile(groups, from);
}

/** CVE-2022-1012, INC-2024-10123: behind a code in capitals and a dash, the serial of a year. */
export const isSerialBehindCode = (groups: DigitGroups, from: number): boolean =>
  groups.count > from + 1 &&
  groups.gaps[from + 1] === dashGap &&
  isYearOfFile(groups, from) &&
  /\p{Lu}/u.test(groups.text[groups.starts[from]! - 2] ?? '');

/** A year of the last decades, as files and serials have it. */
export function isYearOfFile(groups: DigitGroups, group: number): boolean {
  const year = smallValueOf(groups, group);
  return year >= 1990 && year < 2050;
}

/** 200.38294427, and coordinates: 37.7749 -122.4194 */
function isDecimals(groups: DigitGroups, from: number, last: number): boolean {
  if (groups.gaps[from + 1] !== dotGap || lengthOf(groups, from) > 3 || isPadded(groups, from)) return false;
  // 328.1640397 is a mobile number of Italy: no coordinate is so large.
  if (last === from + 1) return lengthOf(groups, last) !== 7 || smallValueOf(groups, from) < 300;
  if (areDecimalsInRow(groups, from, last)) return true;
  return (
    last === from + 3 &&
    groups.gaps[last] === dotGap &&
    lengthOf(groups, from + 1) > 3 &&
    lengthOf(groups, last) > 3
  );
}

/** 38.646 32.552, 143.2 10.9 141.9: dots and spaces by turns, and at most three digits before each dot. */
function areDecimalsInRow(groups: DigitGroups, from: number, last: number): boolean {
  if (last - from < 3 || (last - from) % 2 === 0) return false;
  // 91.234 56.78 is a number of Spain. Decimals of one row have fractions of equal length.
  if (last === from + 3 && lengthOf(groups, from + 1) !== lengthOf(groups, last)) return false;
  for (let whole = from; whole < last; whole += 2) {
    if (groups.gaps[whole + 1] !== dotGap || lengthOf(groups, whole) > 3 || isPadded(groups, whole))
      return false;
    if (whole > from && (groups.gaps[whole]! & separatorGaps) !== spaceGap) return false;
  }
  return true;
}

/** 1731844800.10423, a call's id; 5543647.29, a coordinate. */
function isFraction(groups: DigitGroups, from: number, last: number): boolean {
  if (last !== from + 1 || groups.gaps[last] !== dotGap) return false;
  const whole = lengthOf(groups, from);
  return whole > 8 || (whole > 4 && lengthOf(groups, last) === 2);
}

/** Ten digits that are a Unix time, in seconds, of the years 2017 to 2033. */
function isUnixTime(groups: DigitGroups, group: number): boolean {
  if (lengthOf(groups, group) !== 10 || startsWithZero(groups, group)) return false;
  const head = Number(groups.text.slice(groups.starts[group]!, groups.starts[group]! + 2));
  return head >= 15 && head <= 19;
}

/** 2147483647 and 2147483648: the limits of numbers with 32 bits, which programs write. */
const isLimit = ({ text, starts, ends }: DigitGroups, group: number): boolean =>
  ends[group]! - starts[group]! === 10 && /^214748364[78]/.test(text.slice(starts[group], ends[group]));

/** Digits one by one: 1 2 3 4 5 6 7 8. */
function isOneByOne(groups: DigitGroups, from: number, last: number): boolean {
  let single = 0;
  for (let group = from; group <= last; group++) if (lengthOf(groups, group) === 1) single++;
  return single > 5;
}

/** JD0002 2222 3333: a group of four digits behind a group that letters touch. */
export const isAccountGroup = (groups: DigitGroups, group: number): boolean =>
  groups.gaps[group] === spaceGap && lengthOf(groups, group) === 4 && lengthOf(groups, group - 1) === 4;

/** 00190.00009 01234.567890 12345.678901 2 98760000012345: the line by which a Brazilian slip is paid. */
export const isPaymentSlip = ({ text, starts, gaps }: DigitGroups): boolean =>
  gaps[1] === dotGap && /^\d{5}\.\d{5} \d{5}\.\d{6} /.test(text.slice(starts[0], starts[0]! + 25));

/** BE71 0961 2345 6769, NL91 ABNA 0417 1643 00: an IBAN in groups of four, some of which would be numbers. */
export function isBankAccount({ scanned, starts, ends, gaps, count }: DigitGroups): boolean {
  const start = starts[0]!;
  const length = ends[0]! - start;
  if (length === 2 && gaps[1] === spaceGap && count > 2)
    return ends[1]! - starts[1]! === 4 && ends[2]! - starts[2]! === 4 && isIbanHead(scanned, start - 2);
  return length === 4 && scanned.kindAt(start - 2) === letterKind && isIbanHead(scanned, start - 10);
}

/**
 * RB 612 345 678 PT, RR 93510672 5 IT: a parcel's code (UPU S10), nine digits between two capitals and the capitals of
 * a country.
 */
export function isParcelCode(groups: DigitGroups): boolean {
  const { text, starts, ends, count } = groups;
  const start = starts[0]!;
  const end = ends[count - 1]!;
  return (
    digitsIn(groups, 0, count - 1) === 9 &&
    /^[\d ]+$/.test(text.slice(start, end)) &&
    /(?<![\p{L}\d])[A-Z]{2} $/u.test(text.slice(Math.max(0, start - 4), start)) &&
    // ES 612 345 678 PT 912 345 678: numbers, each behind its country.
    /^ [A-Z]{2}(?![\p{L}\d]| ?[\d+(])/u.test(text.slice(end, end + 5))
  );
}

/** (00) 3 4006381 000018273 6: the code of a pallet (SSCC), behind its key in brackets. */
export function isPalletCode(groups: DigitGroups): boolean {
  const { text, starts, ends, gaps, count } = groups;
  // UCC-128 (00) 0 …: the code's name may end with digits.
  const key = count > 1 && gaps[1]! & openGap ? 1 : 0;
  if (count < key + 2 || text[starts[key]! - 1] !== '(' || !(gaps[key + 1]! & closeGap)) return false;
  return text.slice(starts[key], ends[key]) === '00' && digitsIn(groups, key + 1, count - 1) === 18;
}

/** The capitals of a country and two digits at `at`, alone or before the four capitals of a bank. */
function isIbanHead(scanned: ScannedText, at: number): boolean {
  return (
    at >= 0 &&
    scanned.kindAt(at - 1) !== letterKind &&
    /^[A-Z]{2}\d\d(?: [A-Z]{4})? \d/.test(scanned.text.slice(at, at + 11))
  );
}
