/** Groups before a whole phone number that are another thing: a document, a day, the number of a house. */
import {
  closeGap,
  type DigitGroups,
  dashGap,
  digitsIn,
  dotGap,
  lengthOf,
  minWholeDigits,
  openGap,
  slashGap,
  smallValueOf,
  spaceGap,
  startsWithZero,
} from './digit-groups.ts';
import { isExtensionBeforeNumber } from './extension-mark.ts';
import { separatorGaps, shapeNamed, shapeOf, shapes } from './group-shape.ts';
import { isPadded, isYearOfFile } from './non-phone-shapes.ts';
import { isBehindPlace } from './place-and-unit.ts';

/** Numbers with their area that a house number or the like may precede: their separators show where they begin. */
const brazilianShapes = shapes('2 4-4|2 5-4');
const wholeShapes = new Set([...brazilianShapes, ...shapes('3-3-4|3.3.4|1-3-3-4|1.3.3.4')]);
/** These stay whole behind hours or a day, since their spaces alone show nothing. */
const wholeInSpaces = shapes('3 3 3|2 4 4|3 3 4|2 3 2 2|2 3 4|3 2 2 2');
const pairsShape = shapeNamed('2 2 2 2 2');

const cnpjShape = shapeNamed('2.3.3/4-2');
const cpfShape = shapeNamed('3.3.3-2');

/** CNPJ 12.345.678/0001-90 11 3333-4444: how many groups are a Brazilian document before a number. */
function documentSize(groups: DigitGroups, from: number, to: number): number {
  if (groups.gaps[from + 1] !== dotGap) return 0;
  const size = lengthOf(groups, from) === 2 ? 5 : 4;
  if (from + size > to || !(groups.gaps[from + size]! & spaceGap)) return 0;
  const shape = shapeOf(groups, from, from + size - 1);
  return shape === cnpjShape || shape === cpfShape ? size : 0;
}

const callingCodePattern =
  /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-69]\d|3[578]\d|42\d|50\d|59\d|6[789]\d|8[0578]\d|9[679]\d)$/;

/**
 * How many groups before a whole phone number are another thing: a document; a day, hours or a rating; the number of a
 * house, a room, a row or a list.
 */
export function leadingSize(groups: DigitGroups, from: number, to: number): number {
  const size = documentSize(groups, from, to) || hoursSize(groups, from, to);
  if (size > 0) return size;
  if (isCodePair(groups, from, to) || isGroupPair(groups, from, to)) return 2;
  return isCount(groups, from, to) ? 1 : 0;
}

/** Mon-Fri, lun-ven, pn-pt: */
const daysOfWeek = /\p{L}\.?[-–]\p{L}{1,4}\.?:?\s$/u;

/** pn-pt 8-16 22 123 45 67, 9.00-17.30 0161 496 0123: how many groups are opening hours before a number. */
function hoursSize(groups: DigitGroups, from: number, to: number): number {
  const { text, starts, gaps } = groups;
  const isHour = (group: number) => lengthOf(groups, group) < 3 && smallValueOf(groups, group) <= 24;
  const hasMinutes = gaps[from + 1] === dotGap;
  const size = hasMinutes ? 4 : 2;
  if (from + size > to || !(gaps[from + size]! & spaceGap)) return 0;
  if (digitsIn(groups, from + size, to) < minWholeDigits || !isHour(from) || !isHour(from + size / 2))
    return 0;
  if (hasMinutes) return gaps[from + 2]! & dashGap && gaps[from + 3] === dotGap ? size : 0;
  return gaps[from + 1] === dashGap &&
    daysOfWeek.test(text.slice(Math.max(0, starts[from]! - 12), starts[from]))
    ? size
    : 0;
}

/** 88015-200 48 3222-1111, a postal code of Brazil; 2026-00412 01 53 25 60 00, a serial of a year. */
function isCodePair(groups: DigitGroups, from: number, to: number): boolean {
  if (from + 3 > to || groups.gaps[from + 1] !== dashGap || !(groups.gaps[from + 2]! & spaceGap))
    return false;
  const [length, next] = [lengthOf(groups, from), lengthOf(groups, from + 1)];
  const isCode = (length === 5 && next === 3) || (isYearOfFile(groups, from) && next > 4);
  return isCode && isCompleteNumber(groups, from + 2, to);
}

