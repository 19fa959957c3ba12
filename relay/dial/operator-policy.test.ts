import { describe, expect, it } from 'vitest';
import { type GuardSettings, operatorRefusal } from './operator-policy.ts';

const open: GuardSettings = {
  country: undefined,
  dialBlockedPrefixes: [],
  dialExtensions: [],
  dialShortNumbers: true,
};
const brazil: GuardSettings = { ...open, country: 'BR' };

describe('the relay’s refusal of a callee', () => {
  it('refuses the emergency numbers of the country, or 112 with 911 where no country is set', () => {
    for (const number of ['112', '911']) expect(operatorRefusal(number, open)).toBe('emergency');
    for (const number of ['190', '192', '193']) expect(operatorRefusal(number, brazil)).toBe('emergency');
  });

  it('allows numbers of any country where no countries are listed', () => {
    for (const number of ['4833224455', '48999998888', '0014155552671', '1105'])
      expect(operatorRefusal(number, brazil)).toBeUndefined();
  });

  it('refuses premium numbers', () => {
    expect(operatorRefusal('09001234567', { ...open, country: 'DE' })).toBe('premium');
    expect(operatorRefusal('9002345678', { ...open, country: 'US' })).toBe('premium');
  });

  it('refuses numbers of other or unknown countries where countries are listed', () => {
    const only: GuardSettings = { ...brazil, dialCountries: ['BR', 'PT'] };
    expect(operatorRefusal('4833224455', only)).toBeUndefined();
    expect(operatorRefusal('00351211234567', only)).toBeUndefined();
    expect(operatorRefusal('0014155552671', only)).toBe('abroad');
    expect(operatorRefusal('99999999999999', only)).toBe('unknown');
    expect(operatorRefusal('4833224455', { ...brazil, dialCountries: ['PT'] })).toBe('abroad');
  });

  it("judges national numbers by the country of the caller's team", () => {
    const only: GuardSettings = { ...brazil, dialCountries: ['US'] };
    expect(operatorRefusal('4155552671', only)).toBe('abroad');
    expect(operatorRefusal('4155552671', only, 'US')).toBeUndefined();
    expect(operatorRefusal('4155552671', { ...brazil, dialCountries: ['BR'] }, 'US')).toBe('abroad');
    expect(operatorRefusal('4155552671', { ...only, country: undefined }, 'US')).toBeUndefined();
    expect(operatorRefusal('01155552671', { ...brazil, dialBlockedPrefixes: ['+49115'] }, 'DE')).toBe(
      'blockedPrefix',
    );
  });

  it("refuses what the country of the team never dials, or the relay's own", () => {
    expect(operatorRefusal('110', brazil, 'DE')).toBe('emergency');
    expect(operatorRefusal('190', brazil, 'US')).toBe('emergency');
    expect(operatorRefusal('09001234567', { ...open, country: 'US' }, 'DE')).toBe('premium');
    expect(operatorRefusal('09001234567', { ...open, country: 'DE' }, 'US')).toBe('premium');
    expect(operatorRefusal('0021870776123456', brazil, 'US')).toBe('satellite');
  });

  it('judges the number behind the prefix for an outside line', () => {
    const only: GuardSettings = { ...brazil, dialCountries: ['BR'], dialOutsidePrefix: '7' };
    expect(operatorRefusal('74833224455', only)).toBeUndefined();
    expect(operatorRefusal('70014155552671', only)).toBe('abroad');
  });

  it('refuses blocked prefixes, written as dialled or as international', () => {
    expect(operatorRefusal('48333', { ...open, dialBlockedPrefixes: ['483'] })).toBe('blockedPrefix');
    expect(operatorRefusal('0014155552671', { ...brazil, dialBlockedPrefixes: ['+1'] })).toBe(
      'blockedPrefix',
    );
  });

  it.each([
    ['US', '1010288911', 'emergency'],
    ['US', '1010288' + '19005551234', 'premium'],
    ['CA', '1167' + '911', 'emergency'],
    ['US', '1167' + '011870776123456', 'satellite'],
    ['DE', '01033' + '09001234567', 'premium'],
    ['DE', '010011' + '112', 'emergency'],
    ['GB', '141' + '999', 'emergency'],
    ['GB', '1470' + '09098790000', 'premium'],
    ['GB', '1280' + '00870776123456', 'satellite'],
    ['FR', '3651' + '0899123456', 'premium'],
    ['FR', '1690' + '17', 'emergency'],
    ['GB', '141' + '1280' + '999', 'emergency'],
  ] as const)('refuses in %s what %s reaches behind its code: %s', (country, to, reason) => {
    expect(operatorRefusal(to, { ...open, country })).toBe(reason);
    expect(operatorRefusal(to, { ...open, country, dialCountries: [country] })).toBe(reason);
  });

  it.each([
    ['GB', '01414960000'],
    ['GB', '1414960000'],
    ['GB', '01280123456'],
    ['FR', '0160123456'],
    ['FR', '160123456'],
    ['US', '4155550132'],
    ['DE', '010302021'],
  ] as const)('allows in %s the number %s, which only begins like a code', (country, to) => {
    expect(operatorRefusal(to, { ...open, country })).toBeUndefined();
  });

  it('refuses short numbers where they are switched off, but never an extension', () => {
    const strict: GuardSettings = { ...brazil, dialShortNumbers: false, dialExtensions: ['_11XX'] };
    expect(operatorRefusal('4003', strict)).toBe('short');
    expect(operatorRefusal('1105', strict)).toBeUndefined();
  });

  describe('digits with prefixes or carrier codes', () => {
    const us: GuardSettings = { ...open, country: 'US', dialOutsidePrefix: '9' };
    const brazilAndUs: GuardSettings = { ...brazil, dialCountries: ['BR', 'US'] };
    it.each<[string, GuardSettings, string]>([
      ['9911', us, 'emergency'],
      ['9112', us, 'emergency'],
      ['91911', us, 'emergency'],
      ['9911', { ...us, country: undefined }, 'emergency'],
      ['9911', { ...us, dialExtensions: ['_9XXX'] }, 'emergency'],
      ['9911', open, 'emergency'],
      ['9112', { ...open, country: 'US' }, 'emergency'],
      ['00190', brazil, 'emergency'],
      ['015190', brazil, 'emergency'],
      ['0055190', brazil, 'emergency'],
      ['0021870776123456', brazil, 'satellite'],
      ['0077870776123456', brazil, 'satellite'],
      ['0021979123456789', brazil, 'premium'],
      ['0219001234567', brazil, 'premium'],
      ['0339001234567', brazil, 'premium'],
      ['90219001234567', { ...brazil, dialOutsidePrefix: '9' }, 'premium'],
      ['9001234567', { ...brazil, dialOutsidePrefix: '9' }, 'premium'],
      ['9001234567', { ...brazil, dialExtensions: ['_X.'] }, 'premium'],
      ['0015597212345', brazilAndUs, 'ambiguous'],
      ['0017597212345', brazilAndUs, 'abroad'],
      ['002155114321567', { ...brazil, dialBlockedPrefixes: ['0021'] }, 'blockedPrefix'],
    ])('refuses %s', (to, settings, reason) => expect(operatorRefusal(to, settings)).toBe(reason));

    it.each<[string, GuardSettings]>([
      ['0014155552671', brazilAndUs],
      ['002114155552671', brazilAndUs],
      ['002115597212345', brazilAndUs],
      ['0154833224455', brazilAndUs],
      ['04833224455', brazilAndUs],
      ['914155552671', us],
      ['94155552671', us],
      ['71999998888', { ...brazil, dialOutsidePrefix: '7' }],
      ['1112', { ...open, country: 'US', dialExtensions: ['_1XXX'] }],
      ['9112', { ...open, dialExtensions: ['_9XXX'] }],
      ['8911', { ...open, country: 'US' }],
      ['9105', { ...us, dialExtensions: ['_9XXX'], dialShortNumbers: false }],
    ])('allows %s', (to, settings) => expect(operatorRefusal(to, settings)).toBeUndefined());
  });
});
