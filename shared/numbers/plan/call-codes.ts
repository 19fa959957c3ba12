/** Codes that a line takes before a number, for one call, beyond the prefixes in libphonenumber's metadata. */
import type { CountryCode } from 'libphonenumber-js/core';

/**
 * North America: 101XXXX chooses a carrier for one call (FCC, "Carrier Identification Codes", transition.fcc.gov,
 * cic_faq.html). A pulse phone dials 11 for the star of a vertical service code. 1167 withholds the caller's number
 * (AT&T Wholesale, "Calling Number Delivery Blocking"), 1170 ends call waiting (NANPA, nationalnanpa.com,
 * vsc_definitions.html, for *67 and *70). These were seen in November 2026. No source for *82, which shows the number,
 * was seen.
 */
const northAmerican = /^(?:101\d{4}|11(?:67|70|82))/;

/** Codes that may be dialled before a number. The digits behind a code are dialled as without it. */
export const codesBeforeACall: Partial<Record<CountryCode, RegExp>> = {
  US: northAmerican,
  CA: northAmerican,
  PR: northAmerican,
  GU: northAmerican,
  VI: northAmerican,
  AS: northAmerican,
  MP: northAmerican,
  // These codes choose a carrier: 010xy and 0100yy (Bundesnetzagentur, "Betreiberkennzahlen", seen in November 2026).
  // The service ended on 31 December 2024 and the plan was repealed in October 2025. Routers may still accept the
  // codes, and no number begins with them.
  DE: /^010(?:0\d\d|[1-9]\d)/,
  // These codes withhold the caller's number, show it, or choose BT instead of the line's carrier. No source for the
  // three codes could be seen.
  GB: /^(?:141|1470|1280)/,
  // 3651 withholds the caller's number, and the other codes choose a carrier. ARCEP's decision 05-1085 names carrier
  // prefixes of four digits and of one digit. Its table with 16XY was not seen, and no source for 3651 was seen.
  FR: /^(?:3651|16\d\d)/,
};

/**
 * Brazil has a two-digit code for every carrier, behind the trunk prefix, and new carriers appear: 0 15 48 3322-4455
 * and 00 15 597 212345 go through carrier 15; 90 is a collect call. Sources, seen in November 2026: teleco.com.br,
 * num.asp, for the prefixes 0, 00 and 90; tecnoblog.net, "Os códigos de operadora", for the order 0, carrier, area
 * code.
 */
export const codesInPrefixes: Partial<Record<CountryCode, { trunk: RegExp; international: RegExp }>> = {
  BR: { trunk: /^(?:0|90)[1-9]\d$/, international: /^00[1-9]\d$/ },
};
