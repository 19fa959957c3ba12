/**
 * The types that the steps from text to dialled digits pass on:
 * text -> scan -> Candidate -> judge -> Judgement -> dial plan -> DialledDigits -> guard -> Decision.
 */
import type { CountryCode } from 'libphonenumber-js/core';
import type { Evidence } from './evidence.ts';
import type { ContextWords, NumberInText } from './number-in-text.ts';
import type { NumberType, Verdict } from './number-settings.ts';

/**
 * A stretch of text that has the shape of a phone number. `text.slice(start, end) === candidate.text`; UTF-16
 * units.
 */
export interface Candidate extends NumberInText {
  start: number;
  end: number;
  /** The rows of `candidateEvidence` that decided. */
  evidence: Evidence;
}

/** Whether words for telephones are before a number. */
export const isAnnounced = (words: ContextWords): boolean => words === 'phone' || words === 'mobile';

/** Digits that were weighed and are not a phone number. */
export type DroppedDigits = Pick<Candidate, 'start' | 'end' | 'evidence'>;

/** Hints from around a number about its country. They are weaker than the way in which the number is written. */
export interface PageHints extends Pick<NumberInText, 'near' | 'lang'> {
  /** The last label of the page's host: `de`. */
  topLevelDomain?: string | undefined;
}

/** A parsed number. `extension` is what to dial after the callee answered; it is never part of the digits. */
export interface PhoneNumber {
  /** `+5548999998888`; absent for internal extensions and short codes. */
  e164?: string;
  /** National significant number, digits only, no trunk prefix; an internal extension's own digits. */
  national: string;
  country?: CountryCode;
  /** Country calling code, digits. */
  callingCode?: string;
  type: NumberType;
  extension?: string;
  /** How to show it to a person, in the style of its country. */
  display: string;
}

/** Why a candidate is not shown as a number. */
export type NotANumber =
  | 'tooShort'
  | 'tooLong'
  | 'notPossible'
  | 'notValid'
  | 'emergency'
  | 'looksLikeOtherThing';

/**
 * `certain`: international, or written as its country writes numbers and that country is the agent's.
 * `doubtful`: it may be of another country; the clearest reading is `number`, and the agent is asked first.
 */
export type Judgement =
  | {
      number: PhoneNumber;
      certainty: 'certain' | 'doubtful';
      alternatives: readonly PhoneNumber[];
      /** The agent's own area code, where the number was written without one. */
      addedAreaCode?: string;
      /** The rows of `countryEvidence` for the country of `number`. Empty if its country was not in question. */
      evidence: Evidence;
    }
  | { why: NotANumber };

/** The digits of `to` and which rule made them; `rule` is the index in `dialRules`, absent for the default plan. */
export interface DialledDigits {
  to: string;
  rule?: number;
}

export type GuardReason =
  | 'ok'
  | 'abroad'
  /** The number may be of another country than the agent thinks. */
  | 'doubtfulCountry'
  /** The number was written without an area code, and has the agent's own now. */
  | 'addedAreaCode'
  | 'premium'
  | 'sharedCost'
  | 'satellite'
  | 'short'
  | 'emergency'
  /** An emergency number may follow a first digit that a telephone system takes for an outside line. */
  | 'mayBeEmergency'
  | 'blockedPrefix'
  /** On the organisation's list of numbers that are never called. */
  | 'doNotCall'
  | 'officeHours'
  | 'tooManyCalls'
  | 'notANumber';

export interface Decision {
  verdict: Verdict;
  reason: GuardReason;
  /** What the reason is about, if it has a subject: a country code, a prefix, a count. */
  detail?: string;
}
