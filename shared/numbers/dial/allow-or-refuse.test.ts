import type { CountryCode } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import type { GuardPolicy, NumberSettings } from '../number-settings.ts';
import { parseDialInput } from '../reading/dial-input.ts';
import { type DialContext, decideDial, defaultGuardPolicy, numbersOfDigits } from './allow-or-refuse.ts';
import { dialDigits } from './dial-plan.ts';

const settings: NumberSettings = { country: 'BR', extensions: ['_1XXX'], dialRules: [] };
const noon = new Date(2026, 0, 7, 12, 0);
const context: DialContext = { country: 'BR', now: noon, recentCalls: [] };

function decide(
  written: string,
  policy: Partial<GuardPolicy> = {},
  recentCalls: readonly string[] = [],
  now = noon,
) {
  const judged = parseDialInput(written, settings);
  if (!('number' in judged)) return judged;
  const digits = dialDigits(judged.number, settings);
  return decideDial(
    judged.number,
    digits,
    { ...defaultGuardPolicy, ...policy },
    { country: 'BR', now, recentCalls },
  );
}

describe('by default', () => {
  test.each([
    ['(48) 99999-8888', 'allow', 'ok'],
    ['0800 591 2117', 'allow', 'ok'],
    ['1105', 'allow', 'ok'],
    ['+1 415 555 0132', 'confirm', 'abroad'],
    ['+44 20 7946 0958', 'confirm', 'abroad'],
    ['0900 123 4567', 'confirm', 'premium'],
    ['+881 6 123 45678', 'confirm', 'satellite'],
    ['+870 773 111 632', 'confirm', 'satellite'],
    ['+882 16 12345678', 'confirm', 'satellite'],
    ['4004-3535', 'allow', 'ok'],
  ])('%s: %s, %s', (written, verdict, reason) => expect(decide(written)).toMatchObject({ verdict, reason }));

  test.each(['190', '192', '193', '112', '911'])(
    '%s is an emergency number, not a number to click',
    (digits) => {
      expect(parseDialInput(digits, settings)).toEqual({ why: 'emergency' });
      const number = numbersOfDigits(digits, settings)[0];
      const decision = decideDial(number, { to: digits }, defaultGuardPolicy, context);
      expect(decision).toMatchObject({ verdict: 'refuse', reason: 'emergency' });
    },
  );

  test('a rule cannot turn a number into an emergency number', () => {
    const number = numbersOfDigits('1134567890', settings)[0];
    expect(decideDial(number, { to: '190', rule: 0 }, defaultGuardPolicy, context).verdict).toBe('refuse');
  });
});

test('named countries are allowed beside the own one, others refused by policy', () => {
  expect(decide('+54 11 4321-5678', { allowedCountries: ['AR'] })).toEqual({
    verdict: 'allow',
    reason: 'ok',
  });
  expect(decide('+56 9 8765 4321', { otherCountries: 'refuse' })).toEqual({
    verdict: 'refuse',
    reason: 'abroad',
    detail: 'CL',
  });
});

test('a premium number abroad is refused where the policy refuses either, else confirmed', () => {
  expect(decide('+44 909 879 0000', { premium: 'refuse' })).toMatchObject({
    verdict: 'refuse',
    reason: 'premium',
  });
  expect(decide('+44 909 879 0000', { otherCountries: 'refuse' })).toMatchObject({
    verdict: 'refuse',
    reason: 'abroad',
  });
  expect(decide('+44 909 879 0000')).toMatchObject({ verdict: 'confirm', reason: 'premium' });
});

test('blocked prefixes: digits of `to`, or + with country code', () => {
  expect(decide('(11) 3456-7890', { blockedPrefixes: ['1134'] })).toMatchObject({
    reason: 'blockedPrefix',
    detail: '1134',
  });
  expect(decide('+881 6 123 45678', { blockedPrefixes: ['+881'] })).toMatchObject({
    verdict: 'refuse',
    detail: '+881',
  });
  expect(decide('(11) 3456-7890', { blockedPrefixes: ['+881', '21'] })).toMatchObject({ verdict: 'allow' });
});

