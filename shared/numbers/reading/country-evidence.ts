/** Evidence that a number belongs to a country: how it is written, and what surrounds it. */
import type { CountryCode } from 'libphonenumber-js/core';
import { type Evidence, EvidenceTable } from '../evidence.ts';
import { memoize } from '../memoize.ts';
import type { PageHints } from '../number.ts';
import {
  digitCountOf,
  endsInside,
  firstGroupOf,
  type GroupEnds,
  groupEndsNamed,
} from '../plan/group-ends.ts';
import { type Format, groupEndsOfFormat, numberingPlan, ordinaryFormats } from '../plan/numbering-plan.ts';
import { groupingHabits, mayLackTrunk, slashCountries } from '../plan/writing-habits.ts';
import type { NumberText } from '../text/number-text.ts';
import { countryOfDomain, countryOfLanguage } from './page-country.ts';
import { formatOf, type Reading } from './reading.ts';

/** From this many points on, a number of the agent's own country is dialled without a question. */
export const minCertainPoints = 2;

/**
 * Each example begins with the agent's country. Behind @ is the site's domain or the page's language. A row counts once
 * for a reading.
 */
export const countryEvidence = new EvidenceTable({
  ownGrouping: [4, 'BR (11) 3456-7890', 'DE 0171 1234567'],
  otherGrouping: [-4, 'BR 415 555 0132', 'FR 0319 5577 06'],
  /** The area code is a group of its own. The other digits are not grouped in the country's way. */
  looseGrouping: [0, 'US 415-398-27-46', 'CA 416 398 27 46'],
  ungrouped: [2, 'BR 1134567890', 'GB 02079460123'],
  areaInBrackets: [3, 'BR (11) 3456-7890', 'RU (495) 123-45-67'],
  otherInBrackets: [-4, 'BR (415) 555-0132', 'US (41) 5555-0132'],
  trunkAsUsual: [1, 'DE 030 901820', 'BR 11 3456-7890'],
  trunkMissing: [-3, 'DE 30 901820', 'GB 20 7946 0123'],
  trunkNotWritten: [-2, 'BR 01134567890', 'BR 020 7946 0123'],
  trunkApart: [-2, 'BR 0 800 123 456', 'GB 0 20 7946 0123'],
  ownPrefix: [4, 'BR 0 21 11 3456-7890', 'BR 55 11 3456-7890'],
  slashNotUsed: [-3, 'BR 11/3456-7890', 'US 415/555-0132'],
  notInPlan: [-3, 'BR 020 7946 0123', 'US 123 456 7890'],
  localForm: [2, 'BR 3456-7890', 'US 555-0132'],
  namedNear: [6, 'DE 030 901820 (Berlin)', 'GB 020 7946 0123, +44 161 496 0123'],
  siteDomain: [3, 'DE 030 901820 @kunde.de', 'GB 020 7946 0123 @client.co.uk'],
  pageLanguage: [1, 'DE 030 901820 @lang=de', 'BR (11) 3456-7890 @lang=pt-BR'],
  agentCountry: [1, 'BR (11) 3456-7890', 'DE 030 901820'],
});
const { bit } = countryEvidence;

/** For each habit: where its groups end. The end of the whole number is left out. */
const habitsOf = memoize((country: CountryCode) =>
  (groupingHabits[country] ?? []).map(([leading, groups]) => {
    const isOpen = groups.endsWith('*');
    const ends = groupEndsNamed(groups);
    return { leading, ends: isOpen ? ends : endsInside(ends), isOpen };
  }),
);

/** Evidence for a country by how the number is written. @param reading of the digits as a number of this country. */
export function writingEvidence(parsed: NumberText, reading: Reading, country: CountryCode): Evidence {
  const { national, valid, callingCode } = reading;
  const { digits } = parsed;
  let evidence = valid ? 0 : bit.notInPlan;
  if (parsed.slash && !slashCountries.has(country)) evidence |= bit.slashNotUsed;
  const start = digits.indexOf(national);
  // The text has local digits only. The reading has the area code of the settings in front of them.
  const missing = start < 0 && national.endsWith(digits) ? national.length - digits.length : 0;
  // The country changes the written digits, such as Argentina's 15.
  if (start < 0 && missing === 0) return evidence | bit.ownPrefix | bit.ungrouped;
  const written = missing > 0 ? parsed.groupEnds << missing : parsed.groupEnds >> start;
  const cuts = written & ((1 << national.length) - 2);
  const format = valid ? formatOf(reading) : unplannedFormat(written, country);
  const ends = format ? endsInside(groupEndsOfFormat(format, national)) : 0;
  evidence |= groupingEvidence(cuts, ends, reading, country);
  if (parsed.bracketEnd > start && start >= 0) {
    const end = 1 << (parsed.bracketEnd - start);
    const isArea = ends & end || (evidence & bit.ownGrouping && !(cuts & (end - 1)));
    evidence |= isArea ? bit.areaInBrackets : bit.otherInBrackets;
  }
  if (missing > 0) return evidence;
  const prefix = start === 0 ? '' : digits.slice(0, start);
  const isGroup = (parsed.groupEnds & (1 << start)) !== 0;
  // 448-71820-3339 is an id. Its 44 is not a country code, since a group does not end behind it.
  if (prefix === callingCode && !isGroup && evidence & bit.otherGrouping) return evidence;
  const isApart = prefix !== '' && !parsed.brackets && isGroup;
  if (isApart && format && format.trunk !== 'never' && !format.isTrunkApart) evidence |= bit.trunkApart;
  return evidence | trunkEvidence(prefix, format?.trunk ?? 'never', reading, country);
}

