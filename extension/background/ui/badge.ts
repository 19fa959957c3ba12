/** The toolbar button's badge: the state of the newest call, as a sign and a colour. */
import browser from 'webextension-polyfill';
import { isFinished } from '../../../shared/call/call.ts';
import { type Outcome, outcomeOf, wasNotPlaced } from '../../../shared/call/outcome.ts';
import { text } from '../../text.ts';
import type { CallRecord } from '../calls/call-record.ts';
import { pastCalls } from '../calls/call-store.ts';

interface BadgeSign {
  sign: string;
  colour: string;
}

const failure: BadgeSign = { sign: '!', colour: '#b3261e' };
const withoutTalk: BadgeSign = { sign: '–', colour: '#5f6368' };
const doubt: BadgeSign = { sign: '?', colour: '#7a5900' };

const signs: Record<Outcome, BadgeSign> = {
  live: { sign: '☎', colour: '#0b57d0' },
  answered: { sign: '✓', colour: '#146c2e' },
  ended: withoutTalk,
  busy: withoutTalk,
  noAnswer: withoutTalk,
  declined: withoutTalk,
  callerNotReached: failure,
  refused: failure,
  notPlaced: failure,
  mayHaveRung: doubt,
  unknown: doubt,
};

/** Exported for its test. */
export function signOf({ call }: Pick<CallRecord, 'call'>): BadgeSign {
  if (call.state === 'initiating') return { ...signs.live, sign: '…' };
  return call.state === 'connected'
    ? { ...signs.live, colour: signs.answered.colour }
    : signs[outcomeOf(call)];
}

const outcomeShownMs = 15_000;

let clearing: ReturnType<typeof setTimeout> | undefined;
/** When the call that the badge shows was placed. Empty if the last click did not place a call. */
let shownSince = '';
/** How often a sign was shown. */
let timesShown = 0;

/** Shows a call, unless it is older than the shown call. */
export function showBadge(record: CallRecord): void {
  if (record.createdAt < shownSince) return;
  timesShown += 1;
  shownSince = wasNotPlaced(record.call) ? '' : record.createdAt;
  clearTimeout(clearing);
  const { sign, colour } = signOf(record);
  void browser.action.setBadgeText({ text: sign });
  void browser.action.setBadgeBackgroundColor({ color: colour });
  void browser.action.setBadgeTextColor?.({ color: '#ffffff' });
  const isInProgress = !isFinished(record.call);
  const title = isInProgress ? text('background_badge_calling', record.display) : '';
  void browser.action.setTitle({ title });
  if (!isInProgress) clearing = setTimeout(() => void showCallInProgress(), outcomeShownMs);
}

/** Clears the sign of an earlier background that was stopped before it could clear the sign. */
export async function clearStaleBadge(): Promise<void> {
  const newest = (await pastCalls({ limit: 1 })).records[0];
  if (newest && !isFinished(newest.call)) return;
  if (!newest || Date.now() - Date.parse(newest.changedAt) > outcomeShownMs) await showCallInProgress();
}

/** Shows the call that goes on, if a later click did not place a call. Otherwise clears the badge. */
async function showCallInProgress(): Promise<void> {
  const before = timesShown;
  const { records } = await pastCalls({ limit: 1, matches: ({ call }) => !wasNotPlaced(call) });
  if (timesShown !== before) return;
  const [placed] = records;
  if (placed && !isFinished(placed.call)) showBadge(placed);
  else clearBadge();
}

export function clearBadge(): void {
  void browser.action.setBadgeText({ text: '' });
}
