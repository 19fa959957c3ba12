/**
 * What a telephone line of a country makes of digits: with a trunk prefix, an international prefix, and the code that
 * selects a carrier for one call, the same digits may reach different numbers. The relay, which gets only digits,
 * guards by all of them.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import { codesBeforeACall, codesInPrefixes } from '../plan/call-codes.ts';
import { isEmergency } from '../plan/emergency.ts';
import { type NumberingPlan, numberingPlan } from '../plan/numbering-plan.ts';
import { type Reading, read, readExactly } from '../reading/reading.ts';

/** More than the longest prefix with its carrier code: 0014 and 0011 in Australia. */
const maxPrefixLength = 9;

interface Remainders {
  national: string[];
  international: string[];
}

/** The digits behind each prefix and code that they may begin with. */
function remaindersOf(digits: string, plan: NumberingPlan): Remainders {
  const carriers = codesInPrefixes[plan.country];
  const found: Remainders = { national: [], international: [] };
  for (let length = 1; length <= maxPrefixLength && length < digits.length; length++) {
    const prefix = digits.slice(0, length);
    const rest = digits.slice(length);
    if (
      prefix === plan.nationalPrefix ||
      takesWholePrefix(plan.trunk, prefix) ||
      carriers?.trunk.test(prefix)
    )
      found.national.push(rest);
    if (
      prefix === plan.internationalPrefix ||
      takesWholePrefix(plan.international, prefix) ||
      carriers?.international.test(prefix)
    )
      found.international.push(rest);
  }
  const [code] = codesBeforeACall[plan.country]?.exec(digits) ?? [];
  if (code !== undefined && digits.length > code.length) {
    const rest = digits.slice(code.length);
    const behind = remaindersOf(rest, plan);
    found.national.push(rest, ...behind.national);
    found.international.push(...behind.international);
  }
  return found;
}

/**
 * Whether a prefix's pattern can take all of it. Metadata's patterns also hold whole local numbers, marked by
 * `$`: no prefix.
 */
function takesWholePrefix(pattern: RegExp | undefined, prefix: string): boolean {
  if (pattern === undefined) return false;
  return new RegExp(`${pattern.source.replace(/\([^()]*\)\$\|?/g, '')}$`).test(prefix);
}

/**
 * Every number that the digits may reach, each once: first those that a plan has, then those whose code gives their
 * type, then those that are only of a possible length; among equals first the one that is read on a page. (8 10 84 1900
 * 00000 is Vietnamese when dialled in Russia, though Russia's plan has such digits, too.)
 */
export function reachableNumbers(digits: string, country: CountryCode): Reading[] {
  const plan = numberingPlan(country);
  const { national, international } = remaindersOf(digits, plan);
  const found = new Map<string, Reading>();
  for (const reading of [
    read(digits, country),
    ...[digits, ...national].map((each) => readExactly(plan.callingCode + each)),
    ...international.flatMap((each) => [readExactly(each), read(each)]),
  ])
    if (reading?.possible || reading?.valid) found.set(reading.callingCode + reading.national, reading);
  const rank = ({ valid, type }: Reading) => (valid ? 0 : type !== 'unknown' ? 1 : 2);
  return [...found.values()].sort((one, other) => rank(one) - rank(other));
}

/** The digits behind each of these prefixes for an outside line that they begin with. */
export const withoutOutsidePrefixes = (digits: string, prefixes: readonly string[]): string[] =>
  prefixes
    .filter((prefix) => digits.startsWith(prefix) && digits.length > prefix.length)
    .map((prefix) => digits.slice(prefix.length));

/** Whether the digits are an emergency number, alone or behind the zeros that a PBX needs for an outside line. */
export function isEmergencyBehindZeros(digits: string, country: CountryCode): boolean {
  for (let start = 0; start < digits.length; start++) {
    if (isEmergency(digits.slice(start), country)) return true;
    if (digits[start] !== '0') return false;
  }
  return false;
}

/**
 * Whether a line may reach an emergency number by the digits: behind a trunk prefix too, a carrier code, the
 * own country code.
 */
export function reachesEmergency(digits: string, country: CountryCode): boolean {
  if (isEmergencyBehindZeros(digits, country)) return true;
  const plan = numberingPlan(country);
  const { national, international } = remaindersOf(digits, plan);
  const home = international.filter((each) => each.startsWith(plan.callingCode));
  return [...national, ...international, ...home.map((each) => each.slice(plan.callingCode.length))].some(
    (each) => isEmergency(each, country),
  );
}
