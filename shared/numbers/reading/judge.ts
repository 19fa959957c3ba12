/** Candidate + settings -> a phone number, or why it is none. libphonenumber's metadata knows what a number is. */
import type { CountryCode } from 'libphonenumber-js/max';
import type { Evidence } from '../evidence.ts';
import { isAnnounced, type Judgement, type PageHints, type PhoneNumber } from '../number.ts';
import type { ContextWords, NumberInText } from '../number-in-text.ts';
import type { NumberSettings } from '../number-settings.ts';
import { isEmergency } from '../plan/emergency.ts';
import { matchesExtensionPattern } from '../plan/extension-pattern.ts';
import { endsInside, groupCountOf } from '../plan/group-ends.ts';
import { numberingPlan } from '../plan/numbering-plan.ts';
import { type NumberText, parseNumberText } from '../text/number-text.ts';
import {
  countryEvidence,
  hintedCountries,
  localFormEvidence,
  minCertainPoints,
  placeEvidence,
  writingEvidence,
} from './country-evidence.ts';
import { type ForeignReading, strongestForeign } from './foreign-reading.ts';
import {
  homeReading,
  isOfLocalLength,
  isWrittenWithTrunk,
  localReading,
  validReading,
  withDirectLine,
  withMobilePrefix,
  withoutLastGroup,
} from './home-reading.ts';
import type { JudgeSettings } from './judge-settings.ts';
import { countriesWithLength } from './page-country.ts';
import { numberOf, type Reading, read } from './reading.ts';
import { unplannedNumber } from './unplanned-number.ts';

/**
 * Judges one candidate.
 * @param hints of the page. They can make a number of the agent's country doubtful (`isRival`). They never make another
 * country's number certain.
 */
export function judge(candidate: NumberInText, settings: JudgeSettings, hints?: PageHints): Judgement {
  const { text, contextWords, whole } = candidate;
  if (whole === undefined) return judgeText(candidate, settings, hints);
  const judged = judgeText({ text: whole, contextWords }, settings, hints);
  const own = judgeText({ text, contextWords }, settings, hints);
  // A local number beside a full number takes the area code of that number, if the result is valid.
  if (isPlannedAtHome(judged, settings)) return isWholeAlone(own, settings) ? own : judged;
  // The completed number, such as 0800 4004-0001, may be valid in another country only. It counts unless the short
  // number is valid at home.
  if (isPlanned(judged) && !isPlannedAtHome(own, settings)) return judged;
  return 'number' in own && own.number.type !== 'internal' ? own : judged;
}

function isPlanned(judged: Judgement): boolean {
  return 'number' in judged && judged.number.type !== 'unknown';
}

/** Whether the number is complete: 4004-1234 in Brazil, 444 0 123 in Turkey, or with its own area code. */
function isWholeAlone(own: Judgement, settings: JudgeSettings): boolean {
  if (!('number' in own) || !isPlannedAtHome(own, settings)) return false;
  const isNationwide = /^(?:sharedCost|universal)$/.test(own.number.type);
  return isNationwide || (own.certainty === 'certain' && own.addedAreaCode === undefined);
}

function isPlannedAtHome(judged: Judgement, { country }: JudgeSettings): boolean {
  return isPlanned(judged) && 'number' in judged && judged.number.country === country;
}

function judgeText(
  candidate: NumberInText,
  settings: JudgeSettings,
  hints: PageHints | undefined,
): Judgement {
  const parsed = parseNumberText(candidate.text);
  const { digits, plus } = parsed;
  if (!plus) {
    const internal = internalExtension(parsed, settings);
    if (internal) return certain(internal);
    if (settings.country ? isEmergency(digits, settings.country) : digits === '112' || digits === '911') {
      return { why: 'emergency' };
    }
  }
  if (digits.length < 6) return { why: 'tooShort' };
  if (digits.length > 18) return { why: 'tooLong' };
  if (plus) {
    const known = validReading(digits) ?? withDirectLine(parsed);
    const listed = listedNumber(candidate, settings, hints);
    if (known) {
      const number = numberOf(known, parsed.extension);
      return listed ? question(0, number, listed) : certain(number);
    }
    if (listed) return certain(listed);
    const number = unplannedNumber(parsed, candidate.contextWords, settings);
    if ('why' in number) return number;
    const shorter = withoutLastGroup(parsed);
    return shorter ? question(0, numberOf(shorter, parsed.extension), number) : certain(number);
  }
  const judged = judgeNational(parsed, candidate.contextWords, settings, hints);
  // Behind a label of something else, digits are a number only if they are grouped in the country's way. Groups with a
  // telephone prefix count, too.
  const isOther =
    candidate.contextWords === 'label' &&
    'number' in judged &&
    !hasOwnGroups(judged.evidence) &&
    !isPrefixApart(parsed, judged.evidence);
  return isOther ? { why: 'looksLikeOtherThing' } : judged;
}

