/** The shape of digit groups: their lengths and the signs between them. */
import { groupEndsNamed, maxGroupedDigits } from '../plan/group-ends.ts';
import {
  closeGap,
  type DigitGroups,
  dashGap,
  dotGap,
  lengthOf,
  openGap,
  slashGap,
  spaceGap,
} from './digit-groups.ts';

export const separatorGaps = spaceGap | dashGap | dotGap | slashGap | openGap | closeGap;
/** The signs of a shape. The last sign means brackets, or several signs in one gap. */
const separatorSigns = ' -./~';
/** Indexed by the bits of a gap: the sign's place in `separatorSigns`. */
const separators: number[] = new Array<number>(separatorGaps + 1).fill(4);
separators[spaceGap] = 0;
separators[dashGap] = 1;
separators[dotGap] = 2;
separators[slashGap] = 3;
/** The most gaps of a shape, so that groups and signs fit in one small integer. */
const maxGaps = 4;
const allSigns = separatorSigns.length ** maxGaps;

/**
 * Groups with the signs between them as one number, which is faster than a string.
 * @returns 0 for too many groups or digits.
 */
export function shapeOf(groups: DigitGroups, from: number, last: number): number {
  if (last - from > maxGaps) return 0;
  let digits = lengthOf(groups, from);
  let ends = 1 << digits;
  let signs = 0;
  for (let group = from + 1; group <= last; group++) {
    digits += lengthOf(groups, group);
    ends |= 1 << digits;
    signs = signs * separatorSigns.length + separators[groups.gaps[group]! & separatorGaps]!;
  }
  return digits > maxGroupedDigits ? 0 : ends * allSigns + signs;
}

/** The shape of a written form: `3.3.3-2` is the shape of 123.456.789-09. */
export function shapeNamed(name: string): number {
  let signs = 0;
  for (const [sign] of name.matchAll(/\D/g))
    signs = signs * separatorSigns.length + separatorSigns.indexOf(sign);
  return groupEndsNamed(name) * allSigns + signs;
}

export const shapes = (names: string): Set<number> => new Set(names.split('|').map(shapeNamed));
