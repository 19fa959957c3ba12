/** Finds the calls of a number that is to be forgotten: as caller, callee or on any leg. */
import type { Call } from '../../shared/call/call.ts';

/** Shorter ones are extensions or short codes, and match only whole. */
const minNationalDigits = 7;

/**
 * @param digits of the number, with country code or without. A dial prefix or a missing country code on one of the two
 *   does not keep them apart, so `+55 48 99999-8888` finds a call to `048999998888`'s `48999998888`.
 */
export function belongsToNumber(call: Call, digits: string): boolean {
  const numbers = [
    call.from,
    call.to,
    ...(call.legs ?? []).flatMap((leg) => [leg.exten, leg.callerNumber, leg.connectedNumber]),
  ];
  return numbers.some((number) => number !== undefined && sameNumber(number.replace(/\D/g, ''), digits));
}

function sameNumber(a: string, b: string): boolean {
  if (a === b) return a !== '';
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  if (Math.min(x.length, y.length) < minNationalDigits) return false;
  return x.endsWith(y) || y.endsWith(x);
}
