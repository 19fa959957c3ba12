/**
 * The numbers that a country's telephone line may reach with digits. A trunk prefix, an international prefix, or the
 * code that selects a carrier for one call may lead to different numbers. The relay gets only digits, so it checks all
 * of these numbers.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import { codesBeforeACall, codesInPrefixes } from '../plan/call-codes.ts';
import { isEmergency } from '../plan/emergency.ts';
import { type NumberingPlan, numberingPlan } from '../plan/numbering-plan.ts';
import { type Reading, read, readExactly } from '../reading/reading.ts';

/** The most digits of a prefix with its carrier code. A known prefix has eight digits: 14110011 in Australia. */
const maxPrefixLength = 9;

interface Remainders {
  national: string[];
  international: string[];
}

/** The rest of the digits behind each prefix and code with which they may begin. */
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
 * Whether a prefix's pattern can match the whole prefix. Patterns of the metadata also have whole local numbers, marked
 * by `$`, which are not prefixes.
 */
function takesWholePrefix(pattern: RegExp | undefined, prefix: string): boolean {
  if (pattern === undefined) return false;
  return new RegExp(`${pattern.source.replace(/\([^()]*\)\$\|?/g, '')}$`).test(prefix);
}

/**
 * Every number that the digits may reach, each once. First are numbers that a plan has, then numbers whose code gives
 * their type, then numbers that only have a possible length. Among equals, the number that is read on a page is first.
 * (8 10 84 1900 00000 dialled in Russia is Vietnamese, though Russia's plan has these digits, too.)
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

/** The digits without a prefix for an outside line, once for each of these prefixes with which they begin. */
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
 * Whether the digits may reach an emergency number on a line, also behind a trunk prefix, a carrier code or the own
 * country code.
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
