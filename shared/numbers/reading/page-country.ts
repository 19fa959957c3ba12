/** The country that a page's address, its language, or the words around a number name. */
import { type CountryCode, getCountries, isSupportedCountry } from 'libphonenumber-js/max';
import { memoize } from '../memoize.ts';
import type { Candidate } from '../number.ts';
import { capitals } from '../plan/capitals.ts';
import { numberingPlan } from '../plan/numbering-plan.ts';
import { unaccented } from '../text/lexicon.ts';
import { read } from './reading.ts';

/** Domains of countries that the whole world uses. */
const genericDomains = new Set(
  'ac ai am bz cc co fm gg io is la ly me nu pw sh so st tk to tv vc ws'.split(' '),
);

/** @param domain the last part of a host name, such as `de`. */
export function countryOfDomain(domain: string): CountryCode | undefined {
  const name = domain.replace('.', '').toLowerCase();
  const country = name === 'uk' ? 'GB' : name.toUpperCase();
  return genericDomains.has(name) || !isSupportedCountry(country) ? undefined : country;
}

/** The region of a language tag, else where most of its speakers are: `de` is DE, `pt` BR, `sv` SE. */
export const countryOfLanguage = memoize((tag: string): CountryCode | undefined => {
  try {
    const country = new Intl.Locale(tag).maximize().region;
    return country !== undefined && isSupportedCountry(country) ? country : undefined;
  } catch {
    return undefined; // not a language tag
  }
}, 200);

/** Languages in which the names of countries are known. */
const nameLanguages = ['en', 'pt', 'es', 'de', 'fr', 'it', 'nl'];
/** Names of places that are just as often a person's name or another word. */
const ambiguousNames = new Set(
  'jordan georgia chad israel guinea niger mali jersey sofia florida boston washington lagos perth'.split(
    ' ',
  ),
);
const maxWords = 3;
/** How far from the number a name may be, in UTF-16 units. */
const maxDistance = 80;

const namesOfPlaces = memoize((_: undefined) => {
  const names = new Map<string, CountryCode>();
  const add = (name: string, country: CountryCode) => {
    const key = placedWords(name)
      .map(({ word }) => word)
      .join(' ');
    if (key.length > 3 && !ambiguousNames.has(key) && !names.has(key)) names.set(key, country);
  };
  for (const language of nameLanguages) {
    const display = new Intl.DisplayNames(language, { type: 'region' });
    for (const country of getCountries()) add(display.of(country) ?? '', country);
  }
  for (const [country, cities] of Object.entries(capitals))
    for (const city of cities.split('|')) add(city, country as CountryCode);
  for (const [name, country] of [
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['England', 'GB'],
    ['Inglaterra', 'GB'],
    ['Scotland', 'GB'],
    ['USA', 'US'],
    ['U.S.A.', 'US'],
    ['EUA', 'US'],
    ['EE. UU.', 'US'],
    ['Holland', 'NL'],
    ['Holanda', 'NL'],
  ] as const)
    names.set(
      placedWords(name)
        .map(({ word }) => word)
        .join(' '),
      country,
    );
  return names;
});

function placedWords(text: string): { word: string; start: number; end: number }[] {
  return [...text.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: unaccented(word.toLowerCase()),
    start: index,
    end: index + word.length,
  }));
}

/**
 * The country that the text around a candidate names: the nearest country or capital of its line, else the country of
 * the other numbers in the text that carry a country code.
 */
export function countryNear(
  text: string,
  candidate: Pick<Candidate, 'start' | 'end'>,
  others: readonly Pick<Candidate, 'text'>[],
): CountryCode | undefined {
  return countryNamed(text, candidate) ?? countryOfNumbers(others);
}

function countryNamed(
  text: string,
  { start, end }: Pick<Candidate, 'start' | 'end'>,
): CountryCode | undefined {
  const from = Math.max(text.lastIndexOf('\n', start) + 1, start - maxDistance);
  const lineEnd = text.indexOf('\n', end);
  const to = Math.min(lineEnd < 0 ? text.length : lineEnd, end + maxDistance);
  const words = placedWords(text.slice(from, to));
  const places = namesOfPlaces(undefined);
  let nearest: CountryCode | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (let first = 0; first < words.length; first++) {
    let name = '';
    for (let last = first; last < Math.min(first + maxWords, words.length); last++) {
      name += (name && ' ') + words[last]!.word;
      const country = places.get(name);
      if (!country) continue;
      // At equal distance the name behind the number wins, as in a list of "number (place)". A name before another
      // number counts as farther away.
      const before = start - (from + words[last]!.end);
      const behind = from + words[first]!.start - end;
      const gap =
        before >= 0 ? before + (/\d/.test(text.slice(from + words[last]!.end, start)) ? 40 : 0) : behind;
      if (gap <= distance) [nearest, distance] = [country, gap];
    }
  }
  return nearest;
}

export function countryOfNumbers(others: readonly Pick<Candidate, 'text'>[]): CountryCode | undefined {
  const counts = new Map<CountryCode, number>();
  for (const { text } of others) {
    if (!/^\s*\(?\+|^\s*00/.test(text)) continue;
    const digits = text.replace(/\D/g, '').replace(/^00/, '');
    const reading = read(digits);
    if (reading?.valid && reading.country)
      counts.set(reading.country, (counts.get(reading.country) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** Countries that are tried when only the digits themselves hint at a country. Those with the most pages come first. */
const formCountries = (
  'US GB DE FR ES IT PT MX AR CO CL PE IN JP AU NL BE CH AT CN KR SE NO DK FI PL CZ IE RU UA TR ' +
  'ZA IL GR RO HU AE SA EG NG KE ID MY PH TH VN SG HK TW NZ UY PY EC VE BO BR'
).split(' ') as CountryCode[];

/** The countries whose national numbers have this many digits, with or without a trunk zero in front. */
export const countriesWithLength = (digits: string): readonly CountryCode[] =>
  countriesByLength(digits.startsWith('0') ? -digits.length : digits.length);

/** @param length negative if the digits begin with a zero. */
const countriesByLength = memoize((length: number): readonly CountryCode[] =>
  formCountries.filter((country) => {
    const { lengths, nationalPrefix } = numberingPlan(country);
    if (length > 0) return lengths.includes(length);
    // Italy's zero belongs to the number.
    return (
      (nationalPrefix === '0' && lengths.includes(-length - 1)) ||
      (country === 'IT' && lengths.includes(-length))
    );
  }),
);
