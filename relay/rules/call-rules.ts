/**
 * The team's rules about one call. The do-not-call list, leases and attempts can change at any moment. They are judged
 * in the step that journals the intent (`store/judge-intent.ts`). The large lists and the hour are judged here. What
 * the operator forbids is in `dial/operator-policy.ts`.
 */
import { dayMs, minuteMs } from '../../shared/durations.ts';
import { matchesExtensionPattern } from '../../shared/numbers/plan/extension-pattern.ts';
import type { DoNotCallEntry } from '../../shared/protocol/do-not-call.ts';
import type { PlaceCallRequest } from '../../shared/protocol/messages.ts';
import type { NumberStatus } from '../../shared/protocol/number-status.ts';
import type { Rules } from '../../shared/protocol/rules.ts';
import { type Callee, type CalleeSettings, calleeOfNumber, readCallee } from '../../shared/rules/callee.ts';
import { closedHours, opensAt } from '../../shared/rules/calling-hours.ts';
import { clockIn } from '../../shared/rules/local-clock.ts';
import type { ProblemDetails } from '../../shared/server/problem.ts';
import type { Principal } from '../access/principal.ts';
import { ProblemError } from '../problem.ts';
import type { RelaySettings } from '../settings.ts';
import type { Intent, PlaceResult, Store } from '../store/store.ts';
import type { Lease } from '../store/team-rules.ts';
import type { NumberLists } from './lists/number-lists.ts';
import { homeOf, type RulesSource } from './rules-file.ts';

/** Who calls, as the rules see them. */
export type RuledCaller = Pick<Principal, 'kind' | 'keyId' | 'name' | 'team' | 'rights'>;

type RulesOfIntent = Pick<Intent, 'lease' | 'override' | 'refusal' | 'attempt'> & { callee: Callee };

/** What an agent reads beside a number. */
type ShownStatus = Pick<NumberStatus, 'doNotCall' | 'lease' | 'limit'>;

const attemptsBucket = 'attempts/';
const maxExtensionDigits = 6;
const quarterHourMs = 15 * minuteMs;

export class CallRules {
  constructor(
    private readonly settings: Pick<
      RelaySettings,
      'country' | 'areaCode' | 'dialExtensions' | 'dialOutsidePrefix'
    >,
    private readonly rules: RulesSource,
    private readonly lists: Pick<NumberLists, 'find' | 'tooOld'>,
    private readonly store: Pick<Store, 'rules'>,
  ) {}

  /**
   * The callee, with the digits read as the team reads them. If the relay is in another country, its reading counts for
   * lists and leases, too. The line may belong to either country.
   * @param to digits as the provider gets them.
   */
  calleeOf(to: string, team: string | undefined): Callee {
    const own = this.calleeSettings(team);
    const callee = readCallee(to, own);
    const { country } = this.settings;
    if (country === undefined || country === own.country) return callee;
    const { numbers, prefixes } = readCallee(to, { ...own, country, areaCode: undefined });
    return {
      ...callee,
      numbers: [...new Set([...callee.numbers, ...numbers])],
      prefixes: [...new Set([...callee.prefixes, ...prefixes])],
    };
  }

  /** What the rules say of numbers (`calleeOfNumber`), in their order, as far as this caller may know it. */
  async statusOf(numbers: readonly string[], caller: Principal): Promise<ShownStatus[]> {
    const settings = this.calleeSettings(caller.team);
    const callees = numbers.map((number) =>
      number.startsWith('+') ? calleeOfNumber(number, settings) : this.calleeOf(number, caller.team),
    );
    const now = Date.now();
    const [found, limits] = await Promise.all([
      this.store.rules.status(callees, now),
      this.limitsOn(callees, caller.team, now),
    ]);
    return found.map(({ doNotCall, lease }, index) => {
      const listed = doNotCall ?? this.lists.find(callees[index]!);
      const isOthers =
        lease !== undefined && caller.team !== undefined && !caller.callers.includes(lease.caller);
      return {
        ...(listed ? { doNotCall: shownEntry(listed) } : {}),
        ...(isOthers ? { lease: shownLease(lease, caller) } : {}),
        ...(limits[index] ? { limit: limits[index] } : {}),
      };
    });
  }

