/** Candidate + settings -> a phone number, or why it is none. libphonenumber's metadata knows what a number is. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Evidence } from '../evidence.ts';
import type { Judgement, NotANumber, PageHints, PhoneNumber } from '../number.ts';
import type { ContextWords, NumberInText } from '../number-in-text.ts';
import type { NumberSettings } from '../number-settings.ts';
import { isEmergency } from '../plan/emergency.ts';
import { matchesExtensionPattern } from '../plan/extension-pattern.ts';
import { numberingPlan } from '../plan/numbering-plan.ts';
import { type NumberText, parseNumberText, plainText } from '../text/number-text.ts';
import {
  CERTAIN,
  countryEvidence,
  hintedCountries,
  localFormEvidence,
  placeEvidence,
  writingEvidence,
} from './country-evidence.ts';
import { countriesWithLength } from './page-country.ts';
import { numberOf, type Reading, read, readWritten } from './reading.ts';

/** Number settings of which the country may be unknown: then only international forms and clear context words count. */
export type JudgeSettings = Omit<NumberSettings, 'country'> & { country?: CountryCode | undefined };

/** Prefixes that a country gave up and that people still write. */
const LEGACY_PREFIXES: Partial<Record<CountryCode, readonly string[]>> = { MX: ['01', '044', '045', '521'] };

/**
 * Judges one candidate.
 * @param hints of the page, weaker than the settings' country: used only where that country has no such number.
 */
export function judge(candidate: NumberInText, settings: JudgeSettings, hints?: PageHints): Judgement {
  const { text, contextWords, whole } = candidate;
  if (whole === undefined) return judgeText(candidate, settings, hints);
  const judged = judgeText({ text: whole, contextWords }, settings, hints);
  // A local number beside one with an area code has that area code, where that makes it a number.
  if (isPlanned(judged)) return judged;
  const own = judgeText({ text, contextWords }, settings, hints);
  return 'number' in own && own.number.type !== 'internal' ? own : judged;
}

function isPlanned(judged: Judgement): boolean {
  return 'number' in judged && judged.number.type !== 'unknown';
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
    const known = valid(digits) ?? withDirectLine(parsed);
    const number = known
      ? numberOf(known, parsed.extension)
      : unplanned(parsed, candidate.contextWords, settings);
    return 'why' in number ? number : certain(number);
  }
  return judgeNational(parsed, candidate.contextWords === 'phone', settings, hints);
}

const NO_NUMBERS: readonly PhoneNumber[] = [];
const certain = (number: PhoneNumber, evidence: Evidence = 0): Judgement => ({
  number,
  certainty: 'certain',
  alternatives: NO_NUMBERS,
  evidence,
});

/** Digits without a plus: the agent's country's, where it writes them so, else of the country that has the most evidence. */
function judgeNational(
  parsed: NumberText,
  clear: boolean,
  settings: JudgeSettings,
  hints: PageHints | undefined,
): Judgement {
  const { country } = settings;
  const home = country && homeReading(parsed, clear, country, settings);
  if (!home && parsed.digits.startsWith('00') && parsed.digits.length > 9) {
    const abroad = valid(parsed.digits.slice(2));
    if (abroad) return certain(numberOf(abroad, parsed.extension));
  }
  const evidence = home ? homeEvidence(parsed, home, country, hints) : 0;
  const homePoints = countryEvidence.sum(evidence);
  const others = hintedCountries(hints, country);
  if (home && homePoints >= CERTAIN && others.length === 0)
    return certain(numberOf(home, parsed.extension), evidence);
  let foreign = strongest(parsed, others, hints, country);
  if (home && homePoints >= CERTAIN && !(foreign && foreign.points > homePoints))
    return certain(numberOf(home, parsed.extension), evidence);
  // Without a phone word or a reading here, digits must be written as their country writes them, and something must name it.
  if (!home && foreign && !clear && !isWrittenWithTrunk(foreign.reading, parsed, foreign.country))
    foreign = undefined;
  if (home)
    return doubtful(
      parsed,
      { number: numberOf(home, parsed.extension), points: homePoints, evidence },
      foreign,
      settings,
      hints,
    );
  const number = unplanned(parsed, clear || foreign ? 'phone' : 'none', settings);
  if ('why' in number)
    return foreign ? question(foreign.evidence, numberOf(foreign.reading, parsed.extension)) : number;
  // A country code without its plus, behind a phone word: 359 895 123 456.
  const code =
    clear && !foreign && parsed.digits.length > 10 && parsed.digits[0] !== '0' && valid(parsed.digits);
  if (code) return question(0, numberOf(code, parsed.extension), number);
  if (!country) return certain(number);
  const localEvidence = unplannedEvidence(parsed, country, hints);
  const local = { number, points: countryEvidence.sum(localEvidence), evidence: localEvidence };
  if (local.points >= CERTAIN && !(foreign && foreign.points > local.points))
    return certain(number, localEvidence);
  return doubtful(parsed, local, foreign, settings, hints);
}

