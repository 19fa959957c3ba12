import { describe, expect, it } from 'vitest';
import { type GuardSettings, refusalOf } from './dialling-guard.ts';

const open: GuardSettings = {
  country: undefined,
  dialBlockedPrefixes: [],
  dialExtensions: [],
  dialShortNumbers: true,
};
const brazil: GuardSettings = { ...open, country: 'BR' };

describe('the dialling guard', () => {
  it('refuses the emergency numbers of the country, or 112 and 911 where no country is set', () => {
    for (const number of ['112', '911']) expect(refusalOf(number, open)).toBe('emergency');
    for (const number of ['190', '192', '193']) expect(refusalOf(number, brazil)).toBe('emergency');
  });

  it('allows national and foreign numbers where no countries are listed', () => {
    for (const number of ['4833224455', '48999998888', '0014155552671', '1105'])
      expect(refusalOf(number, brazil)).toBeUndefined();
  });

  it('refuses premium numbers', () => {
    expect(refusalOf('09001234567', { ...open, country: 'DE' })).toBe('premium');
    expect(refusalOf('9002345678', { ...open, country: 'US' })).toBe('premium');
  });

  it('refuses other countries and unknown numbers where countries are listed', () => {
    const only: GuardSettings = { ...brazil, dialCountries: ['BR', 'PT'] };
    expect(refusalOf('4833224455', only)).toBeUndefined();
    expect(refusalOf('00351211234567', only)).toBeUndefined();
    expect(refusalOf('0014155552671', only)).toBe('abroad');
    expect(refusalOf('99999999999999', only)).toBe('unknown');
    expect(refusalOf('4833224455', { ...brazil, dialCountries: ['PT'] })).toBe('abroad');
  });

  it('judges the number behind the prefix for an outside line', () => {
    const only: GuardSettings = { ...brazil, dialCountries: ['BR'], dialOutsidePrefix: '7' };
    expect(refusalOf('74833224455', only)).toBeUndefined();
    expect(refusalOf('70014155552671', only)).toBe('abroad');
  });

  it('refuses blocked prefixes, written as dialled or as international', () => {
    expect(refusalOf('48333', { ...open, dialBlockedPrefixes: ['483'] })).toBe('blockedPrefix');
    expect(refusalOf('0014155552671', { ...brazil, dialBlockedPrefixes: ['+1'] })).toBe('blockedPrefix');
  });

  it('refuses short numbers where they are switched off, but never an extension', () => {
    const strict: GuardSettings = { ...brazil, dialShortNumbers: false, dialExtensions: ['_11XX'] };
    expect(refusalOf('4003', strict)).toBe('short');
    expect(refusalOf('1105', strict)).toBeUndefined();
  });
});
