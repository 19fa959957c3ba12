/** The toolbar button's badge: the state of the newest call, as a sign and a colour. */
import browser from 'webextension-polyfill';
import { type Call, isFinished } from '../../../shared/call/call.ts';
import type { CallRecord } from '../calls/call-record.ts';
import { pastCalls } from '../calls/call-store.ts';

const signs: Record<Call['state'], { sign: string; colour: string }> = {
  initiating: { sign: '…', colour: '#0b57d0' },
  callingCaller: { sign: '☎', colour: '#0b57d0' },
  callingCallee: { sign: '☎', colour: '#0b57d0' },
  connected: { sign: '☎', colour: '#146c2e' },
  disconnected: { sign: '✓', colour: '#146c2e' },
  failed: { sign: '!', colour: '#b3261e' },
  unknown: { sign: '?', colour: '#7a5900' },
};
const outcomeShownMs = 15_000;

let clearing: ReturnType<typeof setTimeout> | undefined;

export function showBadge(record: CallRecord, title: string): void {
  clearTimeout(clearing);
  const { sign, colour } = signs[record.call.state];
  void browser.action.setBadgeText({ text: sign });
  void browser.action.setBadgeBackgroundColor({ color: colour });
  void browser.action.setBadgeTextColor?.({ color: '#ffffff' });
  const isInProgress = !isFinished(record.call);
  void browser.action.setTitle({ title: isInProgress ? title : '' });
  if (!isInProgress) clearing = setTimeout(clearBadge, outcomeShownMs);
}

/** Clears the sign that a background left because it was stopped before it could. */
export async function clearStaleBadge(): Promise<void> {
  const newest = (await pastCalls({ limit: 1 })).records[0];
  if (newest?.open === 1) return;
  if (!newest || Date.now() - Date.parse(newest.changedAt) > outcomeShownMs) clearBadge();
}

export function clearBadge(): void {
  void browser.action.setBadgeText({ text: '' });
}