/** 0800 254 456: this code is a group of its own in every country, whatever its plan's format. */
const freephoneCode = /^[01]?80\d$/;

function groupingEvidence(
  cuts: number,
  ends: number,
  { national, type, callingCode }: Reading,
  country: CountryCode,
): Evidence {
  if (cuts === 0) return bit.ungrouped;
  const area = ends & -ends;
  // North America groups the subscriber's seven digits in one way.
  if (callingCode === '1' && cuts & area && (cuts & ~ends) !== 0) return bit.looseGrouping;
  if (type === 'tollFree' && freephoneCode.test(national.slice(0, firstGroupOf(cuts))))
    return bit.ownGrouping;
  // An area code may be written in several groups. The prefix of a mobile number may not.
  if (type === 'mobile' ? (cuts & -cuts) === area : cuts & area) return bit.ownGrouping;
  for (const habit of habitsOf(country)) {
    if (!national.startsWith(habit.leading)) continue;
    if (habit.isOpen ? cuts & habit.ends : cuts === habit.ends) return bit.ownGrouping;
  }
  // 8599771-4402: one cut only, at a place where the format has a cut too.
  const isOneCut = (cuts & (cuts - 1)) === 0;
  return isOneCut && (cuts & ~ends) === 0 ? bit.ownGrouping : bit.otherGrouping;
}

/** Finds a format for digits outside the plan: an ordinary one of the country with the same groups. */
const unplannedFormat = (written: GroupEnds, country: CountryCode): Format | undefined =>
  ordinaryFormats(numberingPlan(country)).find(({ pieces }) => pieces?.ends === (written & ~1));

function trunkEvidence(
  prefix: string,
  use: 'always' | 'optional' | 'never',
  { type }: Reading,
  country: CountryCode,
): Evidence {
  if (prefix === '') {
    const mayMiss = use !== 'always' || mayLackTrunk(type, country);
    return mayMiss ? bit.trunkAsUsual : bit.trunkMissing;
  }
  const plan = numberingPlan(country);
  if (prefix === plan.callingCode || prefix !== plan.nationalPrefix) return bit.ownPrefix;
  return use === 'never' ? bit.trunkNotWritten : bit.trunkAsUsual;
}

/** Evidence that digits outside the plan are a local number: they have its length and groups, like 3456-7890. */
export function localFormEvidence(parsed: NumberText, country: CountryCode): Evidence {
  const { digits, groupEnds } = parsed;
  if (parsed.brackets || digits.startsWith('0')) return 0;
  for (const { pieces } of ordinaryFormats(numberingPlan(country))) {
    if (!pieces) continue;
    const area = firstGroupOf(pieces.ends);
    if (digitCountOf(pieces.ends) - area !== digits.length || digits.length < 6) continue;
    if (endsInside(groupEnds) === 0) return bit.localForm | bit.ungrouped | bit.trunkAsUsual;
    if (groupEnds === ((pieces.ends >> area) & ~1)) return bit.localForm | bit.ownGrouping | bit.trunkAsUsual;
  }
  return 0;
}

/** What surrounds a number, as evidence for a country. */
export function placeEvidence(
  country: CountryCode,
  hints: PageHints | undefined,
  agentCountry: CountryCode | undefined,
): Evidence {
  let evidence = country === agentCountry ? bit.agentCountry : 0;
  if (!hints) return evidence;
  if (hints.near === country) evidence |= bit.namedNear;
  if (hints.topLevelDomain !== undefined && countryOfDomain(hints.topLevelDomain) === country)
    evidence |= bit.siteDomain;
  if (hints.lang !== undefined && countryOfLanguage(hints.lang) === country) evidence |= bit.pageLanguage;
  return evidence;
}

const noCountries: readonly CountryCode[] = [];

/** The countries that the surroundings name, without the agent's own country. The strongest comes first. */
export function hintedCountries(
  hints: PageHints | undefined,
  agentCountry: CountryCode | undefined,
): readonly CountryCode[] {
  if (!hints) return noCountries;
  const { near, topLevelDomain, lang } = hints;
  const found = [
    near,
    topLevelDomain === undefined ? undefined : countryOfDomain(topLevelDomain),
    lang === undefined ? undefined : countryOfLanguage(lang),
  ];
  return [...new Set(found)].filter(
    (country) => country !== undefined && country !== agentCountry,
  ) as CountryCode[];
}
