/** Why the relay did not do what was requested, in the words of `error_<code>`. */
import type { Problem } from '../../../shared/protocol/messages.ts';
import { type Refusal, type Result, refuse } from '../../messages/result.ts';
import { eitherOf, isTextKey, text } from '../../text.ts';
import { numberProblemSentence } from '../numbers/known-words.ts';
import type { Relay, RelayOutcome } from './relay-client.ts';
import { mayReach } from './route.ts';
import { teamRules } from './team-rules.ts';

/** Problems that an agent may override with a reason, if the key has the right `override`. */
const teamRuleCodes: ReadonlySet<string> = new Set([
  'doNotCall',
  'callingHours',
  'listTooOld',
  'tooManyAttempts',
]);

/** The sentence in the agent's language where the problem is known, else the relay's own English. */
function problemSentence(problem: Problem | undefined): string | undefined {
  const ofNumber = problem && numberProblemSentence(problem);
  if (ofNumber !== undefined) return ofNumber;
  const key = `relay_${problem?.code}`;
  return isTextKey(key) ? text(key) : (problem?.detail ?? problem?.title);
}

/** @returns undefined where the relay did what was requested. */
export async function relayFailure(
  outcome: RelayOutcome<unknown>,
  relay: Relay,
): Promise<Refusal | undefined> {
  if (outcome.kind === 'ok') return undefined;
  // A 5xx without a problem object comes from a proxy. The relay behind it does not answer.
  if (outcome.kind === 'problem' && (outcome.problem || outcome.status < 500)) {
    const { problem } = outcome;
    // A 401 without a problem object comes from a proxy that wants its own password.
    if (problem && outcome.status === 401) return { code: 'wrongKey' };
    if (problem?.callers) return { code: 'chooseExtension', detail: eitherOf(problem.callers) };
    const detail = problemSentence(problem) ?? `HTTP ${outcome.status}`;
    const isRule = teamRuleCodes.has(problem?.code ?? '');
    return { code: 'relayRefused', detail, mayOverride: isRule && (await teamRules())?.mayOverride };
  }
  if (!(await mayReach(relay.url))) return { code: 'noPermission', detail: new URL(relay.url).hostname };
  return { code: 'relayUnreachable' };
}

/** The same as `relayFailure`, in words that are not about placing a call. */
export async function relayRefusal(outcome: RelayOutcome<unknown>, relay: Relay): Promise<Result<never>> {
  const failure = await relayFailure(outcome, relay);
  if (!failure || failure.code === 'relayUnreachable') return refuse('relayOffline');
  return refuse(failure.code, failure.detail);
}
