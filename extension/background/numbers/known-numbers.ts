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
import type { KnownNumber } from '../../messages/views.ts';
import { fetchStatuses } from '../calls/relay-client.ts';
import { followingRelay } from '../calls/route.ts';
import { onSettingsChanged, readSettings } from '../settings/settings-store.ts';
import { doNotCallSentence, lastTalkSentence, leaseSentence } from './known-words.ts';

const freshMs = 60_000;
const maxRemembered = 1000;

let epoch: string | undefined;
const remembered = new Map<string, { status: NumberStatus; until: number }>();
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

/** `event: names` of the relay's stream. */
export function applyNamesEvent(data: unknown): void {
  const event = NamesEvent.safeParse(data);
  if (!event.success || event.data.epoch === epoch) return;
  askAgain();
  epoch = event.data.epoch;
}

/** Forgets what may have changed by a change of ours, and has open pages ask again. */
export function askAgain(): void {
  remembered.clear();
  for (const listener of listeners) listener();
}

/** @param displays numbers as shown: `+55 48 3222-1000`. @returns one entry each; empty where nothing is known. */
export async function knownNumbers(displays: readonly string[]): Promise<KnownNumber[]> {
  const now = Date.now();
  const wanted = [...new Set(displays.map(numberOf))].filter(
    (number) => number !== '' && (remembered.get(number)?.until ?? 0) < now,
  );
  for (let start = 0; start < wanted.length; start += maxNumbersPerRequest)
    await ask(wanted.slice(start, start + maxNumbersPerRequest));
  return displays.map((display) => {
    const known = remembered.get(numberOf(display));
    return known && known.until >= now ? inWords(known.status) : {};
  });
}

/** Why a number must not be called, as far as the relay has said so lately. */
export function doNotCallOf(display: string): string | undefined {
  const known = remembered.get(numberOf(display));
  const { doNotCall } = known && known.until >= Date.now() ? known.status : {};
  return doNotCall && doNotCallSentence(doNotCall);
}

/** Without a relay, or where it does not answer, nothing is known. */
async function ask(numbers: readonly string[]): Promise<void> {
  const relay = await followingRelay((await readSettings()).settings);
  const outcome = relay && (await fetchStatuses(relay, numbers));
  if (outcome?.kind !== 'ok') return;
  const page: NumberStatusPage = outcome.value;
  if (page.epoch !== epoch || remembered.size > maxRemembered) remembered.clear();
  epoch = page.epoch;
  for (const status of page.numbers) remembered.set(status.number, { status, until: Date.now() + freshMs });
}

/** `+554832221000`, or an extension's digits: the two forms that the relay takes. Empty for anything else. */
export function numberOf(display: string): string {
  const digits = display.replace(/\D/g, '');
  if (display.startsWith('+')) return /^[1-9]\d{4,14}$/.test(digits) ? `+${digits}` : '';
  return digits.length <= 11 ? digits : '';
}

function inWords({ lastTalk, doNotCall, lease, ...status }: NumberStatus): KnownNumber {
  const name = nameText(status);
  return {
    ...(name !== undefined && { name }),
    ...(lastTalk && { lastTalk: lastTalkSentence(lastTalk) }),
    ...(doNotCall && { doNotCall: doNotCallSentence(doNotCall) }),
    ...(lease && { lease: leaseSentence(lease) }),
  };
}
