/** Shapes of digit groups that are other things than phone numbers: cards, documents, addresses, prices, years. */
import {
  type Chain,
  HAS_CLOSE,
  HAS_DASH,
  HAS_DOT,
  HAS_OPEN,
  HAS_SLASH,
  HAS_SPACE,
  lengthOf,
  smallValueOf,
  startsWithZero,
} from './digit-groups.ts';

const JOINTS = HAS_SPACE | HAS_DASH | HAS_DOT | HAS_SLASH | HAS_OPEN | HAS_CLOSE;
const JOINT_SIGNS = ' -./~';
/** Indexed by the bits of a gap: the sign's place in `JOINT_SIGNS`, or that of any joint of several signs. */
const joints: number[] = new Array<number>(JOINTS + 1).fill(4);
joints[HAS_SPACE] = 0;
joints[HAS_DASH] = 1;
joints[HAS_DOT] = 2;
joints[HAS_SLASH] = 3;
/** No shape of interest has more groups, and so many fit in one exact number. */
const MOST_GROUPS = 7;
const BASE = 80;

/** Group lengths and what joins them as one number: no string is made for every number of a page. -1: too many groups. */
function shapeOf(chain: Chain, from: number, last: number): number {
  if (last - from >= MOST_GROUPS) return -1;
  let shape = Math.min(15, lengthOf(chain, from));
  for (let group = from + 1; group <= last; group++) {
    shape = shape * BASE + joints[chain.gaps[group]! & JOINTS]! * 16 + Math.min(15, lengthOf(chain, group));
  }
  return shape;
}

/** The same number out of its written form: `3.3.3-2` is the shape of 123.456.789-09, `~` any joint of several signs. */
function shapeNamed(name: string): number {
  let shape = 0;
  for (const [, sign, length] of name.matchAll(/([^\d]?)(\d+)/g)) {
    shape = shape * BASE + (sign ? JOINT_SIGNS.indexOf(sign) * 16 : 0) + Number(length);
  }
  return shape;
}

const shapes = (names: string): Set<number> => new Set(names.split('|').map(shapeNamed));

/** CPF, CNPJ, RG and RUT, cards, SSN and CUIT: not phone numbers whatever stands before them. */
const NEVER = shapes(
  '3.3.3-2|2.3.3/4-2|2.3.3-1|1.3.3-1|4 4 4 4|4-4-4-4|4 4 4 3|4-4-4-3|4 6 5|4-6-5|4 4 2 10|3-2-4|2-8-1|3.5.5.2|7-2.4',
);
/** CEP and ZIP+4, thousands with a dot or space: phone numbers only after a phone word. */
const ONLY_AFTER_PHONE_WORD = shapes(
  '5-3|2.3-3|5-4|1.3.3|2.3.3|1 3 3|2 3 3|1.3.3.3|1 3 3 3|3.3.4.2|2-7|4-2-4',
);

/** @param isSaidPhone a phone word stands before it. @param listed with another number between. */
export function looksLikeOtherThing(
  chain: Chain,
  from: number,
  last: number,
  isSaidPhone: boolean,
  listed: boolean,
): boolean {
  if (last === from) return !isSaidPhone && isUnixTime(chain, from);
  const shape = shapeOf(chain, from, last);
  if (
    NEVER.has(shape) ||
    isBook(chain, from, last) ||
    isAddress(chain, from, last) ||
    isYears(chain, from, last) ||
    isSerialOfYear(chain, from, last)
  )
    return true;
  if (
    !isSaidPhone &&
    ((ONLY_AFTER_PHONE_WORD.has(shape) && (listed || !startsWithZero(chain, from))) ||
      isDecimals(chain, from, last))
  )
    return true;
  return isOneByOne(chain, from, last);
}

/** 97[89]-… with thirteen digits: ISBN. */
function isBook(chain: Chain, from: number, last: number): boolean {
  if (lengthOf(chain, from) !== 3) return false;
  const first = smallValueOf(chain, from);
  if (first !== 978 && first !== 979) return false;
  let digits = 0;
  for (let group = from; group <= last; group++) digits += lengthOf(chain, group);
  return digits === 13;
}

/** 06, 052: neither a decimal nor a part of an address begins so. */
const isPadded = (chain: Chain, group: number): boolean =>
  lengthOf(chain, group) > 1 && startsWithZero(chain, group);

/** 192.168.100.200 */
function isAddress(chain: Chain, from: number, last: number): boolean {
  if (last !== from + 3) return false;
  for (let group = from; group <= last; group++) {
    if (group > from && chain.gaps[group] !== HAS_DOT) return false;
    const value = smallValueOf(chain, group);
    if (value < 0 || value > 255 || isPadded(chain, group)) return false;
  }
  return true;
}

/** 1998-2004, 2019/2020 */
function isYears(chain: Chain, from: number, last: number): boolean {
  if (last !== from + 1 || lengthOf(chain, from) !== 4 || lengthOf(chain, last) !== 4) return false;
  const [first, second] = [smallValueOf(chain, from), smallValueOf(chain, last)];
  return first >= 1800 && first < 2100 && second >= 1800 && second < 2100;
}

/** 2024/1234567 */
function isSerialOfYear(chain: Chain, from: number, last: number): boolean {
  if (last !== from + 1 || chain.gaps[last] !== HAS_SLASH || lengthOf(chain, from) !== 4) return false;
  const year = smallValueOf(chain, from);
  return year >= 1990 && year < 2050;
}

/** 200.38294427, and coordinates: 37.7749 -122.4194 */
function isDecimals(chain: Chain, from: number, last: number): boolean {
  if (chain.gaps[from + 1] !== HAS_DOT || lengthOf(chain, from) > 3 || isPadded(chain, from)) return false;
  if (last === from + 1) return true;
  return (
    last === from + 3 &&
    chain.gaps[last] === HAS_DOT &&
    lengthOf(chain, from + 1) > 3 &&
    lengthOf(chain, last) > 3
  );
}

/** Ten digits that are a second of the years 2017 to 2033. */
function isUnixTime(chain: Chain, group: number): boolean {
  if (lengthOf(chain, group) !== 10 || startsWithZero(chain, group)) return false;
  const head = Number(chain.text.slice(chain.starts[group]!, chain.starts[group]! + 2));
  return head >= 15 && head <= 19;
}

/** Digits one by one: 1 2 3 4 5 6 7 8. */
function isOneByOne(chain: Chain, from: number, last: number): boolean {
  let single = 0;
  for (let group = from; group <= last; group++) if (lengthOf(chain, group) === 1) single++;
  return single > 5;
}