/** The clearest reading first, and the one of the agent's country. */
function doubtful(
  parsed: NumberText,
  local: Weighed,
  named: Foreign | undefined,
  { country }: JudgeSettings,
  hints: PageHints | undefined,
): Judgement {
  // Where nothing names a country, its own form must speak for it much more clearly than for the agent's.
  const foreign = named ?? strongest(parsed, countriesWithLength(parsed.digits), hints, country);
  if (!foreign) return question(local.evidence, local.number);
  const other = numberOf(foreign.reading, parsed.extension);
  const isClear = foreign.points >= local.points + (named ? 1 : CLEAR_LEAD);
  return isClear
    ? question(foreign.evidence, other, local.number)
    : question(local.evidence, local.number, other);
}

const CLEAR_LEAD = 4;

interface Foreign {
  reading: Reading;
  country: CountryCode;
  points: number;
  evidence: Evidence;
}

interface Weighed {
  number: PhoneNumber;
  points: number;
  evidence: Evidence;
}

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
  // 011 44 20 … in the United States: the digits are those of another country, written as calls abroad are.
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

/** Of the countries whose plan has the number, the one with the most points, where these are enough to offer it. */
function strongest(
  parsed: NumberText,
  countries: readonly CountryCode[],
  hints: PageHints | undefined,
  agentCountry: CountryCode | undefined,
): Foreign | undefined {
  let best: Foreign | undefined;
  for (const country of countries) {
    if (country === agentCountry) continue;
    const written = readWritten(parsed.digits, country);
    const reading = written.valid
      ? written
      : countries.length > MAX_NAMED
        ? undefined
        : readChanged(parsed, country);
    if (!reading) continue;
    const evidence = writingEvidence(parsed, reading, country) | placeEvidence(country, hints, agentCountry);
    const points = countryEvidence.sum(evidence);
    if (points >= CERTAIN && points > (best?.points ?? 0)) best = { reading, country, points, evidence };
    if (points >= MOST_BY_FORM && countries.length > MAX_NAMED) break;
  }
  return best;
}

/** Grouped digits that a country changes where it is called: Argentina's mobiles, `11 15-2345-6789`. */
function readChanged({ digits, groupCount }: NumberText, country: CountryCode): Reading | undefined {
  const reading = groupCount > 1 ? valid(digits, country) : undefined;
  return reading?.country === country && !digits.endsWith(reading.national) ? reading : undefined;
}

/** What the form alone can give: its grouping, the area code in brackets, the trunk prefix. */
const MOST_BY_FORM = 8;
/** A page names at most so many countries: by words, by its address and by its language. */
const MAX_NAMED = 3;

export function internalExtension(
  parsed: NumberText,
  settings: Pick<NumberSettings, 'extensions'>,
): PhoneNumber | undefined {
  const { digits } = parsed;
  if (parsed.groupCount !== 1 || parsed.extension) return undefined;
  if (!settings.extensions.some((pattern) => matchesExtensionPattern(pattern, digits))) return undefined;
  return { national: digits, type: 'internal', display: digits };
}

/** The first reading of national digits that the plan of the agent's country calls valid. */
function homeReading(
  parsed: NumberText,
  clear: boolean,
  country: CountryCode,
  settings: JudgeSettings,
): Reading | undefined {
  const { digits } = parsed;
  const home = valid(digits, country);
  if (home && (clear || parsed.brackets || isWrittenWithTrunk(home, parsed, country))) return home;
  const switchboard = clear && !home ? withDirectLine(parsed, country) : undefined;
  if (switchboard) return switchboard;
  const local = localReading(parsed, clear, settings);
  if (local) return local;
  for (const prefix of LEGACY_PREFIXES[country] ?? []) {
    const rest = digits.startsWith(prefix) ? valid(digits.slice(prefix.length), country) : undefined;
    if (rest) return rest;
  }
  return undefined;
}

function valid(digits: string, country?: CountryCode): Reading | undefined {
  const reading = read(digits, country);
  if (reading?.valid) return reading;
  return !country && OLD_MEXICAN_MOBILE.test(digits) ? valid(`52${digits.slice(3)}`) : undefined;
}

/** +52 1 55 1234 5678: Mexico took the 1 out of its mobile numbers in 2019, and address books still have it. */
const OLD_MEXICAN_MOBILE = /^521\d{10}$/;

