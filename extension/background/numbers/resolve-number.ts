/** From text to a decision: judged, given its digits, put to the guard. The same for pages, menus, omnibox and clicks. */
import { decideDial } from '../../../shared/numbers/dial/allow-or-refuse.ts';
import { dialDigits } from '../../../shared/numbers/dial/dial-plan.ts';
import type { Candidate, Decision, PageHints, PhoneNumber } from '../../../shared/numbers/number.ts';
import { parseDialInput } from '../../../shared/numbers/reading/dial-input.ts';
import { judge } from '../../../shared/numbers/reading/judge.ts';
import { parseNumberText } from '../../../shared/numbers/text/number-text.ts';
import type { JudgedNumber, OfferedReading } from '../../messages/views.ts';
import type { Settings } from '../../settings.ts';
import { countryName, text } from '../../text.ts';

/** Where a number comes from: typed or linked (tel:, callto:, sip:), or found in the text of a page. */
export type NumberSource =
  | { kind: 'input'; input: string; hints?: PageHints | undefined }
  | ({ kind: 'text'; hints: PageHints } & Pick<Candidate, 'text' | 'contextWords' | 'whole'>);

/** The guard's decision, or the question about a number's country. */
type DialDecision = Decision | { verdict: 'confirm'; reason: 'doubtfulCountry'; detail?: string | undefined };

export interface Reading {
  number: PhoneNumber;
  /** Digits that `/call` would get. */
  to: string;
  decision: DialDecision;
}

interface ResolvedNumber extends Reading {
  /** The agent's own country: numbers elsewhere say where. */
  home: string;
  /** What else it may be, where its country is doubtful; never what the guard refuses. */
  alternatives: readonly Reading[];
  isDoubtful: boolean;
}

/** Readings that the agent chose before: `keyOf` -> `idOf`. */
export type ChosenReadings = ReadonlyMap<string, string>;

interface ResolveOptions {
  /** ISO times of the calls of the last minute. */
  recentCalls?: readonly string[];
  chosen?: ChosenReadings;
}

/** @returns undefined where the source is no number. */
export function resolveNumber(
  source: NumberSource,
  settings: Settings,
  { recentCalls = [], chosen }: ResolveOptions = {},
): ResolvedNumber | undefined {
  const { country, dialRules } = settings.numbers;
  const outsidePrefixes = dialRules.flatMap(({ prepend }) => prepend ?? []);
  const judgement =
    source.kind === 'input'
      ? parseDialInput(source.input, settings.numbers, source.hints)
      : judge(source, settings.numbers, source.hints);
  if ('number' in judgement) {
    const { number, certainty, alternatives } = judgement;
    const readings = [number, ...alternatives].map((each): Reading => {
      const digits = dialDigits(each, settings.numbers);
      const now = new Date();
      return {
        number: each,
        to: digits.to,
        decision: decideDial(each, digits, settings.guard, {
          country,
          now,
          recentCalls,
          outsidePrefixes,
        }),
      };
    });
    const id = certainty === 'doubtful' ? chosen?.get(keyOf(source, settings)) : undefined;
    const own = readings.find((each) => idOf(each.number) === id) ?? readings[0]!;
    const isDoubtful = certainty === 'doubtful' && id !== idOf(own.number);
    return {
      ...own,
      decision: isDoubtful ? doubtful(own) : own.decision,
      home: country,
      isDoubtful,
      alternatives: readings.filter((each) => each !== own && each.decision.verdict !== 'refuse'),
    };
  }
  if (source.kind === 'text' || judgement.why !== 'emergency') return undefined;
  // Typed on purpose: the agent gets the reason, not "this is no number".
  const to = source.input.replace(/\D/g, '');
  return {
    number: { national: to, type: 'emergency', display: to },
    to,
    decision: { verdict: 'refuse', reason: 'emergency', detail: to },
    home: country,
    isDoubtful: false,
    alternatives: [],
  };
}

/** What costs more than an ordinary call is said first: the offered readings come with every question. */
function doubtful({ number, decision }: Reading): DialDecision {
  const isPlain = decision.verdict === 'allow' || decision.reason === 'abroad';
  return isPlain ? doubtfulCountry({ number }) : decision;
}

export const doubtfulCountry = ({ number }: Pick<Reading, 'number'>): DialDecision => ({
  verdict: 'confirm',
  reason: 'doubtfulCountry',
  detail: number.country,
});

/** A doubtful number as it is remembered: its digits as written, for an agent of this country. */
export function keyOf(source: NumberSource, settings: Settings): string {
  const written = source.kind === 'input' ? source.input : (source.whole ?? source.text);
  return `${settings.numbers.country} ${parseNumberText(written.replace(/^[a-z]+:/i, '')).digits}`;
}

export const idOf = ({ e164, country, national }: PhoneNumber): string => e164 ?? `${country} ${national}`;

/** What a page may see of a number. */
export function toJudgedNumber({ number, to, decision, home, isDoubtful }: ResolvedNumber): JudgedNumber {
  const { display, extension, country } = number;
  const place = country === home ? undefined : placeName(country);
  return {
    display,
    to,
    ...(extension !== undefined && { extension }),
    ...(country !== undefined && { country }),
    ...(place !== undefined && { place }),
    verdict: decision.verdict,
    ...(isDoubtful && { isDoubtful }),
    ...(decision.verdict !== 'allow' && { reason: guardSentence(decision) }),
  };
}

/** What the agent is asked about a number that has several readings, or one in doubt; undefined for any other. */
export function offeredReadings({
  isDoubtful,
  alternatives,
  ...own
}: ResolvedNumber): OfferedReading[] | undefined {
  if (!isDoubtful && alternatives.length === 0) return undefined;
  return [own, ...alternatives].slice(0, 2).map(({ number, to }) => ({
    display: number.display,
    to,
    ...(number.country !== undefined && { place: placeName(number.country) }),
  }));
}

export function guardSentence({ reason, detail }: Pick<DialDecision, 'reason' | 'detail'>): string {
  return text(`guard_${reason}`, placeName(detail) ?? detail ?? '');
}

/** A country's name in the agent's language; undefined for anything but a country's code. */
function placeName(country: string | undefined): string | undefined {
  return country !== undefined && /^[A-Z]{2}$/.test(country) ? countryName(country) : undefined;
}
