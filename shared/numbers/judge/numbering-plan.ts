/**
 * A country's numbering plan out of libphonenumber's metadata, compiled once. libphonenumber-js builds its regular
 * expressions anew around every parse; judging a page of numbers asks the same few plans thousands of times.
 * `numbering-plan.test.ts` holds its answers against libphonenumber-js itself.
 */
import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/max';
import type { NumberType } from '../number-settings.ts';

/** In the order in which a number that fits several is decided. */
const KINDS: readonly (readonly [string, NumberType])[] = [
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

export interface NumberingPlan {
  country: CountryCode;
  callingCode: string;
  /** Digits that may stand before the national number: a trunk prefix, a carrier's code. */
  trunk: RegExp | undefined;
  /** The trunk prefix is a zero and nothing else. */
  zeroTrunk: boolean;
  international: RegExp | undefined;
  leading: RegExp | undefined;
  lengths: readonly number[];
  general: RegExp;
  fixed: RegExp | undefined;
  kinds: readonly { pattern: RegExp; type: NumberType }[];
  formats: readonly Format[];
}

interface Format {
  leading: RegExp | undefined;
  pattern: RegExp;
  style: string;
  /** Where every group has one length: the number's length, and in turn what stands before a piece and where it ends. */
  pieces: { length: number; cuts: readonly (readonly [string, number, number])[] } | undefined;
}

interface RawFormat {
  leadingDigitsPatterns(): string[];
  pattern(): string;
  internationalFormat(): string;
}

interface RawPlan {
  formats(): RawFormat[];
  IDDPrefix(): string | undefined;
  nationalNumberPattern(): string;
  possibleLengths(): number[];
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: string): { pattern(): string | undefined } | undefined;
}

const plans = new Map<CountryCode, NumberingPlan>();
const byCallingCode = new Map<string, CountryCode[]>();

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

export function numberingPlan(country: CountryCode): NumberingPlan {
  let plan = plans.get(country);
  if (!plan) {
    const metadata = new Metadata();
    metadata.selectNumberingPlan(country);
    const raw = metadata.numberingPlan as unknown as RawPlan;
    const patternOf = (name: string) => raw.type(name)?.pattern() || undefined;
    const trunk = raw.nationalPrefixForParsing();
    const leading = raw.leadingDigits();
    const fixed = patternOf('FIXED_LINE');
    plan = {
      country,
      callingCode: getCountryCallingCode(country),
      trunk: trunk ? new RegExp(`^(?:${trunk})`) : undefined,
      zeroTrunk: trunk === '0',
      international: raw.IDDPrefix() ? new RegExp(`^(?:${raw.IDDPrefix()})`) : undefined,
      leading: leading ? new RegExp(`^(?:${leading})`) : undefined,
      lengths: raw.possibleLengths(),
      general: whole(raw.nationalNumberPattern()),
      fixed: fixed === undefined ? undefined : whole(fixed),
      kinds: KINDS.flatMap(([name, type]) => {
        const pattern = patternOf(name);
        return pattern === undefined ? [] : [{ pattern: whole(pattern), type }];
      }),
      formats: raw.formats().map((format) => {
        const leads = format.leadingDigitsPatterns().at(-1);
        return {
          leading: leads === undefined ? undefined : new RegExp(`^(?:${leads})`),
          pattern: whole(format.pattern()),
          style: format.internationalFormat(),
          pieces: piecesOf(format.pattern(), format.internationalFormat()),
        };
      }),
    };
    plans.set(country, plan);
  }
  return plan;
}

/** The countries of a calling code, its main one first; empty where it is none, or one of no country (+800, +881). */
export function countriesOfCode(callingCode: string): readonly CountryCode[] {
  if (byCallingCode.size === 0) {
    for (const country of getCountries()) {
      const code = getCountryCallingCode(country);
      const list = byCallingCode.get(code);
      if (list) list.push(country);
      else byCallingCode.set(code, [country]);
    }
    for (const [code, list] of byCallingCode) {
      const metadata = new Metadata() as unknown as {
        getCountryCodesForCallingCode(code: string): CountryCode[] | undefined;
      };
      byCallingCode.set(code, metadata.getCountryCodesForCallingCode(code) ?? list);
    }
  }
  return byCallingCode.get(callingCode) ?? [];
}