describe('office hours', () => {
  const weekdays = { days: [1, 2, 3, 4, 5], fromMinute: 8 * 60, toMinute: 18 * 60 };
  const night = { days: [5], fromMinute: 22 * 60, toMinute: 6 * 60 };
  const roundTheClock = { days: [1, 2, 3, 4, 5], fromMinute: 0, toMinute: 0 };
  test.each([
    ['Wednesday noon', new Date(2026, 0, 7, 12, 0), weekdays, 'ok'],
    ['the last minute', new Date(2026, 0, 7, 17, 59), weekdays, 'ok'],
    ['the end itself', new Date(2026, 0, 7, 18, 0), weekdays, 'officeHours'],
    ['Sunday', new Date(2026, 0, 4, 12, 0), weekdays, 'officeHours'],
    ['Friday night', new Date(2026, 0, 9, 23, 0), night, 'ok'],
    ['the morning after', new Date(2026, 0, 10, 5, 0), night, 'ok'],
    ['Friday morning', new Date(2026, 0, 9, 5, 0), night, 'officeHours'],
    ['a weekday from midnight to midnight', new Date(2026, 0, 9, 12, 0), roundTheClock, 'ok'],
    ['a Sunday outside of such days', new Date(2026, 0, 4, 12, 0), roundTheClock, 'officeHours'],
  ])('%s', (_when, now, officeHours, reason) => {
    expect(decide('(11) 3456-7890', { officeHours }, [], now)).toMatchObject({ reason });
  });
});

test('calls of the last minute are counted, older ones are not', () => {
  const ago = (seconds: number) => new Date(noon.getTime() - seconds * 1000).toISOString();
  expect(decide('(11) 3456-7890', { maxCallsPerMinute: 2 }, [ago(61), ago(10)])).toMatchObject({
    verdict: 'allow',
  });
  expect(decide('(11) 3456-7890', { maxCallsPerMinute: 2 }, [ago(59), ago(10)])).toEqual({
    verdict: 'refuse',
    reason: 'tooManyCalls',
    detail: '2',
  });
});

test('digits that no plan knows are abroad where they begin with the international prefix', () => {
  const number = numbersOfDigits('0099912345678', settings)[0];
  const policy = defaultGuardPolicy;
  expect(decideDial(number, { to: '0099912345678' }, policy, context)).toMatchObject({
    verdict: 'confirm',
    reason: 'abroad',
  });
  expect(
    decideDial(number, { to: '0099912345678' }, { ...policy, otherCountries: 'refuse' }, context).verdict,
  ).toBe('refuse');
});

test('an emergency number behind the zero of an outside line is refused too', () => {
  expect(decide('0190')).toMatchObject({ verdict: 'refuse', reason: 'emergency' });
});

test.each(['9190', '90190', '9015190'])(
  '%s reaches an emergency number where a rule puts 9 before the numbers outside',
  (to) => {
    const number = numbersOfDigits(to, settings)[0];
    const behind9 = { ...context, outsidePrefixes: ['9'] };
    expect(decideDial(number, { to }, defaultGuardPolicy, behind9)).toMatchObject({ reason: 'emergency' });
  },
);

