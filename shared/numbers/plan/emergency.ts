/**
 * Emergency numbers by country: never marked, never dialled by a click. The phone beside the agent is the safe way to
 * them: the service rings the agent first and does not report where the agent is.
 */
import type { CountryCode } from 'libphonenumber-js/core';

/** Every mobile network in the world takes these two for emergencies. */
const everywhere = ['112', '911'];

const byCountry: Partial<Record<CountryCode, readonly string[]>> = {
  AE: ['997', '998', '999'],
  AR: ['100', '101', '107'],
  AT: ['122', '133', '140', '141', '142', '144', '147'],
  AU: ['000', '106'],
  BE: ['100', '101'],
  BO: ['110', '118', '119'],
  BR: ['190', '191', '192', '193', '194', '197', '198', '199', '180', '181', '188'],
  CA: ['988'],
  CH: ['117', '118', '143', '144', '147', '1414'],
  CL: ['131', '132', '133', '134'],
  CN: ['110', '119', '120', '122'],
  CO: ['123', '119', '125', '132'],
  CZ: ['150', '155', '156', '158'],
  DE: ['110'],
  DK: ['114'],
  ES: ['016', '061', '062', '080', '085', '088', '091', '092'],
  FR: ['15', '17', '18', '114', '115', '116000', '119', '191', '196', '197'],
  GB: ['999'],
  GR: ['100', '108', '166', '199'],
  HK: ['999'],
  HU: ['104', '105', '107'],
  IE: ['999'],
  IL: ['100', '101', '102'],
  IN: ['100', '101', '102', '108', '181'],
  IT: ['113', '114', '115', '117', '118', '1522'],
  JP: ['110', '118', '119'],
  KR: ['113', '117', '119'],
  LU: ['113'],
  MX: ['060', '065', '066', '068'],
  MY: ['999'],
  NG: ['199'],
  NL: ['113', '144'],
  NO: ['110', '113'],
  NZ: ['111'],
  PE: ['105', '106', '116', '117'],
  PL: ['986', '997', '998', '999'],
  PT: ['115', '117'],
  PY: ['128', '132'],
  RU: ['101', '102', '103', '104', '01', '02', '03'],
  SE: ['90000'],
  SG: ['995', '999'],
  TR: ['110', '155', '156', '158'],
  TW: ['110', '119'],
  UA: ['101', '102', '103', '104'],
  US: ['988'],
  UY: ['104', '109', '128'],
  VE: ['171'],
  ZA: ['10111', '10177'],
};

export function emergencyNumbers(country: CountryCode): readonly string[] {
  return [...everywhere, ...(byCountry[country] ?? [])];
}

/** @param digits as dialled inside `country`, nothing but digits. */
export function isEmergency(digits: string, country: CountryCode): boolean {
  return digits.length < 7 && emergencyNumbers(country).includes(digits);
}
