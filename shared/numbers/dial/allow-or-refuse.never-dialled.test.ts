/**
 * Emergency numbers are never dialled, premium and satellite ones never unasked: also behind what a dial rule puts in front, and,
 * where no plan knows the digits as they stand, behind the usual prefixes for an outside line, which do not have to be named.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { neverDialled, outsidePrefix, runs } from '../../../testing/numbers/never-dialled.ts';
import { decideDial, defaultGuardPolicy, numbersOfDigits } from './allow-or-refuse.ts';

const named = fc.record({ prefix: outsidePrefix, isNamed: fc.constant(true) });
const usual = fc.record({ prefix: fc.constantFrom('', '0', '9'), isNamed: fc.constant(false) });

it.each(neverDialled)('never dials %s unasked', (_, digits, reasons) => {
  const cases = fc.tuple(digits, fc.oneof(named, usual));
  const isRefusedOrAsked = fc.property(cases, ([{ home, to }, { prefix, isNamed }]) => {
    const dialled = prefix + to;
    const [number] = numbersOfDigits(dialled, { country: home, extensions: [], dialRules: [] });
    // With the prefix, or with a carrier in front, it is another number, which a plan knows: `018 90078-2576` is a mobile of area 18.
    // 00 888 81610000000 is a number of no country, and behind the carrier 88 a satellite's: the relay judges by both.
    const isOrdinary = /^(mobile|fixed|universal)/i.test(number.type);
    fc.pre(prefix === '' ? !isOrdinary : number.type === 'unknown' || number.type === 'short');
    const { verdict, reason } = decideDial(number, { to: dialled }, defaultGuardPolicy, {
      country: home,
      now: new Date(),
      recentCalls: [],
      outsidePrefixes: isNamed ? [prefix] : [],
    });
    expect(reasons, `${dialled} in ${home}: ${verdict}, ${reason}`).toContain(reason);
    expect(verdict).toBe(reason === 'emergency' ? 'refuse' : 'confirm');
  });
  fc.assert(isRefusedOrAsked, runs);
});
