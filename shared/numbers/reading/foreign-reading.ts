/** Reads digits as a number of another country than the agent's. */
import type { CountryCode } from 'libphonenumber-js/max';
import type { Evidence } from '../evidence.ts';
import type { PageHints } from '../number.ts';
import { groupCountOf } from '../plan/group-ends.ts';
import type { NumberText } from '../text/number-text.ts';
import { countryEvidence, minCertainPoints, placeEvidence, writingEvidence } from './country-evidence.ts';
import { validReading } from './home-reading.ts';
import { type Reading, readWritten } from './reading.ts';

/** What the form alone can give: its grouping, the area code in brackets, the trunk prefix. */
const maxPointsByForm = 8;
/** A page names at most so many countries: by words, by its address and by its language. */
const maxNamedCountries = 3;

export interface ForeignReading {
  reading: Reading;
  country: CountryCode;
  points: number;
  evidence: Evidence;
}

/** The country with the most points among those whose plan has the number, if they are enough to offer it. */
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

/** Grouped digits that a country changes where it is called: Argentina's mobiles, `11 15-2345-6789`. */
function readChanged({ digits, groupEnds }: NumberText, country: CountryCode): Reading | undefined {
  const reading = groupCountOf(groupEnds) > 1 ? validReading(digits, country) : undefined;
  return reading?.country === country && !digits.endsWith(reading.national) ? reading : undefined;
}
