/** What libphonenumber's metadata says of a country's dialling, behind the few questions that the steps ask. */
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type PhoneNumber as Parsed,
} from 'libphonenumber-js/max';
import type { NumberType } from '../number-settings.ts';

const TYPES: Readonly<Record<string, NumberType>> = {
  FIXED_LINE: 'fixedLine',
  MOBILE: 'mobile',
  FIXED_LINE_OR_MOBILE: 'fixedLineOrMobile',
  TOLL_FREE: 'tollFree',
  PREMIUM_RATE: 'premium',
  SHARED_COST: 'sharedCost',
  VOIP: 'voip',
  PERSONAL_NUMBER: 'personal',
  PAGER: 'pager',
  UAN: 'universal',
  VOICEMAIL: 'voicemail',
};

/** Inmarsat, Iridium and Globalstar, and the shared networks of sea and air: charged as satellite calls. */
const SATELLITE = new Set(['870', '881', '882', '883']);
/** International premium rate. */
const INTERNATIONAL_PREMIUM = '979';

export function typeOf(parsed: Parsed): NumberType {
  const code: string = parsed.countryCallingCode;
  if (SATELLITE.has(code)) return 'satellite';
  if (code === INTERNATIONAL_PREMIUM) return 'premium';
  const type = parsed.getType();
  return (type && TYPES[type]) || 'unknown';
}

export interface Prefixes {
  callingCode: string;
  /** Before a number abroad, such as 00 or 011. */
  international: string;
  /** Before a national number, such as 0; empty where there is none. */
  national: string;
}

const known = new Map<string, Prefixes>();
/** Where the metadata lists several ways out (one per carrier), the one without a carrier. */
const INTERNATIONAL_CHOICES: Partial<Record<CountryCode, string>> = {
  AU: '0011',
  BR: '00',
  CL: '00',
  CO: '00',
  FI: '00',
  HK: '001',
  ID: '001',
  IL: '00',
  JP: '010',
  KH: '001',
  KR: '001',
  KZ: '810',
  BY: '810',
  RU: '810',
  UZ: '00',
  SG: '001',
  TH: '001',
  TW: '002',
  TZ: '000',
  UG: '000',
  KE: '000',
  MO: '00',
  GY: '001',
};

export function prefixesOf(country: CountryCode): Prefixes {
  let prefixes = known.get(country);
  if (!prefixes) {
    const metadata = new Metadata();
    metadata.selectNumberingPlan(country);
    const plan = metadata.numberingPlan as unknown as {
      IDDPrefix(): string;
      nationalPrefix(): string | undefined;
    };
    const written = plan.IDDPrefix() ?? '';
    prefixes = {
      callingCode: getCountryCallingCode(country),
      international: INTERNATIONAL_CHOICES[country] ?? (/^\d+$/.test(written) ? written : '00'),
      national: plan.nationalPrefix() ?? '',
    };
    known.set(country, prefixes);
  }
  return prefixes;
}

export { isSupportedCountry };
