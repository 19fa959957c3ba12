/** How people of a country write numbers, beyond the formats of libphonenumber's metadata. */
import type { CountryCode } from 'libphonenumber-js/core';
import type { NumberType } from '../number-settings.ts';

/** Prefixes that a country gave up and that people still write. */
export const legacyPrefixes: Partial<Record<CountryCode, readonly string[]>> = {
  MX: ['01', '044', '045', '521'],
  // The trunk prefix that Poland gave up.
  PL: ['0'],
};

/** Regions with their own calling codes, whose numbers the country dials behind its trunk prefix. */
export const regionsOverseas: Partial<Record<CountryCode, readonly CountryCode[]>> = {
  FR: ['RE', 'YT', 'GP', 'GF', 'MQ'],
};

/** The countries where a slash may part the area code from the rest. */
export const slashCountries = new Set<CountryCode>(
  'DE AT CH LI LU BE FR NL IT CZ SK PL HU RO BG RS HR SI BA ME MK SE FI GR TR'.split(' ') as CountryCode[],
);

/** Countries whose mobile numbers are as often written without their trunk prefix: 532 123 45 67, 916 123-45-67. */
const mobileMayLackTrunk = new Set<CountryCode>(
  'BY EG ID IN KZ PE PK RU TR UA VE VN'.split(' ') as CountryCode[],
);

/**
 * Whether people of the country leave the trunk prefix out of numbers of this type. In India, some numbers fit both the
 * fixed and the mobile plan.
 */
export const mayLackTrunk = (type: NumberType, country: CountryCode): boolean =>
  (type === 'mobile' || type === 'fixedLineOrMobile') && mobileMayLackTrunk.has(country);

/** Countries where people leave the trunk prefix out of any grouped number: 11 6789-0123. */
export const groupedMayLackTrunk = new Set<CountryCode>(['AR']);

/**
 * The prefix of mobile numbers that people leave out: 11 5571-4032. Without it the digits are those of another
 * subscriber.
 */
export const omittedMobilePrefix: Partial<Record<CountryCode, string>> = { AR: '9' };

/**
 * Groupings that people of a country use beside the metadata's: the digits that the national number begins with, and
 * its groups, of which the last may be open (`3-*`).
 */
export const groupingHabits: Partial<
  Record<CountryCode, readonly (readonly [leading: string, groups: string])[]>
> = {
  AR: [['', '4-2-4']],
  AU: [['4', '1-4-4']],
  BD: [['1', '2-4-4']],
  DE: [['1', '3-*']],
  DK: [
    ['', '3-2-3'],
    ['', '3-5'],
  ],
  EG: [['1', '3-3-4']],
  ES: [
    ['', '2-3-2-2'],
    ['', '2-3-4'],
    ['', '2-7'],
  ],
  FR: [
    ['', '3-2-2-2'],
    ['8', '3-3-3'],
    ['9', '3-3-3'],
  ],
  GB: [
    ['1', '4-*'],
    ['2', '3-*'],
    ['2', '4-*'],
    ['7', '3-3-4'],
  ],
  GR: [['', '3-*']],
  IN: [
    ['', '3-3-4'],
    ['', '4-3-3'],
  ],
  MX: [
    ['', '3-3-4'],
    ['', '4-2-2-2'],
  ],
  NL: [['6', '3-3-3']],
  NO: [
    ['', '4-4'],
    ['', '2-2-2-2'],
    ['', '3-2-3'],
  ],
  PE: [
    ['9', '5-4'],
    ['9', '3-6'],
  ],
  PL: [['', '3-3-3']],
  PT: [
    ['', '3-3-3'],
    ['', '2-3-2-2'],
    ['', '2-*'],
  ],
  SE: [['7', '3-*']],
  TR: [['444', '3-1-3']],
  VN: [['', '3-3-3']],
};
