/** Reads digits as a number of another country than the agent's. */
import type { CountryCode } from 'libphonenumber-js/max';
import type { Evidence } from '../evidence.ts';
import type { PageHints } from '../number.ts';
import { groupCountOf } from '../plan/group-ends.ts';
import type { NumberText } from '../text/number-text.ts';
import { countryEvidence, minCertainPoints, placeEvidence, writingEvidence } from './country-evidence.ts';
import { validReading } from './home-reading.ts';
import { type Reading, readWritten } from './reading.ts';

/** The most points for the way of writing: grouping, area code in brackets and trunk prefix. */
const maxPointsByForm = 8;
/** The most countries that a page can name: by words, by its domain and by its language. */
const maxNamedCountries = 3;

export interface ForeignReading {
  reading: Reading;
  country: CountryCode;
  points: number;
  evidence: Evidence;
}

/**
 * The reading with the most points among the countries whose plan has the number. Undefined if its points are too few.
 */
export function strongestForeign(
  parsed: NumberText,
  countries: readonly CountryCode[],
  hints: PageHints | undefined,
  agentCountry: CountryCode | undefined,
): ForeignReading | undefined {
  let best: ForeignReading | undefined;
  for (const country of countries) {
    if (country === agentCountry) continue;
    const written = readWritten(parsed.digits, country);
    const reading = written.valid
      ? written
      : countries.length > maxNamedCountries
        ? undefined
        : readChanged(parsed, country);
    if (!reading) continue;
    const evidence = writingEvidence(parsed, reading, country) | placeEvidence(country, hints, agentCountry);
    const points = countryEvidence.sum(evidence);
    if (points >= minCertainPoints && points > (best?.points ?? 0))
      best = { reading, country, points, evidence };
    if (points >= maxPointsByForm && countries.length > maxNamedCountries) break;
  }
  return best;
}

/**
 * Reads grouped digits that the country changes for dialling, such as Argentina's mobile numbers: `11 15-2345-6789`.
 */
function readChanged({ digits, groupEnds }: NumberText, country: CountryCode): Reading | undefined {
  const reading = groupCountOf(groupEnds) > 1 ? validReading(digits, country) : undefined;
  return reading?.country === country && !digits.endsWith(reading.national) ? reading : undefined;
}
