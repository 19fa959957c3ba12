/** Finds the agent's country by the browser's languages and time zone. */
import { type CountryCode, getCountries } from 'libphonenumber-js/max';

/**
 * @param languages BCP 47 tags, the most preferred first.
 * @param timeZone IANA name.
 * @returns the first region of the languages with this time zone; else a country with it; else the first region.
 * Without any of them, undefined: `en` has no region, and UTC belongs to no country.
 */
export function detectCountry(languages: readonly string[], timeZone: string): CountryCode | undefined {
  const known = getCountries();
  const regions = languages
    .map((tag) => new Intl.Locale(tag).region as CountryCode | undefined)
    .filter((region) => region !== undefined && known.includes(region)) as CountryCode[];
  const isThere = (country: CountryCode) => timeZonesOf(country).includes(timeZone);
  return regions.find(isThere) ?? known.find(isThere) ?? regions[0];
}

export const detectCountryHere = (): CountryCode | undefined =>
  detectCountry(navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone);

/** A country's time zones; empty if the browser does not list them. */
function timeZonesOf(country: string): readonly string[] {
  type Zoned = Intl.Locale & { getTimeZones?(): string[]; timeZones?: string[] };
  const locale = new Intl.Locale(`und-${country}`) as Zoned;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}