  /** The limit that a call to each callee would meet now: a list that is too old, or too many attempts today. */
  private async limitsOn(
    callees: readonly Callee[],
    team: string | undefined,
    now: number,
  ): Promise<NumberStatus['limit'][]> {
    if (this.lists.tooOld(now) !== undefined) return callees.map(() => 'listTooOld');
    const { maxAttemptsPerDay } = this.rules.of(team);
    if (maxAttemptsPerDay === undefined) return [];
    const counts = await this.store.rules.tallies(callees.map(({ key }) => this.attemptsOf(key, team, now)));
    return callees.map((_, index) => (counts[index]! >= maxAttemptsPerDay ? 'tooManyAttempts' : undefined));
  }

  private attemptsOf(key: string, team: string | undefined, now: number): string {
    return `${attemptsBucket}${team ?? ''}/${key}/${teamClock(this.rules.of(team).timeZone, now).date}`;
  }

  /**
   * When a number may be called by its own clock; undefined if it may be called now.
   * @param known results for the countries of earlier numbers; a new result is added.
   */
  opensAt(
    number: string,
    team: string | undefined,
    now: number,
    known: Map<string, number>,
  ): number | undefined {
    const { callingHours } = this.rules.of(team);
    const { countries } = calleeOfNumber(number, this.calleeSettings(team));
    if (!callingHours || !closedHours(countries, callingHours, new Date(now))) return undefined;
    const country = countries.join();
    const at = known.get(country) ?? opensAt(countries, callingHours, now);
    known.set(country, at);
    return at;
  }

  private calleeSettings(team: string | undefined): CalleeSettings {
    const { dialExtensions, dialOutsidePrefix } = this.settings;
    const rules = this.rules.of(team);
    const { numbers } = rules;
    return {
      ...homeOf(this.settings, rules),
      extensions: dialExtensions,
      outsidePrefixes: [
        ...(dialOutsidePrefix ? [dialOutsidePrefix] : []),
        ...(numbers?.dialRules ?? []).flatMap(({ prepend }) => prepend || []),
      ],
    };
  }

  /** A longer number is an outside number, even if it matches the pattern of an extension. */
  private isColleague(to: string): boolean {
    return (
      to.length <= maxExtensionDigits &&
      this.settings.dialExtensions.some((pattern) => matchesExtensionPattern(pattern, to))
    );
  }

  /** @throws ProblemError where the key may not override. */
  judge(from: string, { to, override }: PlaceCallRequest, caller: RuledCaller, now: number): RulesOfIntent {
    const { team } = caller;
    const rules = this.rules.of(team);
    const callee = this.calleeOf(to, team);
    if (override && !caller.rights.includes('override'))
      throw new ProblemError('forbidden', {
        detail: 'Overriding the rules needs a key with the right "override".',
      });
    // Hours, attempts and leases protect people outside: several may call a colleague, at any hour.
    const isColleague = this.isColleague(to);
    const { callingHours, maxAttemptsPerDay }: Partial<Rules> = isColleague ? {} : rules;
    const refusal = override ? undefined : this.refusalBefore(callee, callingHours, now);
    return {
      callee,
      ...(refusal ? { refusal } : {}),
      ...(override ? { override: { reason: override.reason, by: caller.keyId } } : {}),
      ...(team === undefined || isColleague
        ? {}
        : { lease: { caller: from, by: caller.name || from, team, since: new Date(now).toISOString() } }),
      ...(maxAttemptsPerDay === undefined
        ? {}
        : {
            attempt: {
              bucket: this.attemptsOf(callee.key, team, now),
              max: override ? Number.MAX_SAFE_INTEGER : maxAttemptsPerDay,
              expires: now + 2 * dayMs,
            },
          }),
    };
  }

