import { expect, test } from 'vitest';
import { defaultRules, type Rules } from '../shared/protocol/rules.ts';
import { resolveForTeam } from './resolve-for-team.ts';
import { Settings } from './settings.ts';

const settings = Settings.parse({
  numbers: { country: 'BR', areaCode: '48', extensions: ['_1XXX'], dialRules: [] },
});
const now = new Date();
function decide(text: string, refuses: Partial<NonNullable<Rules['refuses']>> | undefined) {
  const rules = {
    ...defaultRules,
    ...(refuses && { refuses: { blockedPrefixes: [], shortNumbers: true, ...refuses } }),
  };
  const resolved = resolveForTeam({ kind: 'typed', text }, settings, { now }, rules);
  return 'why' in resolved ? resolved : resolved.decision;
}

test.each([
  ['a country that the relay does not dial', '+351 21 123 4567', { countries: ['BR'] }, 'abroad', 'PT'],
  ['a blocked prefix of digits', '(48) 3222-1000', { blockedPrefixes: ['4832'] }, 'blockedPrefix', '4832'],
  [
    'a blocked prefix of a country',
    '+351 21 123 4567',
    { blockedPrefixes: ['+351'] },
    'blockedPrefix',
    '+351',
  ],
  ['a short number', '144', { shortNumbers: false }, 'short', undefined],
  ['a number of no country', '+800 1234 5678', { countries: ['BR'] }, 'abroad', '800'],
])('%s is refused before the click', (_what, text, refuses, reason, detail) => {
  expect(decide(text, refuses)).toEqual({ verdict: 'refuse', reason, ...(detail && { detail }) });
});

test.each([
  ['a country that the relay dials', '+351 21 123 4567', { countries: ['BR', 'PT'] }, 'confirm'],
  ['an internal extension', '1105', { countries: ['BR'], shortNumbers: false }, 'allow'],
  ['a number where the relay refuses nothing', '+351 21 123 4567', undefined, 'confirm'],
])('%s is judged by the agent’s own settings', (_what, text, refuses, verdict) => {
  expect(decide(text, refuses)).toMatchObject({ verdict });
});

test('an emergency number keeps its own reason', () => {
  expect(decide('190', { blockedPrefixes: ['1'] })).toMatchObject({ reason: 'emergency' });
});

const decideWith = (text: string, own: object, rules?: Rules) => {
  const resolved = resolveForTeam({ kind: 'typed', text }, Settings.parse(own), { now }, rules);
  return 'why' in resolved ? resolved.why : resolved.decision.reason;
};
const atRelayOf = (country: 'DK' | 'NO'): Rules => ({
  ...defaultRules,
  refuses: { blockedPrefixes: [], shortNumbers: true, country },
});
const denmark = { country: 'DK', extensions: [], dialRules: [] };

test('digits that cost more in the country of the relay are refused before the click', () => {
  const own = { numbers: denmark };
  expect(decideWith('82 90 12 34', own, atRelayOf('NO'))).toBe('premium');
  expect(decideWith('82 90 12 34', own, atRelayOf('DK'))).not.toBe('premium');
  expect(decideWith('22 33 44 55', own, atRelayOf('NO'))).not.toBe('premium');
  expect(decideWith('110', own, atRelayOf('NO'))).toBe('emergency');
  const outside = [{ when: { minLength: 8 }, prepend: '7' }];
  const behindPrefix = { numbers: { ...denmark, dialRules: outside } };
  expect(decideWith('82 90 12 34', behindPrefix, atRelayOf('NO'))).toBe('premium');
  const extension = { numbers: { ...denmark, extensions: ['_829X'] } };
  expect(decideWith('8290', extension, atRelayOf('NO'))).not.toBe('premium');
});

const brazil = { country: 'BR', areaCode: '48', extensions: [], dialRules: [] };

test.each([
  '(48) 99999-1001',
  '48 9999-1001',
  '99999-1001',
  '+55 48 99999-1001',
  '0 15 48 99999-1001',
  '0055 48 99999-1001',
  'tel:+5548999991001',
])('refuses %s, which the organisation listed', (text) => {
  const own = { numbers: brazil, doNotCall: ['(48) 99999-1001', '+351*'] };
  expect(decideWith(text, own)).toBe('doNotCall');
  expect(decideWith('(48) 99999-1002', own)).toBe('ok');
  expect(decideWith('+351 21 123 4567', own)).toBe('doNotCall');
});

test("takes the team's number settings where the agent's own are empty", () => {
  const team = {
    ...defaultRules,
    numbers: { country: 'BR' as const, areaCode: '48', extensions: ['_2XXX'] },
  };
  const own = { numbers: { ...brazil, areaCode: undefined } };
  expect(decideWith('2201', own, team)).toBe('ok');
  expect(decideWith('99999-1001', own, team)).toBe('addedAreaCode');
  const abroad = { numbers: { ...brazil, country: 'PT', areaCode: undefined } };
  expect(decideWith('99999-1001', abroad, team)).not.toBe('addedAreaCode');
});

test('dials by the rules of the team', () => {
  const dialRules = [{ when: {}, prepend: '0' }];
  const team = { ...defaultRules, numbers: { dialRules } };
  const resolved = resolveForTeam(
    { kind: 'typed', text: '(48) 3222-1000' },
    Settings.parse({ numbers: brazil }),
    { now },
    team,
  );
  expect('why' in resolved ? resolved.why : resolved.digits.to).toBe('04832221000');
});
