/**
 * What a source of a number means, and whether it would be dialled. Pages, popup, tester, address bar and clicks get
 * the same answer, and so does the relay, from digits.
 */
import type { Decision, DialledDigits, Judgement, NotANumber, PageHints, PhoneNumber } from '../number.ts';
import type { NumberInText } from '../number-in-text.ts';
import type { GuardPolicy, NumberSettings } from '../number-settings.ts';
import { dialText, parseDialInput } from '../reading/dial-input.ts';
import { judge } from '../reading/judge.ts';
import { parseNumberText } from '../text/number-text.ts';
import { readTelephoneAddress } from '../text/telephone-address.ts';
import { decideDial, numbersOfDigits } from './allow-or-refuse.ts';
import { dialDigits } from './dial-plan.ts';

export type NumberSource =
  /** Typed, pasted or followed by a person: a number or a telephone address. */
  | { kind: 'typed'; text: string }
  /** Found in a page: a text or a link's telephone address. */
  | { kind: 'page'; number: NumberInText; topLevelDomain?: string | undefined }
  /** Sent by a client of the relay. The relay gets only the digits, which may reach several numbers. */
  | { kind: 'digits'; to: string };

export interface DialSettings {
  numbers: NumberSettings;
  guard: GuardPolicy;
}

export interface ResolveContext {
  now: Date;
  /** ISO times of the calls placed lately, in any order. */
  recentCalls?: readonly string[] | undefined;
  /** What the agent answered about doubtful numbers before: `answerKey` -> `numberId`. */
  chosen?: ReadonlyMap<string, string> | undefined;
}

/** One number that a source may mean. */
export interface DialReading {
  number: PhoneNumber;
  digits: DialledDigits;
  decision: Decision;
}

export interface ResolvedNumber extends DialReading {
  /** The other numbers that the source may mean. After an agent's choice, they are still listed. */
  alternatives: readonly DialReading[];
  /** The agent is asked first which number is meant. */
  isDoubtful: boolean;
}

export function resolve(
  source: NumberSource,
  settings: DialSettings,
  context: ResolveContext,
): ResolvedNumber | { why: NotANumber } {
  const { numbers, guard } = settings;
  const guardContext = {
    country: numbers.country,
    now: context.now,
    recentCalls: context.recentCalls ?? [],
    outsidePrefixes: numbers.dialRules.flatMap(({ prepend }) => prepend ?? []),
  };
  const read = (number: PhoneNumber): DialReading => {
    // These digits have been through a dial plan already, so they are not changed.
    const digits = source.kind === 'digits' ? { to: source.to } : dialDigits(number, numbers);
    return { number, digits, decision: decideDial(number, digits, guard, guardContext) };
  };
  if (source.kind === 'digits') {
    const [first, ...others] = numbersOfDigits(source.to, numbers);
    return { ...read(first), alternatives: others.map(read), isDoubtful: others.length > 0 };
  }
  const judged = judgeSource(source, numbers);
  if ('why' in judged) {
    if (source.kind === 'page' || judged.why !== 'emergency') return judged;
    // Typed on purpose: the agent gets the reason, not "this is not a number".
    const to = parseNumberText(dialText(source.text)).digits;
    const number = { national: to, type: 'emergency', display: to } as const;
    return { ...read(number), alternatives: [], isDoubtful: false };
  }
  const readings = [judged.number, ...judged.alternatives].map(read);
  const isCertain = judged.certainty === 'certain';
  const answer = isCertain ? undefined : context.chosen?.get(answerKey(source, numbers));
  const chosen = readings.find(({ number }) => answer !== undefined && numberId(number) === answer);
  const own = chosen ?? readings[0]!;
  const isDoubtful = !isCertain && !chosen;
  return {
    ...own,
    decision: isDoubtful ? withQuestion(own, judged.addedAreaCode) : own.decision,
    isDoubtful,
    alternatives: readings.filter((each) => each !== own && each.decision.verdict !== 'refuse'),
  };
}

type WrittenSource = Exclude<NumberSource, { kind: 'digits' }>;

function judgeSource(source: WrittenSource, settings: NumberSettings): Judgement {
  if (source.kind === 'typed') return parseDialInput(source.text, settings);
  const { number, topLevelDomain } = source;
  const hints: PageHints = { near: number.near, lang: number.lang, topLevelDomain };
  return readTelephoneAddress(number.text)
    ? parseDialInput(number.text, settings, hints)
    : judge(number, settings, hints);
}

/** The key under which an answer about a doubtful number is stored: the agent's country and the digits as written. */
export function answerKey(source: WrittenSource, { country }: Pick<NumberSettings, 'country'>): string {
  const written = source.kind === 'typed' ? source.text : (source.number.whole ?? source.number.text);
  return `${country} ${parseNumberText(dialText(written)).digits}`;
}

export const numberId = ({ e164, country, national }: PhoneNumber): string =>
  e164 ?? `${country} ${national}`;

/**
 * The question about the country or area code. A decision that already asks or refuses is kept, unless its reason is
 * `abroad`.
 */
function withQuestion({ number, decision }: DialReading, areaCode: string | undefined): Decision {
  if (decision.verdict !== 'allow' && decision.reason !== 'abroad') return decision;
  if (areaCode === undefined) return countryQuestion(number);
  return { verdict: 'confirm', reason: 'addedAreaCode', detail: areaCode };
}

export const countryQuestion = ({ country }: PhoneNumber): Decision => ({
  verdict: 'confirm',
  reason: 'doubtfulCountry',
  ...(country !== undefined && { detail: country }),
});
