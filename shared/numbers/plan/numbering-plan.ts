/**
 * A country's numbering plan from libphonenumber's metadata, compiled once: libphonenumber-js compiles its regular
 * expressions around every parse, and a page of numbers needs the same few plans thousands of times.
 */
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type PhoneNumber as ParsedNumber,
} from 'libphonenumber-js/max';
import { memoize } from '../memoize.ts';
import type { NumberType } from '../number-settings.ts';
import { type GroupEnds, groupEndsOf } from './group-ends.ts';

/** The kinds in the order that decides the type of a number which fits several. */
const specialKinds: readonly (readonly [string, NumberType])[] = [
  ['MOBILE', 'mobile'],
  ['PREMIUM_RATE', 'premium'],
  ['TOLL_FREE', 'tollFree'],
  ['SHARED_COST', 'sharedCost'],
  ['VOIP', 'voip'],
  ['PERSONAL_NUMBER', 'personal'],
  ['PAGER', 'pager'],
  ['UAN', 'universal'],
  ['VOICEMAIL', 'voicemail'],
];

/** Inmarsat, Iridium and Globalstar, and the shared networks of sea and air: charged as satellite calls. */
const satelliteCodes = new Set(['870', '881', '882', '883']);
const internationalPremiumCode = '979';

/** Countries that do not use 00, where the metadata lists several international prefixes, one per carrier. */
const internationalPrefixes: Readonly<Record<string, readonly string[]>> = {
  '000': ['KE', 'TZ', 'UG'],
  '001': ['GY', 'HK', 'ID', 'KH', 'KR', 'SG', 'TH'],
  '0011': ['AU'],
  '002': ['TW'],
  '010': ['JP'],
  '810': ['BY', 'KZ', 'RU'],
};

function internationalPrefixOf(country: CountryCode, pattern: string): string {
  const chosen = Object.entries(internationalPrefixes).find(([, countries]) => countries.includes(country));
  return chosen?.[0] ?? (/^\d+$/.test(pattern) ? pattern : '00');
}

/**
 * Ranges for examples and films, which the metadata does not have. Ofcom: "Telephone numbers for use in TV and radio
 * drama programmes". ARCEP: decision 2018-0881. ComReg: numbering conditions of use. Other such ranges, as 555-01XX,
 * are in their plans.
 */
const rangesForExamples: Readonly<Partial<Record<string, string>>> = {
  'GB MOBILE': '7700900\\d{3}',
  'GB FIXED_LINE': '1632960\\d{3}',
  'FR MOBILE': '63998\\d{4}',
  'IE FIXED_LINE': '2091\\d{5}',
};

interface Kind {
  type: NumberType;
  pattern: RegExp;
  /** The lengths of its numbers, as bits. */
  lengths: number;
}

export interface NumberingPlan {
  country: CountryCode;
  callingCode: string;
  /** Dialled before a number abroad, such as 00 or 011. */
  internationalPrefix: string;
  /** Dialled before a national number, such as 0; empty where there is none. */
  nationalPrefix: string;
  /** Digits that may precede the national number: a trunk prefix, a carrier's code. */
  trunk: RegExp | undefined;
  /** The trunk prefix is a zero and nothing else. */
  zeroTrunk: boolean;
  international: RegExp | undefined;
  /** An international prefix, or a trunk prefix other than a plain zero. */
  prefix: RegExp | undefined;
  leading: RegExp | undefined;
  lengths: readonly number[];
  general: RegExp;
  fixed: Kind | undefined;
  kinds: readonly Kind[];
  formats: readonly Format[];
}

export interface Format {
  leading: RegExp | undefined;
  pattern: RegExp;
  /** `+55 $1 $2-$3` */
  style: string;
  /** Whether national numbers of this format are written with the trunk prefix. */
  trunk: 'always' | 'optional' | 'never';
  /** The trunk prefix is written apart: 0 800 123 456. */
  isTrunkApart: boolean;
  /**
   * The groups of the format, and for each piece the text before it, its start and its end. Undefined if a group can
   * have several lengths.
   */
  pieces: { ends: GroupEnds; cuts: readonly (readonly [string, number, number])[] } | undefined;
}

interface RawFormat {
  leadingDigitsPatterns(): string[];
  pattern(): string;
  internationalFormat(): string;
  nationalPrefixFormattingRule(): string | 0 | undefined;
  nationalPrefixIsOptionalWhenFormattingInNationalFormat(): boolean | undefined;
}

interface RawPlan {
  formats(): RawFormat[];
  IDDPrefix(): string | undefined;
  nationalPrefix(): string | undefined;
  nationalNumberPattern(): string;
  possibleLengths(): number[];
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: string): { pattern(): string | undefined; possibleLengths(): number[] } | undefined;
}

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

/** Matches digits that begin with one of the patterns; undefined where there are none. */
function startsWith(patterns: readonly (string | undefined)[]): RegExp | undefined {
  const present = patterns.filter(Boolean);
  return present.length > 0 ? new RegExp(`^(?:${present.join('|')})`) : undefined;
}

const bitsOf = (lengths: readonly number[]): number =>
  lengths.reduce((bits, length) => bits | (1 << length), 0);

export const numberingPlan = memoize(compilePlan);

