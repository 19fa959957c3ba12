/**
 * The agent's day in figures. The day begins at midnight by this browser's clock, which shows the agent's local time.
 */
import { type Call, isFinished } from '../../../shared/call/call.ts';
import { outcomeOf, wasNotPlaced } from '../../../shared/call/outcome.ts';
import { defaultOutcomes, type WrapUpOutcome } from '../../../shared/record/wrap-up.ts';
import { ok, type Result } from '../../messages/result.ts';
import type { DayView } from '../../messages/wrap-up.ts';
import { readSettings } from '../settings/settings-store.ts';
import { recordsSince } from './call-store.ts';
import { fetchCallbacks, fetchCalls, type Relay } from './relay-client.ts';
import { relayRefusal } from './relay-refusal.ts';
import { followingRelay } from './route.ts';
import { teamRules } from './team-rules.ts';

const pageSize = 100;
/** This many pages hold more calls than an agent makes in a day. */
const maxPages = 20;

/**
 * The relay also knows the calls of the agent's other browsers. If it does not answer, only this browser's calls are
 * counted.
 */
export async function myDay(now = new Date()): Promise<Result<DayView>> {
  const { settings } = await readSettings();
  const relay = await followingRelay(settings);
  const [midnight, nextMidnight] = dayAround(now);
  const local = async () => (await recordsSince(midnight)).reverse().map(({ call }) => call);
  const isOwn = ({ from }: Call) => settings.agent.from === undefined || from === settings.agent.from;
  const outcomes = (await teamRules())?.outcomes ?? defaultOutcomes;
  if (!relay) return ok(sumOf(await local(), undefined, nextMidnight, outcomes));
  const [placed, callbacks] = await Promise.all([relayCallsSince(relay, midnight), fetchCallbacks(relay)]);
  if ('why' in placed || callbacks.kind !== 'ok') {
    const failure = await relayRefusal('why' in placed ? placed.why : callbacks, relay);
    if (!failure.ok && failure.error.code !== 'relayOffline') return failure;
    return ok({ ...sumOf(await local(), undefined, nextMidnight, outcomes), isOffline: true });
  }
  return ok(sumOf(placed.calls.filter(isOwn), callbacks.value.calls, nextMidnight, outcomes));
}

/** ISO times of midnight before and after, which are 23 or 25 hours apart where the clocks change. */
function dayAround(now: Date): [string, string] {
  const at = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  return [at(0).toISOString(), at(1).toISOString()];
}

type FailedFetch = Exclude<Awaited<ReturnType<typeof fetchCalls>>, { kind: 'ok' }>;

async function relayCallsSince(
  relay: Relay,
  since: string,
): Promise<{ calls: Call[] } | { why: FailedFetch }> {
  const calls: Call[] = [];
  let before: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const outcome = await fetchCalls(relay, pageSize, before);
    if (outcome.kind !== 'ok') return { why: outcome };
    const { calls: found, next } = outcome.value;
    calls.push(...found.filter(({ createdAt }) => createdAt >= since));
    if (next === undefined || found.some(({ createdAt }) => createdAt < since)) break;
    before = next;
  }
  return { calls };
}

/**
 * Calls that were refused or never sent are not counted.
 * @param until ISO 8601 UTC: the end of the day, for callbacks.
 */
export function sumOf(
  all: readonly Call[],
  callbacks: readonly Call[] | undefined,
  until: string,
  outcomes: readonly WrapUpOutcome[],
): DayView {
  const calls = all.filter((call) => !wasNotPlaced(call));
  const counts = new Map<string, number>();
  for (const { wrapUp } of calls)
    if (wrapUp?.outcome) counts.set(wrapUp.outcome, (counts.get(wrapUp.outcome) ?? 0) + 1);
  return {
    calls: calls.length,
    answered: calls.filter((call) => outcomeOf(call) === 'answered').length,
    talkSeconds: calls.reduce((sum, { talkSeconds = 0 }) => sum + talkSeconds, 0),
    outcomes: [...counts]
      .map(([code, count]) => ({
        outcome: outcomes.find((each) => each.code === code) ?? { code, label: { en: code } },
        count,
      }))
      .sort((one, other) => other.count - one.count),
    withoutOutcome: calls.filter((call) => isFinished(call) && !call.wrapUp?.outcome).length,
    callbacks: callbacks?.filter(({ wrapUp }) => (wrapUp?.callBackAt ?? until) < until).length,
  };
}
