/**
 * What the team knows of numbers: names, the last talk, do not call, and who is calling now. The relay is asked when a
 * person looks at a number, never before. Answers stay in memory for a minute, and until the relay's next epoch.
 */
import {
  maxNumbersPerRequest,
  NamesEvent,
  type NumberStatus,
  type NumberStatusPage,
  nameText,
} from '../../../shared/protocol/number-status.ts';
import type { Rules } from '../../../shared/protocol/rules.ts';
import { calleeOfNumber } from '../../../shared/rules/callee.ts';
import { closedHours } from '../../../shared/rules/calling-hours.ts';
import type { KnownNumber } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { fetchStatuses } from '../calls/relay-client.ts';
import { relayNow } from '../calls/relay-clock.ts';
import { currentRelay } from '../calls/route.ts';
import { teamRules } from '../calls/team-rules.ts';
import { onSettingsChanged } from '../settings/settings-store.ts';
import { doNotCallSentence, lastTalkSentence, leaseSentence } from './known-words.ts';

const freshMs = 60_000;
/** How long an uncertain answer is kept: long enough for the tip that asked. */
const doubtfulMs = 1000;
const maxRemembered = 1000;

let epoch: string | undefined;
interface Remembered {
  status: NumberStatus;
  until: number;
  /** True if leases have changed since. What calls change was removed and must be asked for again. */
  isPartial: boolean;
}
const remembered = new Map<string, Remembered>();
const listeners = new Set<() => void>();
onSettingsChanged(forgetKnownNumbers);

/** Called when what is known of numbers has changed at the relay. */
export function onKnownNumbersChanged(listener: () => void): void {
  listeners.add(listener);
}

export function forgetKnownNumbers(): void {
  epoch = undefined;
  remembered.clear();
}

/** Handles `event: names` of the relay's stream. */
export function applyNamesEvent(data: unknown): void {
  const event = NamesEvent.safeParse(data);
  if (!event.success || event.data.epoch === epoch) return;
  epoch = event.data.epoch;
  // Leases change with every call. Only the next tip asks again, not every open page.
  if (event.data.leasesOnly) keepWhatCallsDoNotChange();
  else askAgain();
}

function keepWhatCallsDoNotChange(): void {
  for (const [number, { status, until }] of remembered) {
    const { lease, lastTalk, limit, ...lasting } = status;
    remembered.set(number, { status: lasting, until, isPartial: true });
  }
}

/** Forgets the answers after a change of our own, and has open pages ask again. */
export function askAgain(): void {
  remembered.clear();
  for (const listener of listeners) listener();
}

/**
 * @param displays numbers as shown: `+55 48 3222-1000`.
 * @returns an entry for each number; empty if nothing is known.
 */
export async function knownNumbers(displays: readonly string[]): Promise<KnownNumber[]> {
  const now = Date.now();
  const numbers = [...new Set(displays.map(numberFromDisplay))].filter((number) => number !== '');
  const known = new Map(numbers.map((number) => [number, fresh(number, now)]));
  const statuses = new Map(numbers.map((number) => [number, known.get(number)?.status]));
  const wanted = numbers.filter((number) => known.get(number)?.isPartial !== false);
  // A later answer with a new epoch clears the memory. What it clears is still shown, as it is less than a minute old.
  for (let start = 0; start < wanted.length; start += maxNumbersPerRequest)
    for (const status of await ask(wanted.slice(start, start + maxNumbersPerRequest)))
      statuses.set(status.number, status);
  const rules = await teamRules();
  return displays.map((display) => {
    const status = statuses.get(numberFromDisplay(display));
    const refusal = refusalOf(display, status, rules);
    return {
      ...(status && inWords(status)),
      ...(refusal && { refusal, mayOverride: rules?.mayOverride }),
    };
  });
}

/**
 * What stays right after a change of leases. Undefined if `knownNumbers` need not ask again, or a name is not known.
 */
export function nameWhileAsking(display: string): KnownNumber | undefined {
  const known = fresh(numberFromDisplay(display));
  if (!known?.isPartial || known.status.count === 0) return undefined;
  const refusal = refusalOfKnown(display, undefined);
  return { ...inWords(known.status), ...(refusal !== undefined && { refusal }) };
}

function fresh(number: string, now = Date.now()): Remembered | undefined {
  const known = remembered.get(number);
  return known && known.until >= now ? known : undefined;
}

/**
 * Why a number must not be called now, by the relay's recent answer or by the team's hours. If the relay's clock is not
 * known, the hours are left to the relay, which refuses the call.
 */
export const refusalOfKnown = (display: string, rules: Rules | undefined): string | undefined =>
  refusalOf(display, fresh(numberFromDisplay(display))?.status, rules);

function refusalOf(
  display: string,
  { doNotCall, limit }: Partial<NumberStatus> = {},
  rules: Rules | undefined,
): string | undefined {
  const number = numberFromDisplay(display);
  if (doNotCall) return doNotCallSentence(doNotCall);
  if (limit) return text(`relay_${limit}`);
  // A colleague may be called by several agents, at any hour.
  if (!rules?.callingHours || !number.startsWith('+')) return undefined;
  const { countries } = calleeOfNumber(number, { country: undefined, extensions: [], outsidePrefixes: [] });
  const now = relayNow();
  const closed = now && closedHours(countries, rules.callingHours, now);
  return closed && text('known_closed', `${closed.hours.from}–${closed.hours.to}`);
}

/** Asks the relay. The list is empty without a relay, or if it does not reply. */
async function ask(numbers: readonly string[]): Promise<readonly NumberStatus[]> {
  const relay = await currentRelay();
  const before = epoch;
  const outcome = relay && (await fetchStatuses(relay, numbers));
  if (outcome?.kind !== 'ok') return [];
  const page: NumberStatusPage = outcome.value;
  // An event that arrived meanwhile may be newer than the reply.
  const isCurrent = page.epoch === epoch || epoch === before;
  if ((isCurrent && page.epoch !== epoch) || remembered.size > maxRemembered) remembered.clear();
  if (isCurrent) epoch = page.epoch;
  const until = Date.now() + (isCurrent ? freshMs : doubtfulMs);
  for (const status of page.numbers) remembered.set(status.number, { status, until, isPartial: false });
  return page.numbers;
}

/** `+554832221000`, or an extension's digits: the two forms that the relay takes. Empty for anything else. */
export function numberFromDisplay(display: string): string {
  const digits = display.replace(/\D/g, '');
  if (display.startsWith('+')) return /^[1-9]\d{4,14}$/.test(digits) ? `+${digits}` : '';
  return digits.length <= 11 ? digits : '';
}

function inWords({ lastTalk, lease, ...status }: NumberStatus): KnownNumber {
  const name = nameText(status);
  return {
    ...(name !== undefined && { name }),
    ...(lastTalk && { lastTalk: lastTalkSentence(lastTalk) }),
    ...(lease && { lease: leaseSentence(lease) }),
  };
}
