/**
 * From a click to a call: every way to dial ends here. The click is judged, checked against the calls in progress and
 * written down as an intent. Only then it is sent. A click that arrives twice is one call (Law 1).
 */
import { serializer } from '../../../shared/async/serialize.ts';
import { isFinished } from '../../../shared/call/call.ts';
import {
  answerKey,
  countryQuestion,
  type DialReading,
  numberId,
} from '../../../shared/numbers/dial/resolve.ts';
import type { NumberType } from '../../../shared/numbers/number-settings.ts';
import type { Rules } from '../../../shared/protocol/rules.ts';
import { isSameRecord } from '../../../shared/record/call-parts.ts';
import { guardSentence } from '../../guard-sentence.ts';
import { ok, type Result, refuse } from '../../messages/result.ts';
import type { ChipCall, ShownNumber } from '../../messages/views.ts';
import { recordLabel } from '../../record-label.ts';
import { resolveForTeam } from '../../resolve-for-team.ts';
import type { Settings } from '../../settings.ts';
import { text } from '../../text.ts';
import { type ChosenReadings, chosenReadings, rememberReading } from '../numbers/chosen-readings.ts';
import { refusalOfKnown } from '../numbers/known-numbers.ts';
import { offeredReadings } from '../numbers/number-views.ts';
import { readSettings } from '../settings/settings-store.ts';
import { type CallRecord, isFreshClick } from './call-record.ts';
import { addCall, type CallsForClick, changeCall, getCall, openCalls, withFact } from './call-store.ts';
import { ringSeconds, toChipCall } from './call-words.ts';
import type { Click } from './click.ts';
import { ensureAlarm, followOpenCalls } from './follow-calls.ts';
import { newRecord } from './new-record.ts';
import { placeThroughRelay } from './place-through-relay.ts';
import { chooseRoute, followingRelay, type Route, routeDigest } from './route.ts';
import { reportToRelay, sendOnceDirectly } from './send-once-directly.ts';
import { teamRules } from './team-rules.ts';

/** Numbers of these types are confirmed only on our own page, even if the click was on another page. */
const costlyTypes: ReadonlySet<NumberType> = new Set(['premium', 'satellite']);
/** The shortest time between two placed calls. It stops a double click, and a click on a page that moved. */
const coolDownMs = 1500;
/**
 * A new call is shown and followed only after this time. Earlier, badge, pages and stream would delay its request by a
 * third (`npm run bench -- page`).
 */
export const requestTimeMs = 50;

/** Calls that this run of the background is placing now, by id. */
const inProgress = new Map<string, Promise<void>>();
/** Checks and the writing of the intent happen one click at a time. */
const inTurn = serializer();

export async function placeCall(click: Click): Promise<Result<ChipCall>> {
  const result = await inTurn(() => prepare(click));
  if (!result.ok) return result;
  try {
    await result.value;
    return await replyFor(click.id);
  } catch (error) {
    // The intent was written down, so the request may have been sent. The disk may have filled up since.
    console.error('what became of a call could not be stored', error instanceof Error ? error.name : '');
    return refuse('callNotStored');
  }
}

/** @returns the promise of the run inside a Result. So the next click waits for the checks only, not for the reply. */
async function prepare(click: Click): Promise<Result<Promise<void>>> {
  const { settings } = await readSettings();
  const [route, chosen, rules] = await Promise.all([chooseRoute(settings), chosenReadings(), teamRules()]);
  // The digest is awaited before the transaction of `addCall`. An IndexedDB transaction ends when anything else is
  // awaited.
  const destination = route.ok ? await routeDigest(route.value) : '';
  const since = new Date(Date.now() - Math.max(60, settings.agent.askAgainSeconds) * 1000).toISOString();
  const { known, added } = await addCall(click.id, since, (calls) => {
    const checked = checkClick(click, { settings, route, chosen, rules }, calls);
    if (!checked.ok) return checked;
    // The alarm restarts a killed background, which then resumes the call. So it is set before anything is sent.
    const alarm = ensureAlarm();
    const record = newRecord(click, checked.value.reading, settings, checked.value.route, destination);
    return ok({ ...checked.value, record, alarm });
  });
  if (known) return ok(inProgress.get(click.id) ?? resumeCall(known));
  if (!added.ok) return added;
  const { record, reading, isChosen, alarm } = added.value;
  if (isChosen) await rememberReading(answerKey(click.source, settings.numbers), numberId(reading.number));
  await alarm;
  return ok(startCall(record, added.value.route, settings));
}