/** 22/11 11 3333-4444, 9-18 912 345 678, 4.8 (12) (415) 555-0132, 7. Cad. 41/9 — 0555 207 46 81 */
function isGroupPair(groups: DigitGroups, from: number, to: number): boolean {
  const next = groups.gaps[from + 2]!;
  if (from + 3 > to || !(next & spaceGap)) return false;
  const gap = groups.gaps[from + 1];
  if (lengthOf(groups, from) > (gap === slashGap ? 3 : 2) || lengthOf(groups, from + 1) > 3) return false;
  const [one, other] = [smallValueOf(groups, from), smallValueOf(groups, from + 1)];
  const isDecimal = gap === dotGap && !isPadded(groups, from);
  const areHours = gap === dashGap && one > 0 && one < other && other <= 24;
  const isDay = gap === slashGap && one > 0 && one <= 31 && other > 0 && other <= 12;
  if (gap === slashGap && one > 0 && isWholeWithTrunk(groups, from + 2, to)) return true;
  // alle 18.00 02 1234567
  const isTime = gap === dotGap && one <= 24 && lengthOf(groups, from + 1) === 2 && other % 15 === 0;
  // 28/11 0341 482-0612
  const isWholeBehind = startsWithZero(groups, from + 2) && digitsIn(groups, from + 2, to) >= minWholeDigits;
  if ((isTime || isDay) && isWholeBehind) return true;
  if (!isDecimal && !areHours && !isDay) return false;
  if (next & openGap) return true;
  return (
    isCompleteNumber(groups, from + 2, to) || (!isDecimal && wholeInSpaces.has(shapeOf(groups, from + 2, to)))
  );
}

/**
 * Sala 12 (11) 3333-4444, Rua A 1500 11 3333-4444, 1. 11 3333-4444: where it is not as likely a calling code
 * without its plus.
 */
function isCount(groups: DigitGroups, from: number, to: number): boolean {
  const { text, starts, ends, gaps } = groups;
  const length = lengthOf(groups, from);
  const gap = gaps[from + 1]!;
  if (length > 5 || !(gap & spaceGap)) return false;
  const own = text.slice(starts[from], ends[from]);
  // Tel2 912 345 678, Tel.2 912 345 678
  if (
    length === 1 &&
    own !== '0' &&
    /\p{L}\.?$/u.test(text.slice(Math.max(0, starts[from]! - 2), starts[from]))
  )
    return true;
  if (gap & openGap) {
    // A trunk zero, an international prefix, and Mexico's old ones.
    if (/^0(?:$|0|1$|4[45]$)/.test(own) || (gap & closeGap && digitsIn(groups, from + 1, to) < 9))
      return false;
    // 1 (415) and 8 (495), but 1 (48) and 1 (030) in a list.
    if (length === 1 && '178'.includes(own))
      return lengthOf(groups, from + 1) < 3 || (own === '1' && startsWithZero(groups, from + 1));
    return !callingCodePattern.test(own) || isBehindPlace(groups.scanned, starts[from]!);
  }
  if (own.startsWith('0')) return false;
  if (isExtensionBeforeNumber(groups, from, to)) return true;
  // Ref 12345 / 214-555-0134
  if (gap & slashGap) return length > 3 && isCompleteNumber(groups, from + 1, to);
  // Argentina's mobiles: 9 11 2345-6789, 11 15 2345-6789.
  if (own === '9' || (own === '11' && smallValueOf(groups, from + 1) === 15)) return false;
  if (callingCodePattern.test(own) && !isBehindPlace(groups.scanned, starts[from]!)) return false;
  // Av. Colón 1840 – 0351 468-2274
  const isBehindDash = (gap & separatorGaps) === (dashGap | spaceGap);
  const hasTrunk = startsWithZero(groups, from + 1);
  if ((isBehindDash && hasTrunk) || isCompleteNumber(groups, from + 1, to)) return true;
  // Av. Maipú 12 0341 482-0612, Calle Mayor, 12 93 481 72 60, Rua A, 123 - 48991224466
  const isWhole =
    wholeInSpaces.has(shapeOf(groups, from + 1, to)) ||
    ((isBehindDash || hasTrunk) && digitsIn(groups, from + 1, to) >= minWholeDigits);
  return isWhole && isBehindPlace(groups.scanned, starts[from]!);
}

const isCompleteNumber = (groups: DigitGroups, from: number, to: number): boolean =>
  wholeShapes.has(shapeOf(groups, from, to)) || isWholeWithTrunk(groups, from, to);

/** 020 7946 0958, 01 42 68 53 00: nothing but a trunk zero begins such groups. */
function isWholeWithTrunk(groups: DigitGroups, from: number, to: number): boolean {
  // Numéro 75 0612457890 1: the group behind is a check digit.
  if (from === to || !startsWithZero(groups, from) || lengthOf(groups, to) === 1) return false;
  const shape = shapeOf(groups, from, to);
  if (shape === pairsShape) return true;
  let digits = 0;
  for (let group = from; group <= to; group++) {
    if (group > from && groups.gaps[group] !== spaceGap) return false;
    digits += lengthOf(groups, group);
  }
  return lengthOf(groups, from) > 2 && digits > 8 && digits < 12;
}
