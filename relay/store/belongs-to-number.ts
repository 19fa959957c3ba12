/** Finds the calls of a number that is to be forgotten: as caller, callee or on any leg. */
import type { Call } from '../../shared/call/call.ts';
import { isSameNumber } from '../../shared/server/forget-number.ts';

/**
 * @param forms of the number's digits. If one number has a dial prefix, or lacks its country code, they still match. So
 * `5548999998888` finds a call to `048999998888`.
 * @param key of the callee (`callee.ts`): what was dialled may have a carrier's code in front. May be ''.
 * @returns the digits of each number of the call that matches.
 */
export function numbersMatching(call: Call, key: string, forms: readonly string[]): string[] {
  const callee = isOneOf(digitsOf(key), forms) ? key : call.to;
  const numbers = [
    call.from,
    callee,
    ...(call.legs ?? []).flatMap((leg) => [leg.exten, leg.callerNumber, leg.connectedNumber]),
  ].flatMap((number) => (number === undefined ? [] : [digitsOf(number)]));
  return [...new Set(numbers.filter((number) => isOneOf(number, forms)))];
}

const digitsOf = (number: string): string => number.replace(/\D/g, '');

/** @param bucket of a tally, such as `minute/to/+554833224455/29500000`, or the key of a callee. */
export function isBucketOfNumber(bucket: string, forms: readonly string[]): boolean {
  return bucket.split('/').some((part) => isOneOf(part.replace(/^[+=]/, ''), forms));
}

const isOneOf = (number: string, forms: readonly string[]): boolean =>
  forms.some((form) => isSameNumber(number, form));
