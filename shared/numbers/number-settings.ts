/**
 * Schemas of the number settings and the guard's policy, for the extension's options and the managed policy; the relay
 * builds a policy of its own.
 */
import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod/mini';

const digitsOnly = (what: string) =>
  z.string().check(z.regex(/^\d+$/, `${what}: digits only were expected, such as 48`));

/** Two capital letters of a country that has phone numbers, such as BR. */
const KnownCountry = z.custom<CountryCode>(
  (value) => typeof value === 'string' && isSupportedCountry(value),
  'a country code of two capital letters was expected, such as BR',
);

/** `_1XXX`, `_[2-4]XX`, `_ZXX`, `_NXX` or plain digits. */
const ExtensionPattern = z
  .string()
  .check(
    z.regex(
      /^(?:\d{1,11}|_(?:[\dXZNxzn]|\[\d(?:-\d)?(?:\d(?:-\d)?)*\]){1,11})$/,
      'an extension was expected as digits (1105) or as an Asterisk pattern: _ and then digits, X, Z, ' +
        'N or [2-4] (_1XXX)',
    ),
  );

export const numberTypes = [
  'fixedLine',
  'mobile',
  'fixedLineOrMobile',
  'tollFree',
  'premium',
  'sharedCost',
  'voip',
  'personal',
  'pager',
  'universal',
  'voicemail',
  'satellite',
  'short',
  'emergency',
  'internal',
  'unknown',
] as const;
export type NumberType = (typeof numberTypes)[number];

const length = z.int('a whole number of digits was expected').check(z.minimum(0), z.maximum(32));

/** One rule of the dial plan. All conditions given must hold. */
export const DialRule = z.object({
  /** What it is for, in the administrator's words. */
  note: z.optional(z.string()),
  when: z.object({
    countries: z.optional(z.array(KnownCountry)),
    types: z.optional(z.array(z.enum(numberTypes, `one of ${numberTypes.join(', ')} was expected`))),
    /** The digits that the default plan would dial start with this. */
    prefix: z.optional(digitsOnly('the prefix of the digits to match')),
    minLength: z.optional(length),
    maxLength: z.optional(length),
  }),
  /** How many digits are taken off the front of what the default plan would dial. */
  strip: z.optional(length),
  /** Digits put in front afterwards. */
  prepend: z.optional(
    z.string().check(z.regex(/^\d*$/, 'the digits put in front: digits only were expected, such as 0')),
  ),
});
export type DialRule = z.infer<typeof DialRule>;

export const NumberSettings = z.object({
  /** The country of numbers that are written without a country. */
  country: KnownCountry,
  /** The area code of local numbers that are written without an area code. */
  areaCode: z.optional(
    z
      .string()
      .check(z.regex(/^[1-9]\d{0,4}$/, 'an area code without its trunk zero was expected, such as 48 or 11')),
  ),
  extensions: z.array(ExtensionPattern),
  /** The first rule that matches a number makes its digits, else the default plan does. */
  dialRules: z.array(DialRule),
});
export type NumberSettings = z.infer<typeof NumberSettings>;

const Verdict = z.enum(['allow', 'confirm', 'refuse'], 'allow, confirm or refuse was expected');
export type Verdict = z.infer<typeof Verdict>;

const minute = z.int('a minute of the day was expected, 0 to 1440').check(z.minimum(0), z.maximum(1440));

/** What may be dialled, in extension and relay alike. */
export const GuardPolicy = z.object({
  /** Countries that are dialled without asking, beside the agent's own. */
  allowedCountries: z.array(KnownCountry),
  otherCountries: Verdict,
  premium: Verdict,
  sharedCost: Verdict,
  satellite: Verdict,
  short: Verdict,
  /** Digits of `to`, or `+` and E.164 digits, that are never dialled. */
  blockedPrefixes: z.array(
    z
      .string()
      .check(
        z.regex(/^\+?\d+$/, 'digits, or + and digits with country code, were expected, such as 0900 or +881'),
      ),
  ),
  /** When calls may be placed, in local time; absent: always. */
  officeHours: z.optional(
    z.object({
      days: z.array(z.int('a day was expected, 0 (Sunday) to 6').check(z.minimum(0), z.maximum(6))),
      fromMinute: minute,
      toMinute: minute,
    }),
  ),
  maxCallsPerMinute: z.int('a whole number of calls was expected').check(z.minimum(1)),
});
export type GuardPolicy = z.infer<typeof GuardPolicy>;
