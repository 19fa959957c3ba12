/** Codes that a line takes before a number, for one call, beyond the prefixes in libphonenumber's metadata. */
import type { CountryCode } from 'libphonenumber-js/core';

/**
 * North America: 101XXXX chooses a carrier (NANPA, Carrier Identification Codes). 1167, 1170 and 1182 are *67, *70 and *82 of pulse
 * phones: the caller's number withheld, no call waiting, the number shown (NANPA, Vertical Service Codes).
 */
const northAmerican = /^(?:101\d{4}|11(?:67|70|82))/;

/** What follows such a code is dialled as without it. */
export const codesBeforeACall: Partial<Record<CountryCode, RegExp>> = {
  US: northAmerican,
  CA: northAmerican,
  PR: northAmerican,
  GU: northAmerican,
  VI: northAmerican,
  AS: northAmerican,
  MP: northAmerican,
  // A carrier (Bundesnetzagentur, Nummernplan Betreiberkennzahlen).
  DE: /^010(?:0\d\d|[1-9]\d)/,
  // The caller's number withheld or shown, BT instead of the line's carrier (Ofcom, National Telephone Numbering Plan, A3).
  GB: /^(?:141|1470|1280)/,
  // The caller's number withheld, a carrier (ARCEP, plan de numérotation: 3651, 16XY).
  FR: /^(?:3651|16\d\d)/,
};

/**
 * Brazil has a two-digit code for every carrier, behind the trunk prefix, and new carriers appear: 0 15 48 3322-4455 and
 * 00 15 597 212345 go through carrier 15 (Anatel, Código de Seleção de Prestadora).
 */
export const codesInPrefixes: Partial<Record<CountryCode, { trunk: RegExp; international: RegExp }>> = {
  BR: { trunk: /^(?:0|90)[1-9]\d$/, international: /^00[1-9]\d$/ },
};
