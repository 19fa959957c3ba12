/** From text to a decision: judged, given its digits, put to the guard. The same for pages, menus, omnibox and clicks. */
import { decideDial } from '../../../shared/numbers/dial/dial-guard.ts';
import { dialDigits } from '../../../shared/numbers/dial/dial-plan.ts';
import { parseDialInput } from '../../../shared/numbers/judge/dial-input.ts';
import { judge } from '../../../shared/numbers/judge/judge.ts';
import type { Candidate, Decision, PageHints, PhoneNumber } from '../../../shared/numbers/number.ts';
import type { JudgedNumber } from '../../messages.ts';
import type { Settings } from '../../settings.ts';
import { text } from '../../text.ts';

/** Where a number comes from: typed or linked (tel:, callto:, sip:), or found in the text of a page. */
export type NumberSource =
  | { kind: 'input'; input: string }
  | ({ kind: 'text'; hints: PageHints } & Pick<Candidate, 'text' | 'contextWords' | 'whole'>);

export interface ResolvedNumber {
  number: PhoneNumber;
  /** Digits that `/call` would get. */
  to: string;
  decision: Decision;
}

/**
 * @param recentCalls ISO times of the calls of the last minute.
 * @returns undefined where the source is no number.
 */
export function resolveNumber(
  source: NumberSource,
  settings: Settings,
  recentCalls: readonly string[] = [],
): ResolvedNumber | undefined {
  const judgement =
    source.kind === 'input'
      ? parseDialInput(source.input, settings.numbers)
      : judge(source, settings.numbers, source.hints);
  if ('number' in judgement) {
    const { number } = judgement;
    const digits = dialDigits(number, settings.numbers);
    const { country } = settings.numbers;
    return {
      number,
      to: digits.to,
      decision: decideDial(number, digits, settings.guard, { country, now: new Date(), recentCalls }),
    };
  }
  if (source.kind === 'text' || judgement.why !== 'emergency') return undefined;
  // Typed on purpose: the agent gets the reason, not "this is no number".
  const to = source.input.replace(/\D/g, '');
  return {
    number: { national: to, type: 'emergency', display: to },
    to,
    decision: { verdict: 'refuse', reason: 'emergency', detail: to },
  };
}

/** What a page may see of a number. */
export function toJudgedNumber({ number, to, decision }: ResolvedNumber): JudgedNumber {
  return {
    display: number.display,
    to,
    ...(number.extension !== undefined && { extension: number.extension }),
    ...(number.country !== undefined && { country: number.country }),
    verdict: decision.verdict,
    ...(decision.verdict !== 'allow' && { reason: guardSentence(decision) }),
  };
}

export function guardSentence(decision: Pick<Decision, 'reason' | 'detail'>): string {
  return text(`guard_${decision.reason}`, decision.detail ?? '');
}