/** Reads `+ 48 3322-4466` as a number of the agent's country. A plus with a space behind it may mark a list item. */
function listedNumber(
  { text, contextWords }: NumberInText,
  settings: JudgeSettings,
  hints: PageHints | undefined,
): PhoneNumber | undefined {
  if (!/^\+\s/.test(text)) return undefined;
  const judged = judgeText({ text: text.slice(1).trimStart(), contextWords }, settings, hints);
  return 'number' in judged && judged.certainty === 'certain' && isPlannedAtHome(judged, settings)
    ? judged.number
    : undefined;
}

const oddGroupings = countryEvidence.bit.otherGrouping | countryEvidence.bit.looseGrouping;
const hasOwnGroups = (evidence: Evidence): boolean => (evidence & countryEvidence.bit.ownGrouping) !== 0;

/** 00 353 87 613 9026, 0351 15 628-4917: the digits have a telephone prefix and are in groups. */
const isPrefixApart = ({ groupEnds }: NumberText, evidence: Evidence): boolean =>
  (evidence & countryEvidence.bit.ownPrefix) !== 0 && endsInside(groupEnds) !== 0;

/**
 * Judges digits without a plus, first as a number of the agent's country. Another country with enough evidence makes
 * the number doubtful.
 */
function judgeNational(
  parsed: NumberText,
  words: ContextWords,
  settings: JudgeSettings,
  hints: PageHints | undefined,
): Judgement {
  const { country } = settings;
  const { digits } = parsed;
  const isPhone = isAnnounced(words);
  const home = country && homeReading(parsed, isPhone, country);
  if (!home && digits.startsWith('00') && digits.length > 9) {
    const abroad = validReading(digits.slice(2));
    if (abroad) return certain(numberOf(abroad, parsed.extension));
  }
  const foreign = strongestForeign(parsed, hintedCountries(hints, country), hints, country);
  const local = home ? undefined : localReading(parsed, isPhone, settings);
  if (local && country) {
    const own = numberOf(local, parsed.extension);
    return foreign
      ? question(foreign.evidence, numberOf(foreign.reading, parsed.extension), own)
      : { ...question(placeEvidence(country, hints, country), own), addedAreaCode: settings.areaCode! };
  }
  if (home) {
    const evidence = homeEvidence(parsed, home, country, hints);
    const meant = words === 'mobile' ? withMobilePrefix(home, parsed) : home;
    // Digits in groups that the country does not use are an id, unless words or another country support a number.
    const isOddlyGrouped = (evidence & oddGroupings) !== 0 && !parsed.brackets;
    if (isOddlyGrouped && !isPhone && !foreign) return { why: 'looksLikeOtherThing' };
    // Cep: 0541 736 28 50, beside +49: where a word announces a mobile number, a fixed line elsewhere is not meant.
    const isFixedAbroad =
      words === 'mobile' && meant.type === 'mobile' && foreign?.reading.type === 'fixedLine';
    const rival = isFixedAbroad ? undefined : foreign;
    return chooseVerdict(parsed, numberOf(meant, parsed.extension), evidence, rival, settings, hints);
  }
  // Without a phone word, digits must be written in the way of the country that the page names.
  const isNamed = foreign && (isPhone || isWrittenWithTrunk(foreign.reading, parsed, foreign.country));
  return judgeUnplanned(parsed, isPhone, isNamed ? foreign : undefined, settings, hints);
}

/** Digits that are not valid in the agent's country. */
function judgeUnplanned(
  parsed: NumberText,
  isPhone: boolean,
  foreign: ForeignReading | undefined,
  settings: JudgeSettings,
  hints: PageHints | undefined,
): Judgement {
  const { country } = settings;
  const { digits, extension } = parsed;
  const number = unplannedNumber(parsed, isPhone || foreign ? 'phone' : 'none', settings);
  if ('why' in number)
    return foreign ? question(foreign.evidence, numberOf(foreign.reading, extension)) : number;
  // A country code without its plus, behind a phone word: 359 895 123 456.
  const mayBeInternational = isPhone && !foreign && digits.length > 10 && digits[0] !== '0';
  const international = mayBeInternational ? validReading(digits) : undefined;
  if (international) return question(0, numberOf(international, extension), number);
  if (!country) return certain(number);
  return chooseVerdict(parsed, number, unplannedEvidence(parsed, country, hints), foreign, settings, hints);
}

