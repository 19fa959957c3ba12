/**
 * The words of `shared/numbers`: what the steps from text to dialled digits hand to each other.
 * text -> scan -> Candidate -> judge -> Judgement -> dial plan -> DialledDigits -> guard -> Decision.
 */
import type { CountryCode } from 'libphonenumber-js/core';

/** What the words around a candidate say of it. `phone`: "tel", "ramal", "call" …; `none`: nothing either way. */
export type Cue = 'phone' | 'none';

/** A stretch of text that has the shape of a phone number. `text.slice(start, end) === candidate.text`; UTF-16 units. */
export interface Candidate {
  start: number;
  end: number;
  text: string;
  cue: Cue;
  /**
   * The number in full, where the text before shows the rest of it: `3456-7891` for the `7891` of `3456-7890/7891`.
   * Judged in place of `text`.
   */
  whole?: string | undefined;
}

/** What the number settings of an agent or administrator say; the same object drives extension and relay. */
export interface NumberSettings {
  /** Country of numbers written without one. */
  country: CountryCode;
  /** Area code put before local numbers written without one, digits only, without trunk zero. */
  areaCode?: string | undefined;
  /** Internal extensions, Asterisk style: `_1XXX`, `_[2-4]XX`, or plain digits. */
  extensions: readonly string[];
  /** Ordered; the first rule that matches a number makes its digits, else the default plan does. */
  dialRules: readonly DialRule[];
}

/** Weak hints of the page a number stands on, weaker than the settings' country when both fit. */
export interface PageHints {
  lang?: string | undefined;
  topLevelDomain?: string | undefined;
}

export type NumberType =
  | 'fixedLine'
  | 'mobile'
  | 'fixedLineOrMobile'
  | 'tollFree'
  | 'premium'
  | 'sharedCost'
  | 'voip'
  | 'personal'
  | 'pager'
  | 'universal'
  | 'voicemail'
  | 'satellite'
  | 'short'
  | 'emergency'
  | 'internal'
  | 'unknown';

/** A number as understood. `extension` is what to dial after the callee answered; it is never part of the digits. */
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

export type Judgement = { number: PhoneNumber } | { why: NotANumber };

/** One rule of the dial plan. All conditions given must hold. An administrator reads and tests these. */
export interface DialRule {
  /** What it is for, in the administrator's words. */
  note?: string | undefined;
  when: {
    countries?: readonly CountryCode[] | undefined;
    types?: readonly NumberType[] | undefined;
    /** The digits that the default plan would dial start with this. */
    prefix?: string | undefined;
    minLength?: number | undefined;
    maxLength?: number | undefined;
  };
  /** Digits taken off the front of what the default plan would dial. */
  strip?: number | undefined;
  /** Digits put in front afterwards. */
  prepend?: string | undefined;
}

/** The digits of `to` and which rule made them; `rule` is the index in `dialRules`, absent for the default plan. */
export interface DialledDigits {
  to: string;
  rule?: number;
}

/** What may be dialled. Used by extension and relay alike. */
export interface GuardPolicy {
  /** The agent's own country. */
  country: CountryCode;
  /** Countries dialled without asking, beside one's own. */
  allowedCountries: readonly CountryCode[];
  /** `confirm` (default) or `refuse` for every other country. */
  otherCountries: 'allow' | 'confirm' | 'refuse';
  premium: 'allow' | 'confirm' | 'refuse';
  sharedCost: 'allow' | 'confirm' | 'refuse';
  satellite: 'allow' | 'confirm' | 'refuse';
  short: 'allow' | 'confirm' | 'refuse';
  /** Digits of `to`, or `+` and E.164 digits, that are never dialled. */
  blockedPrefixes: readonly string[];
  /** When calls may be placed; absent: always. Minutes of the local day, days 0 (Sunday) to 6. */
  officeHours?: { days: readonly number[]; fromMinute: number; toMinute: number } | undefined;
  maxCallsPerMinute: number;
}

export type GuardReason =
  | 'ok'
  | 'abroad'
  | 'premium'
  | 'sharedCost'
  | 'satellite'
  | 'short'
  | 'emergency'
  | 'blockedPrefix'
  | 'officeHours'
  | 'tooManyCalls'
  | 'notANumber';

export interface Decision {
  verdict: 'allow' | 'confirm' | 'refuse';
  reason: GuardReason;
  /** What the reason is about where it has a subject: a country code, a prefix, a count. */
  detail?: string;
}