function compilePlan(country: CountryCode): NumberingPlan {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const raw = metadata.numberingPlan as unknown as RawPlan;
  const kindNamed = (name: string, type: NumberType): Kind | undefined => {
    const kind = raw.type(name);
    const pattern = kind?.pattern();
    if (!pattern) return undefined;
    const ranges = [pattern, rangesForExamples[`${country} ${name}`]].filter(Boolean).join('|');
    return { type, pattern: whole(ranges), lengths: bitsOf(kind!.possibleLengths()) };
  };
  const trunk = raw.nationalPrefixForParsing();
  const idd = raw.IDDPrefix() ?? '';
  const callingCode = getCountryCallingCode(country);
  return {
    country,
    callingCode,
    internationalPrefix: internationalPrefixOf(country, idd),
    // For a country without a national prefix, the metadata has the number 0 here.
    nationalPrefix: raw.nationalPrefix() || '',
    trunk: startsWith([trunk]),
    zeroTrunk: trunk === '0',
    international: startsWith([idd]),
    prefix: startsWith([idd, trunk === '0' ? '' : trunk]),
    leading: startsWith([raw.leadingDigits()]),
    lengths: raw.possibleLengths(),
    general: whole(raw.nationalNumberPattern()),
    fixed: kindNamed('FIXED_LINE', 'fixedLine'),
    kinds: specialKinds.flatMap(([name, type]) => kindNamed(name, type) ?? []),
    formats: raw.formats().map((format) => {
      const style = `+${callingCode} ${format.internationalFormat()}`;
      return {
        leading: startsWith([format.leadingDigitsPatterns().at(-1)]),
        pattern: whole(format.pattern()),
        style,
        trunk: trunkUse(format, raw.nationalPrefix()),
        isTrunkApart: /^\d \$1/.test(format.nationalPrefixFormattingRule() || ''),
        pieces: piecesOf(format.pattern(), style),
      };
    }),
  };
}

function trunkUse(format: RawFormat, prefix: string | undefined): Format['trunk'] {
  // The metadata has 0 if there is not a rule.
  const rule = format.nationalPrefixFormattingRule() || '';
  if (!prefix || !rule.includes('$1') || !rule.slice(0, rule.indexOf('$1')).includes(prefix)) return 'never';
  return format.nationalPrefixIsOptionalWhenFormattingInNationalFormat() ? 'optional' : 'always';
}

/** The groups of a number in this format. */
export const groupEndsOfFormat = ({ pattern, pieces }: Format, national: string): GroupEnds =>
  pieces?.ends ?? groupEndsOf((pattern.exec(national)?.slice(1) ?? []).map(({ length }) => length));

/** Every beginning of two digits, and digits behind it that do not begin another special range. */
const beginnings = Array.from({ length: 90 }, (_, index) => `${index + 10}22222`);

/**
 * The formats of a country's ordinary numbers. Formats with few beginnings, such as freephone and other services, are
 * left out.
 */
export const ordinaryFormats = memoize(({ formats }: NumberingPlan): readonly Format[] =>
  formats.filter(({ leading }) => !leading || beginnings.filter((digits) => leading.test(digits)).length > 9),
);

/**
 * The countries of a calling code, its main country first. Empty for an unknown code, or a code without a country
 * (+800, +881).
 */
export const countriesOfCode = memoize((callingCode: string): readonly CountryCode[] => {
  const metadata = new Metadata() as unknown as {
    getCountryCodesForCallingCode(code: string): CountryCode[] | undefined;
  };
  return (metadata.getCountryCodesForCallingCode(callingCode) ?? []).filter((country) =>
    isSupportedCountry(country),
  );
});

/** @param national digits without trunk prefix. @returns undefined where the plan does not have the number. */
export function typeInPlan(national: string, plan: NumberingPlan): NumberType | undefined {
  if (!plan.lengths.includes(national.length) || !plan.general.test(national)) return undefined;
  const { fixed, kinds } = plan;
  if (fixed && isOfKind(national, fixed)) {
    const mobile = kinds[0]?.type === 'mobile' ? kinds[0] : undefined;
    return !mobile || isOfKind(national, mobile) ? 'fixedLineOrMobile' : 'fixedLine';
  }
  for (const kind of kinds) if (isOfKind(national, kind)) return kind.type;
  return undefined;
}

const isOfKind = (national: string, { pattern, lengths }: Kind): boolean =>
  (lengths & (1 << national.length)) !== 0 && pattern.test(national);

/** The type that libphonenumber gives, except for calling codes of satellites and the international premium code. */
export function typeOf(parsed: ParsedNumber): NumberType {
  const code: string = parsed.countryCallingCode;
  if (satelliteCodes.has(code)) return 'satellite';
  if (code === internationalPremiumCode) return 'premium';
  const type = parsed.getType();
  if (type === 'FIXED_LINE') return 'fixedLine';
  if (type === 'FIXED_LINE_OR_MOBILE') return 'fixedLineOrMobile';
  return specialKinds.find(([name]) => name === type)?.[1] ?? 'unknown';
}

/** `(\d{2})(\d{4})(\d{4})` and `$1 $2-$3` as slices: a number is put together many times faster than by replacing. */
function piecesOf(pattern: string, style: string): Format['pieces'] {
  const ends: number[] = [0];
  for (const [, length] of pattern.matchAll(/\(\\d(?:\{(\d)\})?\)/g))
    ends.push(ends.at(-1)! + Number(length ?? 1));
  if (pattern.replace(/\(\\d(?:\{\d\})?\)/g, '') !== '' || !/\$\d$/.test(style)) return undefined;
  const cuts = [...style.matchAll(/([^$]*)\$(\d)/g)].map(
    ([, before, group]) => [before!, ends[Number(group) - 1]!, ends[Number(group)]!] as const,
  );
  return { ends: ends.slice(1).reduce((bits, end) => bits | (1 << end), 0), cuts };
}