/** A local number without area code, completed by the one in the settings: 3456-7890, 555-0100. */
function localReading(parsed: NumberText, clear: boolean, settings: JudgeSettings): Reading | undefined {
  const { areaCode, country } = settings;
  const { digits, firstGroup, lastGroup } = parsed;
  if (!areaCode || !country || digits.length < 6 || digits.length > 9) return undefined;
  if (!clear && !(parsed.groupCount === 2 && lastGroup === 4 && firstGroup > 2 && parsed.isLastGroupDashed))
    return undefined;
  return valid(areaCode + digits, country);
}

/** 86 20 6130-2222-8866: too long with the last group, which is the direct line behind a valid number. */
function withDirectLine(parsed: NumberText, country?: CountryCode): Reading | undefined {
  const length = parsed.lastGroup;
  if (!parsed.isLastGroupDashed || length > 4 || parsed.groupCount < 3) return undefined;
  const reading = valid(parsed.digits.slice(0, -length), country);
  if (reading) parsed.extension ||= parsed.digits.slice(-length);
  return reading;
}

/**
 * Where a country writes its trunk prefix before national numbers, digits without one are as likely another thing:
 * "3005202415" is a Berlin number to the metadata, and a date with an hour to the reader.
 */
function isWrittenWithTrunk(known: Reading, parsed: NumberText, country: CountryCode): boolean {
  const trunk = numberingPlan(country).nationalPrefix;
  if (trunk === '' || known.callingCode === '1' || parsed.digits.startsWith(trunk)) return true;
  if (parsed.digits.length > known.national.length) return true;
  if (
    known.type === 'mobile' &&
    MOBILE_WITHOUT_TRUNK.has(country) &&
    (parsed.groupCount > 2 || country === 'IN')
  )
    return true;
  let seen = trunkIsWritten.get(country);
  if (!seen) {
    seen = new Map();
    trunkIsWritten.set(country, seen);
  }
  const { national } = known;
  let key = national.length;
  for (let at = 0; at < 4 && at < national.length; at++) key = key * 10 + national.charCodeAt(at) - 48;
  let shownWithTrunk = seen.get(key);
  if (shownWithTrunk === undefined) {
    const shown =
      parsePhoneNumberFromString(`+${known.callingCode}${known.national}`)?.formatNational() ?? '';
    shownWithTrunk = shown.replace(/\D/g, '').startsWith(trunk);
    seen.set(key, shownWithTrunk);
  }
  return !shownWithTrunk;
}

/** Where mobile numbers are as often written without: 532 123 45 67, 916 123-45-67. In India even without groups. */
const MOBILE_WITHOUT_TRUNK = new Set<CountryCode>(['IN', 'TR', 'RU', 'UA', 'KZ', 'BY', 'PK', 'ID']);

/** Whether numbers of a length that begin with the same four digits are written with their trunk prefix. */
const trunkIsWritten = new Map<CountryCode, Map<number, boolean>>();

/** No plan calls it valid: shape and context words decide. Plans change, and people write numbers in a colleague's country. */
function unplanned(
  parsed: NumberText,
  contextWords: ContextWords,
  settings: JudgeSettings,
): PhoneNumber | { why: NotANumber } {
  const { digits, plus } = parsed;
  const { country } = settings;
  const reading = plus || !country ? (plus ? read(digits) : undefined) : read(digits, country);
  if (contextWords === 'none' && !hasShapeOfNumber(parsed, reading, country)) return { why: 'notValid' };
  if (digits.length > 15 || digits.length < 6 || /^0+$/.test(digits)) return { why: 'notPossible' };
  if (country && numberingPlan(country).callingCode === '1' && /^1\d{6}$/.test(digits))
    return { why: 'notPossible' };
  if (reading?.possible) {
    const number = numberOf({ ...reading, type: 'unknown' }, parsed.extension, plainText(parsed));
    // Without a plus it may be a local number: which one in the world is not known.
    if (!plus) delete number.e164;
    if (!plus && country) number.country = country;
    return number;
  }
  return {
    national: digits,
    ...(country && !plus ? { country } : {}),
    type: 'unknown',
    ...(parsed.extension ? { extension: parsed.extension } : {}),
    display: plainText(parsed),
  };
}

function hasShapeOfNumber(
  parsed: NumberText,
  reading: Reading | undefined,
  country: CountryCode | undefined,
): boolean {
  if (!reading) return false;
  const { digits, groupCount, plus } = parsed;
  const { possible } = reading;
  if (plus) return possible || (groupCount > 2 && digits.length > 7 && digits.length < 14);
  if (!country) return false;
  const { callingCode } = reading;
  if (possible && parsed.brackets && digits.length > 8) return true;
  // The own country code without its plus, in groups: 1-444-555-1234.
  if (possible && groupCount > 2 && digits.length === callingCode.length + reading.national.length)
    return true;
  if (callingCode !== '1') return false;
  // North America's one shape, and its seven local digits before an extension.
  return (
    (possible && parsed.shape === 334) || (digits.length === 7 && digits[0]! > '1' && parsed.extension !== '')
  );
}
