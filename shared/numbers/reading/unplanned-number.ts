/** Makes a number of digits that are not valid in any numbering plan. */
import type { CountryCode } from 'libphonenumber-js/max';
import { isAnnounced, type NotANumber, type PhoneNumber } from '../number.ts';
import type { ContextWords } from '../number-in-text.ts';
import { groupCountOf, groupEndsNamed } from '../plan/group-ends.ts';
import { numberingPlan } from '../plan/numbering-plan.ts';
import { displayAsWritten, type NumberText } from '../text/number-text.ts';
import type { JudgeSettings } from './judge-settings.ts';
import { numberOf, type Reading, read } from './reading.ts';

/** The most digits of a number with its country code (E.164). */
const maxDigits = 15;
/** The most digits of a number without a country code. Numbers in plans are not longer. */
const maxNationalDigits = 13;

/**
 * Shape and context words decide about digits that are not valid in any plan. Plans change, and people write numbers of
 * a colleague's country.
 */
export function unplannedNumber(
  parsed: NumberText,
  contextWords: ContextWords,
  settings: JudgeSettings,
): PhoneNumber | { why: NotANumber } {
  const { digits, plus } = parsed;
  const { country } = settings;
  const reading = plus || !country ? (plus ? read(digits) : undefined) : read(digits, country);
  if (!isAnnounced(contextWords) && !hasShapeOfNumber(parsed, reading, country)) return { why: 'notValid' };
  if (digits.length > (plus ? maxDigits : maxNationalDigits) || digits.length < 6 || isTooShortAbroad(parsed))
    return { why: 'notPossible' };
  if (country && numberingPlan(country).callingCode === '1' && /^1\d{6}$/.test(digits))
    return { why: 'notPossible' };
  if (reading?.possible) {
    const number = numberOf({ ...reading, type: 'unknown' }, parsed.extension, displayAsWritten(parsed));
    // Without a plus it may be a local number. Its international form is then not known.
    if (!plus) delete number.e164;
    if (!plus && country) number.country = country;
    return number;
  }
  return {
    national: digits,
    ...(country && !plus ? { country } : {}),
    type: 'unknown',
    ...(parsed.extension ? { extension: parsed.extension } : {}),
    display: displayAsWritten(parsed),
  };
}

/** 00583617: too few digits behind the international prefix 00. Or the digits are zeros only. */
const isTooShortAbroad = ({ digits, plus }: NumberText): boolean =>
  !plus && /^(?:00\d{0,7}|0+)$/.test(digits);

/** +10 000 000 downloads: the plus means "more than". +45 33 00 00 00 is a number: it is not in groups of three. */
function isRoundFigure({ digits, groupEnds }: NumberText): boolean {
  if (!digits.endsWith('00000')) return false;
  for (let at = 1; at < digits.length; at++)
    if (groupEnds & (1 << at) && (digits.length - at) % 3 !== 0) return false;
  return true;
}
const northAmerican = groupEndsNamed('3-3-4');

function hasShapeOfNumber(
  parsed: NumberText,
  reading: Reading | undefined,
  country: CountryCode | undefined,
): boolean {
  if (!reading) return false;
  const { digits, groupEnds, plus } = parsed;
  const groupCount = groupCountOf(groupEnds);
  const { possible } = reading;
  if (plus) {
    const hasGroups = groupCount > 2 && digits.length > 7 && digits.length < 14;
    return (possible || hasGroups) && !isRoundFigure(parsed);
  }
  if (!country) return false;
  const { callingCode, national } = reading;
  if (possible && parsed.brackets && digits.length > 8) return true;
  // The country code of the agent's country without a plus, in groups: 1-444-555-1234. A code of one digit may be
  // joined to the area code: 1415 555 0132. An area does not begin with a zero there: Postfach 10 01 36. A longer
  // code is a group of its own.
  const isCodeApart =
    callingCode.length === 1 ? national[0] !== '0' : (groupEnds & (1 << callingCode.length)) !== 0;
  const isWithCode = digits.length === callingCode.length + national.length;
  if (possible && groupCount > 2 && isWithCode && isCodeApart) return true;
  if (callingCode !== '1') return false;
  // North America: the groups 3-3-4, or seven local digits with an extension.
  return (
    (possible && groupEnds === northAmerican) ||
    (digits.length === 7 && digits[0]! > '1' && parsed.extension !== '')
  );
}