/** What the check of a click depends on. */
interface ClickContext {
  settings: Settings;
  route: Result<Route>;
  chosen: ChosenReadings;
  rules: Rules | undefined;
}

interface CheckedClick {
  route: Route;
  reading: DialReading;
  /** The agent has said which number is meant. */
  isChosen: boolean;
}

/** Whether this click may place a call now, and to which number. */
function checkClick(
  click: Click,
  { settings, route, chosen, rules }: ClickContext,
  { open, latest }: CallsForClick,
): Result<CheckedClick> {
  const busy = refusalWhileBusy(open, latest.at(-1));
  const recent = latest.filter(({ call }) => call.reason !== 'notSent');
  const recentCalls = recent.map(({ createdAt }) => createdAt);
  const context = { now: new Date(), recentCalls, chosen };
  const resolved = resolveForTeam(click.source, settings, context, rules);
  if ('why' in resolved) return refuse('notANumber');
  const { shown } = click;
  const reading = shown
    ? [resolved, ...resolved.alternatives].find((each) => isShown(each, shown))
    : resolved;
  if (!reading) return refuse('numberChanged');
  if (!route.ok) return route;
  const { decision } = reading;
  if (decision.verdict === 'refuse') return refuse('refusedByGuard', guardSentence(decision));
  const mayOverride = rules?.mayOverride;
  const isOverridden = mayOverride && click.override !== undefined;
  const detailOfKnown = isOverridden ? undefined : refusalOfKnown(reading.number.display, rules);
  if (detailOfKnown !== undefined)
    return { ok: false, error: { code: 'refusedByGuard', detail: detailOfKnown, mayOverride } };
  // The agent clicked another reading than `resolved`, which is the earlier choice or the likeliest. This is asked
  // about too.
  const isOther = reading !== resolved;
  const isGuarded = decision.verdict === 'confirm';
  // A content script under foreign control can press Yes in its own question. It cannot do so on our page (Law 3).
  const isElsewhere = click.isGuardedElsewhere || costlyTypes.has(reading.number.type);
  if (isGuarded && click.tab && isElsewhere) return refuse('confirmElsewhere');
  const again = busy ? undefined : secondsSinceCall(reading.digits.to, recent, settings);
  const stillOpen = busy ? undefined : open.find(({ call }) => !isFinished(call));
  const { record, shownRecord } = click;
  const isOtherRecord =
    shownRecord !== undefined && !isSameRecord(record ?? undefined, shownRecord ?? undefined);
  const reasons = [
    ...(isOtherRecord ? [text('guard_recordChanged', recordLabel(shownRecord), recordLabel(record))] : []),
    ...(stillOpen ? [text('guard_callOpen', stillOpen.display)] : []),
    ...(isGuarded || isOther ? [guardSentence(isGuarded ? decision : countryQuestion(reading.number))] : []),
    ...(again === undefined ? [] : [text('guard_calledAgo', again)]),
  ];
  const detail = reasons.join(' ');
  // If the record is not the one that the agent saw, the agent's Yes does not count.
  const isAnswered = !isOtherRecord && (click.confirmed || detail === click.confirmedReason);
  if (reasons.length > 0 && !isAnswered) {
    const error = {
      code: 'confirmFirst',
      detail,
      ...(isOtherRecord && { record: record ?? null }),
    } as const;
    const readings = offeredReadings(resolved);
    return { ok: false, error: readings ? { ...error, readings } : error };
  }
  if (busy) return busy;
  return ok({ route: route.value, reading, isChosen: resolved.isDoubtful || isOther });
}

/**
 * Seconds since the last call to the same digits, without refused calls. Undefined if the last call is too old to ask
 * about.
 */
function secondsSinceCall(to: string, calls: readonly CallRecord[], { agent }: Settings): number | undefined {
  const last = calls.findLast(({ call }) => call.to === to && call.reason !== 'refused');
  const seconds = last && Math.max(0, Math.floor((Date.now() - Date.parse(last.createdAt)) / 1000));
  return seconds !== undefined && seconds < agent.askAgainSeconds ? seconds : undefined;
}

