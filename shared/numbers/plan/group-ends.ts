/**
 * How the digits of a number are grouped, as bits: one for each group, at the digit where it ends. `415-555-0132` has
 * bits 3, 6 and 10, so the highest bit is the number of digits. Every comparison of groups uses this form.
 */
export type GroupEnds = number;

/** The most digits of a number in groups. More digits are never one number. */
export const maxGroupedDigits = 20;

/** @param lengths of the groups: 3, 3 and 4. */
export function groupEndsOf(lengths: readonly number[]): GroupEnds {
  let [ends, at] = [0, 0];
  for (const length of lengths) {
    at += length;
    ends |= 1 << at;
  }
  return ends;
}

/** @param written lengths with any signs between: `3-3-4`. */
export const groupEndsNamed = (written: string): GroupEnds =>
  groupEndsOf((written.match(/\d+/g) ?? []).map(Number));

export const digitCountOf = (ends: GroupEnds): number => 31 - Math.clz32(ends);

export function groupCountOf(ends: GroupEnds): number {
  let count = 0;
  for (let rest = ends; rest !== 0; rest &= rest - 1) count++;
  return count;
}

export const lastGroupOf = (ends: GroupEnds): number =>
  digitCountOf(ends) - Math.max(0, digitCountOf(endsInside(ends)));

export const firstGroupOf = (ends: GroupEnds): number => digitCountOf(ends & -ends);

/** The ends of all groups except the last: 0 for digits in one group. */
export const endsInside = (ends: GroupEnds): number => ends & ((1 << digitCountOf(ends)) - 1);
