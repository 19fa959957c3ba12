/**
 * Emergency numbers are never dialled, premium and satellite ones never unasked: also behind what a dial rule puts in front, and,
 * where no plan knows the digits as they stand, behind the usual prefixes for an outside line, which nobody has to name.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Dialled,
  emergencies,
  outsidePrefix,
  premiumAbroad,
  premiumAtHome,
  satellites,
} from '../../../testing/numbers/never-dialled.ts';
import { decideDial, defaultGuardPolicy, numbersOfDigits } from './allow-or-refuse.ts';

function never(digits: fc.Arbitrary<Dialled>, reasons: readonly string[]) {
  const named = fc.record({ prefix: outsidePrefix, isNamed: fc.constant(true) });
  const usual = fc.record({ prefix: fc.constantFrom('', '0', '9'), isNamed: fc.constant(false) });
  fc.assert(
    fc.property(digits, fc.oneof(named, usual), ({ home, to }, { prefix, isNamed }) => {
      const dialled = prefix + to;
      const [number] = numbersOfDigits(dialled, { country: home, extensions: [], dialRules: [] });
      // With the prefix, or with a carrier in front, it is another number, which a plan knows: `018 90078-2576` is a mobile of area 18.
      const isOrdinary = /^(mobile|fixed)/i.test(number.type);
      fc.pre(prefix === '' ? !isOrdinary : number.type === 'unknown' || number.type === 'short');
      const { verdict, reason } = decideDial(number, { to: dialled }, defaultGuardPolicy, {
        country: home,
        now: new Date(),
        recentCalls: [],
        outsidePrefixes: isNamed ? [prefix] : [],
      });
      expect(reasons, `${dialled} in ${home}: ${verdict}, ${reason}`).toContain(reason);
      expect(verdict).toBe(reason === 'emergency' ? 'refuse' : 'confirm');
    }),
    { numRuns: 1500 },
  );
}

it('refuses emergency numbers', () => never(emergencies, ['emergency']));

it('asks about satellite and international premium numbers', () =>
  never(satellites, ['satellite', 'premium', 'emergency']));

it('asks about premium numbers at home', () => never(premiumAtHome, ['premium', 'satellite', 'emergency']));

it('asks about premium numbers abroad', () => never(premiumAbroad, ['premium', 'satellite', 'emergency']));