/** @param national digits without trunk prefix. @returns undefined where the plan does not have the number. */
export function typeInPlan(national: string, plan: NumberingPlan): NumberType | undefined {
  if (!plan.lengths.includes(national.length) || !plan.general.test(national)) return undefined;
  const { fixed, kinds } = plan;
  if (fixed?.test(national)) {
    const mobile = kinds[0]?.type === 'mobile' ? kinds[0].pattern : undefined;
    return !mobile || mobile.test(national) ? 'fixedLineOrMobile' : 'fixedLine';
  }
  for (const { pattern, type } of kinds) if (pattern.test(national)) return type;
  return undefined;
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
  return { length: ends.at(-1)!, cuts };
}

/** `+55 11 3456-7890`: a number with its country code, in the style of its country. */
export function displayOf({
  callingCode,
  country,
  national,
}: Pick<Reading, 'callingCode' | 'country' | 'national'>): string {
  const home = country ?? countriesOfCode(callingCode)[0];
  if (home) {
    for (const { leading, pattern, pieces, style } of numberingPlan(home).formats) {
      if (pieces && pieces.length !== national.length) continue;
      if (leading && !leading.test(national)) continue;
      if (pieces) {
        let text = `+${callingCode} `;
        for (const [before, start, end] of pieces.cuts) text += before + national.slice(start, end);
        return text;
      }
      if (pattern.test(national)) return `+${callingCode} ${national.replace(pattern, style)}`;
    }
  }
  return `+${callingCode} ${national}`;
}

/** Digits as one country's, or one calling code's, number. */
export interface Reading {
  /** Absent where several share the calling code and none has the number, and for codes of no country. */
  country?: CountryCode;
  callingCode: string;
  national: string;
  type: NumberType;
  valid: boolean;
  /** Of a length that the plan has. */
  possible: boolean;
}

/**
 * A national number read at once, where nothing stands before it that may be a prefix, or a plain trunk zero does.
 * @returns undefined where it takes libphonenumber's own long way to tell.
 */
export function readNational(digits: string, country: CountryCode): Reading | undefined {
  const plan = numberingPlan(country);
  if (plan.international?.test(digits)) return undefined;
  if (plan.zeroTrunk && digits.startsWith('0')) {
    return plan.general.test(digits) ? undefined : validIn(digits.slice(1), plan.callingCode);
  }
  if (plan.trunk?.test(digits)) return undefined;
  if (digits.startsWith(plan.callingCode)) {
    const short = digits.slice(plan.callingCode.length);
    if (plan.general.test(digits) || !plan.general.test(short) || plan.trunk?.test(short)) return undefined;
    return validIn(short, plan.callingCode);
  }
  return inCountries(digits, plan.callingCode);
}

/** A number behind its plus, read at once, of a calling code that belongs to countries; undefined as above. */
export function readInternational(digits: string): Reading | undefined {
  for (let length = 1; length < 4; length++) {
    const code = digits.slice(0, length);
    const main = countriesOfCode(code)[0];
    if (!main) continue;
    const national = digits.slice(length);
    return numberingPlan(main).trunk?.test(national) ? undefined : inCountries(national, code);
  }
  return undefined;
}

function validIn(national: string, callingCode: string): Reading | undefined {
  const reading = inCountries(national, callingCode);
  return reading.valid ? reading : undefined;
}

/** Leading digits, where a country has them, say that a number is its own; elsewhere a number that fits does. */
function inCountries(national: string, callingCode: string): Reading {
  const countries = countriesOfCode(callingCode);
  let owner: NumberingPlan | undefined;
  for (const country of countries) {
    const plan = numberingPlan(country);
    if (plan.leading && !plan.leading.test(national)) continue;
    const type = typeInPlan(national, plan);
    if (type) return { country, callingCode, national, type, valid: true, possible: true };
    if (plan.leading || countries.length === 1) {
      owner = plan;
      break;
    }
  }
  const possible = (owner ?? numberingPlan(countries[0]!)).lengths.includes(national.length);
  const reading: Reading = { callingCode, national, type: 'unknown', valid: false, possible };
  if (owner) reading.country = owner.country;
  return reading;
}