/** With this lead in points, a country that the page does not name comes first in the question. */
const leadWithoutName = 4;

/** The agent's own number if it has enough points. Otherwise a question, with the likeliest number first. */
function chooseVerdict(
  parsed: NumberText,
  own: PhoneNumber,
  evidence: Evidence,
  named: ForeignReading | undefined,
  settings: JudgeSettings,
  hints: PageHints | undefined,
): Judgement {
  const points = countryEvidence.sum(evidence);
  if (points >= minCertainPoints && !(named && isRival(named, parsed, evidence, hints)))
    return certain(own, evidence);
  // Digits that may be a local number are not tried as numbers of countries that the page does not name.
  const isLocal = (evidence & countryEvidence.bit.localForm) !== 0 || isOfLocalLength(parsed, settings);
  const countries = isLocal ? [] : countriesWithLength(parsed.digits);
  const foreign = named ?? strongestForeign(parsed, countries, hints, settings.country);
  if (!foreign) return question(evidence, own);
  const other = numberOf(foreign.reading, parsed.extension);
  return foreign.points >= points + (named ? 1 : leadWithoutName)
    ? question(foreign.evidence, other, own)
    : question(evidence, own, other);
}

/**
 * Whether another country that the page names may be meant. Either it has more evidence. Or the page does not name the
 * agent's country, and the digits fit both countries alike. `312 345 6789` on an Italian page may be Italian or
 * American.
 */
function isRival(
  named: ForeignReading,
  { groupEnds }: NumberText,
  evidence: Evidence,
  hints: PageHints | undefined,
): boolean {
  const { namedNear, siteDomain, pageLanguage } = countryEvidence.bit;
  if (named.points > countryEvidence.sum(evidence)) return true;
  if ((evidence & (namedNear | siteDomain | pageLanguage)) !== 0) return false;
  const isByLanguageAlone = (named.evidence & (namedNear | siteDomain)) === 0;
  // Software in English is used in every country.
  if (isByLanguageAlone && hints?.lang === 'en') return false;
  if (hasOwnGroups(named.evidence)) return true;
  // The same holds for English with a region, such as `en-US`, which programs set by default.
  return groupCountOf(groupEnds) === 1 && !(isByLanguageAlone && hints?.lang?.startsWith('en'));
}

const noNumbers: readonly PhoneNumber[] = [];
const certain = (number: PhoneNumber, evidence: Evidence = 0): Judgement => ({
  number,
  certainty: 'certain',
  alternatives: noNumbers,
  evidence,
});
const question = (evidence: Evidence, number: PhoneNumber, ...alternatives: PhoneNumber[]): Judgement => ({
  number,
  certainty: 'doubtful',
  alternatives,
  evidence,
});

function homeEvidence(
  parsed: NumberText,
  home: Reading,
  country: CountryCode,
  hints: PageHints | undefined,
): Evidence {
  // 011 44 20 … in the United States: a number of another country, with the prefix for calls abroad.
  const own = home.callingCode === numberingPlan(country).callingCode;
  return (
    placeEvidence(country, hints, country) |
    (own ? writingEvidence(parsed, home, country) : countryEvidence.bit.ownPrefix)
  );
}

function unplannedEvidence(parsed: NumberText, country: CountryCode, hints: PageHints | undefined): Evidence {
  const reading = read(parsed.digits, country);
  return (
    placeEvidence(country, hints, country) |
    (localFormEvidence(parsed, country) ||
      (reading ? writingEvidence(parsed, { ...reading, valid: false }, country) : 0)) |
    countryEvidence.bit.notInPlan
  );
}

export function internalExtension(
  parsed: NumberText,
  settings: Pick<NumberSettings, 'extensions'>,
): PhoneNumber | undefined {
  const { digits } = parsed;
  if (groupCountOf(parsed.groupEnds) !== 1 || parsed.extension) return undefined;
  if (!settings.extensions.some((pattern) => matchesExtensionPattern(pattern, digits))) return undefined;
  return { national: digits, type: 'internal', display: digits };
}