describe('behind the 9 or 0 for an outside line that no rule names', () => {
  const inCountry = (country: CountryCode, written: string) => {
    const home = { country, extensions: ['_8XXX'], dialRules: [] };
    const judged = parseDialInput(written, home);
    if (!('number' in judged)) return judged;
    const digits = dialDigits(judged.number, home);
    return decideDial(judged.number, digits, defaultGuardPolicy, { ...context, country });
  };
  test.each([
    ['US', '9911', 'emergency'],
    ['US', 'tel:9-911', 'emergency'],
    ['GB', '9999', 'emergency'],
    ['DE', '0110', 'emergency'],
    ['BR', '9190', 'emergency'],
    ['US', '9 900 555 1234', 'premium'],
    ['GB', '9 0909 879 0000', 'premium'],
    ['FR', '0 0899 123 456', 'premium'],
  ] as const)('%s: %s is judged as %s', (country, written, reason) =>
    expect(inCountry(country, written)).toMatchObject({
      verdict: reason === 'emergency' ? 'refuse' : 'confirm',
      reason,
    }),
  );
  test.each([
    ['US', '9 1 415 555 0132'],
    ['US', '2911'],
    ['BR', '9321'],
    ['BR', '8190'],
    ['BR', '(91) 98888-7777'],
  ] as const)('%s: %s is not refused', (country, written) =>
    expect(inCountry(country, written)).toMatchObject({ verdict: expect.stringMatching(/allow|confirm/) }),
  );
  test.each([
    ['US', '9 1 415 555 0132'],
    ['US', '2912'],
    ['BR', '9321'],
    ['BR', '(91) 98888-7777'],
  ] as const)('%s: %s is judged as it stands', (country, written) =>
    expect(inCountry(country, written)).toMatchObject({ reason: expect.not.stringMatching(/emergency/i) }),
  );
  test.each([
    ['US', '7911', '911'],
    ['BR', '7190', '190'],
  ] as const)(
    '%s: %s is asked about, for another first digit may lead outside, too',
    (country, written, detail) =>
      expect(inCountry(country, written)).toEqual({ verdict: 'confirm', reason: 'mayBeEmergency', detail }),
  );
  test('an extension by its pattern is not asked about', () =>
    expect(inCountry('US', '8911')).toMatchObject({ verdict: 'allow' }));
});

test('a rule cannot hide that a number reaches an emergency number', () => {
  const number = { national: '015190', type: 'unknown', display: '015190' } as const;
  const decision = decideDial(number, { to: '9015190', rule: 0 }, defaultGuardPolicy, context);
  expect(decision).toMatchObject({ verdict: 'refuse', reason: 'emergency' });
});

test('refuses a `to` that is not digits', () => {
  const number = numbersOfDigits('1134567890', settings)[0];
  expect(decideDial(number, { to: '' }, defaultGuardPolicy, context)).toMatchObject({
    reason: 'notANumber',
  });
  expect(decideDial(number, { to: '11#' }, defaultGuardPolicy, context)).toMatchObject({
    reason: 'notANumber',
  });
});

test('classifies abroad, premium, satellite from the digits alone', () => {
  const decideDigits = (to: string) =>
    decideDial(numbersOfDigits(to, settings)[0], { to }, defaultGuardPolicy, context);
  expect(decideDigits('0014155550132')).toMatchObject({ verdict: 'confirm', reason: 'abroad', detail: 'US' });
  expect(decideDigits('9001234567')).toMatchObject({ reason: 'premium' });
  expect(decideDigits('00881612345678')).toMatchObject({ reason: 'satellite' });
  expect(decideDigits('11934567890')).toEqual({ verdict: 'allow', reason: 'ok' });
  expect(decideDigits('1105')).toEqual({ verdict: 'allow', reason: 'ok' });
});

test('what is dialled abroad is abroad, though the own plan has such digits, too', () => {
  const russian: NumberSettings = { country: 'RU', extensions: [], dialRules: [] };
  const numbers = numbersOfDigits('81084190000000', russian);
  expect(numbers.map(({ country, type }) => [country, type])).toEqual([
    ['VN', 'premium'],
    ['RU', 'tollFree'],
  ]);
});

test('digits in no plan ask where a line may take them for a satellite number', () => {
  const digits = '001870734567890123';
  const unknown = {
    national: digits.slice(1),
    callingCode: '62',
    country: 'ID',
    type: 'unknown',
    display: '',
  } as const;
  const decision = decideDial(unknown, { to: digits }, defaultGuardPolicy, { ...context, country: 'ID' });
  expect(decision).toMatchObject({ verdict: 'confirm', reason: 'satellite' });
});