  /**
   * The refusal by the large lists or the hour. Other processes change neither this relay's copy of the lists nor the
   * hour.
   */
  private refusalBefore(callee: Callee, callingHours: Rules['callingHours'], now: number): Intent['refusal'] {
    const list = this.lists.tooOld(now);
    if (list !== undefined) return { kind: 'listTooOld', list };
    const entry = this.lists.find(callee);
    if (entry) return { kind: 'doNotCall', entry };
    const closed = callingHours && closedHours(callee.countries, callingHours, new Date(now));
    if (!closed) return undefined;
    const { country, hours } = closed;
    return { kind: 'closed', country, from: hours.from, to: hours.to };
  }
}

/** The team's clock: a day of UTC would begin in the middle of a working day in the Americas and in Asia. */
const teamClock = (timeZone: string | undefined, now: number) =>
  clockIn(timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(now));

/** A day has 23 to 25 hours, so its end is searched. In every time zone, it is at a full quarter of an hour. */
function secondsUntilMidnight(timeZone: string | undefined, now: number): number {
  const { date } = teamClock(timeZone, now);
  let at = now - (now % quarterHourMs) + quarterHourMs;
  while (teamClock(timeZone, at).date === date) at += quarterHourMs;
  return Math.ceil((at - now) / 1000);
}

/** Only the team learns who is calling. */
const shownLease = ({ by, since, team }: Lease, caller: RuledCaller) => ({
  since,
  ...(team === caller.team ? { by } : {}),
});

const shownEntry = ({ by, at, until, reason }: DoNotCallEntry) => ({
  by,
  at,
  ...(until === undefined ? {} : { until }),
  ...(reason === undefined ? {} : { reason }),
});

/** A ticket is in a web page. The page must not learn whom the team calls, or must not call. */
const detailsFor = ({ kind }: RuledCaller, details: ProblemDetails): ProblemDetails =>
  kind === 'ticket' ? {} : details;

/**
 * The problem, if a rule stopped the call in the step of the journal. Undefined if another limit or nothing stopped it.
 * @param timeZone of the team.
 */
export function problemOfRule(
  placed: PlaceResult,
  caller: RuledCaller,
  timeZone?: string,
  now = Date.now(),
): { rule: string; problem: ProblemError } | undefined {
  if (placed.kind === 'doNotCall') {
    const doNotCall = shownEntry(placed.entry);
    const { by, at, reason } = doNotCall;
    const detail = [`Asked not to be called. ${by}, ${at}.`, reason].filter(Boolean).join(' ');
    const details = detailsFor(caller, { detail, doNotCall });
    return { rule: 'doNotCall', problem: new ProblemError('doNotCall', details) };
  }
  if (placed.kind === 'listTooOld') {
    const list = caller.rights.includes('rules') ? `The list "${placed.list}"` : 'A list of numbers';
    const detail = `${list} was not renewed in time. An administrator has to see to it.`;
    return { rule: placed.kind, problem: new ProblemError('listTooOld', { detail }) };
  }
  if (placed.kind === 'outcomeRequired') {
    const detail = 'Choose an outcome for the last call first.';
    return { rule: placed.kind, problem: new ProblemError('outcomeRequired', { detail }) };
  }
  if (placed.kind === 'closed') {
    const { country, from, to } = placed;
    const where = country === 'other' ? 'These numbers' : `Numbers of ${country}`;
    const detail = `${where} are called from ${from} to ${to} by their own clocks, on the days that your team chose.`;
    return { rule: 'callingHours', problem: new ProblemError('callingHours', { detail }) };
  }
  if (placed.kind === 'leased') {
    const lease = shownLease(placed.lease, caller);
    const detail = `${lease.by ?? 'Somebody'} is calling this number.`;
    return { rule: 'leased', problem: new ProblemError('leased', detailsFor(caller, { detail, lease })) };
  }
  if (placed.kind === 'itemTaken') {
    const detail = 'Somebody else has this item, or it was called already. Claim the next one.';
    return { rule: placed.kind, problem: new ProblemError('itemTaken', { detail }) };
  }
  if (placed.kind === 'limited' && placed.bucket.startsWith(attemptsBucket))
    return {
      rule: 'attempts',
      problem: new ProblemError('tooManyAttempts', {
        detail: 'Your team has called this number as often as it may today.',
        retryAfterSeconds: secondsUntilMidnight(timeZone, now),
      }),
    };
  return undefined;
}