const isShown = ({ number, digits }: DialReading, shown: ShownNumber): boolean =>
  number.display === shown.display && digits.to === shown.to;

/**
 * Sends the call and waits for its reply. The background may be killed at any moment. A background that starts with a
 * click also resumes that click: the first of both sends it.
 */
function startCall(record: CallRecord, route: Route, settings: Settings): Promise<void> {
  const running = inProgress.get(record.id);
  if (running) return running;
  const run = (async () => {
    const answered =
      route.mode === 'relay'
        ? placeThroughRelay(record, route.relay)
        : sendOnceDirectly(record, route, settings);
    setTimeout(() => void followOpenCalls(), requestTimeMs);
    await answered;
    await changeCall(record.id, stopFollowingSoon);
  })()
    .catch(async (error) => {
      console.error('a call could not be finished', error instanceof Error ? error.name : '');
      await changeCall(record.id, withInterruption);
    })
    .finally(() => {
      inProgress.delete(record.id);
      void followOpenCalls();
    });
  inProgress.set(record.id, run);
  return run;
}

/**
 * If a relay does not follow a call, nothing reports its end. Its end is unknown as soon as the phone cannot ring any
 * more.
 */
function stopFollowingSoon(record: CallRecord): CallRecord {
  if (record.followed === 'relay' || record.call.state !== 'callingCaller') return record;
  return { ...record, followUntil: Date.now() + ringSeconds(record) * 1000 };
}

/** Resumes every call that a killed background left unfinished. */
export async function resumeCalls(): Promise<void> {
  await Promise.all(
    (await openCalls()).map((record) => (inProgress.has(record.id) ? undefined : resumeCall(record))),
  );
}

async function resumeCall(record: CallRecord): Promise<void> {
  const { settings } = await readSettings();
  if (record.phase === 'placed') return reportToRelay(record.id, await followingRelay(settings));
  if (isFreshClick(record) && (record.phase === 'asking' || record.phase === 'preparing')) {
    const route = await chooseRoute(settings);
    // With another relay or key, the same request would place a second call (Law 1).
    const isSameRoute = route.ok && (await routeDigest(route.value)) === record.destination;
    if (isSameRoute) {
      await ensureAlarm();
      return startCall(record, route.value, settings);
    }
  }
  await changeCall(record.id, withInterruption);
  await reportToRelay(record.id, await followingRelay(settings));
}

/**
 * In phase `preparing` the provider has nothing yet, but the relay may know the call. In phases `asking` and `sending`
 * a call may ring.
 */
function withInterruption(record: CallRecord): CallRecord {
  if (record.phase === 'placed') return record;
  const at = new Date().toISOString();
  const kind = record.phase === 'preparing' ? 'notSent' : 'notAnswered';
  const error = { code: 'interrupted', message: 'the browser stopped while the call was placed' } as const;
  return {
    ...withFact(record, { kind, at, error }),
    phase: 'placed',
    ...(record.relayRevision !== undefined &&
      record.phase !== 'asking' && { report: { error: { kind, ...error } } }),
  };
}

async function replyFor(id: string): Promise<Result<ChipCall>> {
  const record = await getCall(id);
  if (!record) return refuse('internal');
  if (record.failure) return { ok: false, error: record.failure };
  return ok(toChipCall(record));
}

/** Refuses a call while another call is requested or rings at the caller, and shortly after another call. */
function refusalWhileBusy(
  open: readonly CallRecord[],
  last: CallRecord | undefined,
): Result<never> | undefined {
  const now = Date.now();
  for (const record of open) {
    if (record.call.state === 'initiating') return refuse('callInProgress');
    if (record.call.state !== 'callingCaller') continue;
    const left = ringSeconds(record) - (now - Date.parse(record.call.acceptedAt ?? record.createdAt)) / 1000;
    if (left > 0) return refuse('callInProgress', String(Math.ceil(left)));
  }
  const passed = last ? now - Date.parse(last.createdAt) : Number.POSITIVE_INFINITY;
  return passed >= 0 && passed < coolDownMs ? refuse('coolDown') : undefined;
}
