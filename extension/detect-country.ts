/** The country that the browser's languages and time zone speak for. */
import { type CountryCode, getCountries } from 'libphonenumber-js/max';

/**
 * @param languages BCP 47 tags, the most preferred first. @param timeZone IANA name.
 * @returns the region of a language where that time zone is; else the country of the time zone; else the first region.
 *   undefined where nothing is known: neither `en` nor UTC names a country.
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

/** Empty in a browser that does not list them. */
function timeZonesOf(country: string): readonly string[] {
  type Zoned = Intl.Locale & { getTimeZones?(): string[]; timeZones?: string[] };
  const locale = new Intl.Locale(`und-${country}`) as Zoned;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}
