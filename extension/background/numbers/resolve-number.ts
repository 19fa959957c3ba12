/** From text to a decision: judged, given its digits, asked of the guard. The same for pages, menus, omnibox and clicks. */

import { decideDial } from '../../../shared/numbers/dial/dial-guard.ts';
import { dialDigits } from '../../../shared/numbers/dial/dial-plan.ts';
import { judge, parseDialInput } from '../../../shared/numbers/judge/judge.ts';
import type {
  Candidate,
  Decision,
  Judgement,
  PageHints,
  PhoneNumber,
} from '../../../shared/numbers/number.ts';
import type { JudgedNumber } from '../../messages.ts';
import type { Settings } from '../../settings.ts';
import { text } from '../../text.ts';

export interface Understood {
  number: PhoneNumber;
  /** Digits that `/call` would get. */
  to: string;
  decision: Decision;
}

/** A candidate that the content script found in a page. @returns undefined where it is no number. */
export function understandText(
  candidate: Pick<Candidate, 'text' | 'contextWords' | 'whole'>,
  settings: Settings,
  hints: PageHints,
  recentCalls: readonly string[] = [],
): Understood | undefined {
  return decide(judge(candidate, settings.numbers, hints), settings, recentCalls);
}

/** What a person typed, or the address of a tel:, callto: or sip: link. @returns undefined where it is no number. */
export function understandInput(
  input: string,
  settings: Settings,
  recentCalls: readonly string[] = [],
): Understood | undefined {
  const judgement = parseDialInput(input, settings.numbers);
  if ('why' in judgement && judgement.why === 'emergency') {
    // Typed on purpose: it deserves the reason, not "this is no number".
    const to = input.replace(/\D/g, '');
    return {
      number: { national: to, type: 'emergency', display: to },
      to,
      decision: { verdict: 'refuse', reason: 'emergency', detail: to },
    };
  }
  return decide(judgement, settings, recentCalls);
}

function decide(
  judgement: Judgement,
  settings: Settings,
  recentCalls: readonly string[],
): Understood | undefined {
  if (!('number' in judgement)) return undefined;
  const digits = dialDigits(judgement.number, settings.numbers);
  const policy = { ...settings.guard, country: settings.numbers.country };
  return {
    number: judgement.number,
    to: digits.to,
    decision: decideDial(judgement.number, digits, policy, { now: new Date(), recentCalls }),
  };
}

/** What a page may see of it. */
export function judgedNumber({ number, to, decision }: Understood): JudgedNumber {
  return {
    display: number.display,
    to,
    ...(number.extension === undefined ? {} : { extension: number.extension }),
    ...(number.country === undefined ? {} : { country: number.country }),
    verdict: decision.verdict,
    ...(decision.verdict === 'allow' ? {} : { reason: guardSentence(decision) }),
  };
}

export function guardSentence(decision: Pick<Decision, 'reason' | 'detail'>): string {
  return text(`guard_${decision.reason}`, decision.detail ?? '');
}
