/** Shows each change of a call: in the page that placed it, in our own pages, on the badge, in a notification. */
import browser from 'webextension-polyfill';
import { isFinished } from '../../../shared/call/call.ts';
import type { BackgroundToPages } from '../../messages/pages.ts';
import type { ChipCall } from '../../messages/views.ts';
import type { CallRecord } from '../calls/call-record.ts';
import { changeCall, onCallChanged, openCalls } from '../calls/call-store.ts';
import { sentenceOf, toChipCall } from '../calls/call-words.ts';
import { followState, onFollowState } from '../calls/follow-calls.ts';
import { requestTimeMs } from '../calls/place-call.ts';
import { hasScript } from '../sites/has-script.ts';
import { showBadge } from './badge.ts';
import { notifyAgent } from './notify-agent.ts';

/** Adds the listeners; to be called synchronously when the background starts. */
export function showCalls(): void {
  /** The current records of calls whose request is on its way. */
  const begun = new Map<string, CallRecord>();
  onCallChanged((record, before) => {
    if (before && !begun.has(record.id)) return showRecord(record, before);
    begun.set(record.id, record);
    if (before) return;
    setTimeout(() => {
      const newest = begun.get(record.id)!;
      begun.delete(record.id);
      showRecord(newest);
    }, requestTimeMs);
  });
  onFollowState(() => {
    notifyPages('follow');
    // Calls that have ended are left out: their card was read, and may be closed.
    void openCalls().then((calls) => calls.filter(({ call }) => !isFinished(call)).forEach(notifyTab));
  });
}

/** @param before undefined for a call that was not shown yet. */
function showRecord(record: CallRecord, before?: CallRecord): void {
  notifyPages('calls');
  if (before && isShownSame(before, record)) return;
  notifyTab(record);
  showBadge(record);
  const wasFinished = before !== undefined && isFinished(before.call);
  if (!wasFinished && isFinished(record.call))
    void notifyAgent(`call:${record.id}`, nameAndNumber(record), sentenceOf(record));
}

const nameAndNumber = ({ call, name, display }: CallRecord): string =>
  [call.name ?? name, display].filter(Boolean).join(' ');

/** A note, an outcome or an entry in the CRM changes neither card nor badge. */
function isShownSame(before: CallRecord, record: CallRecord): boolean {
  const shown = (each: CallRecord) => JSON.stringify({ ...toChipCall(each), changedAt: '' });
  return shown(before) === shown(record);
}

export function notifyPages(what: BackgroundToPages['what']): void {
  // The promise rejects if a page of ours is not open.
  void browser.runtime
    .sendMessage({ type: 'background.changed', what } satisfies BackgroundToPages)
    .catch(() => {});
}

/** With a key that the relay does not accept, the agent cannot hang up. */
const chipOf = (record: CallRecord): ChipCall => ({
  ...toChipCall(record),
  canHangUp: record.call.canHangUp && followState() !== 'wrongKey',
});

function notifyTab(record: CallRecord): void {
  const { tab } = record;
  if (!tab) return;
  const message = { type: 'background.call', call: chipOf(record) };
  void browser.tabs.sendMessage(tab.id, message, { frameId: tab.frameId }).catch(async () => {
    // The tab or the frame has left the page. For a frame, the top frame now shows the call.
    if (tab.frameId === 0) return;
    const moved = await changeCall(record.id, (current) => ({ ...current, tab: { ...tab, frameId: 0 } }));
    if (moved) notifyTab(moved);
  });
}

let tabsForgotten = Promise.resolve();

/** Forgets the tabs of open calls when the browser starts: Firefox gives their ids to other tabs then. */
export function forgetTabsOfCalls(): Promise<void> {
  tabsForgotten = moveOpenCalls(() => undefined);
  return tabsForgotten;
}

/** Moves the open calls of a tab to the tab that replaces it. Chromium (156) gives a discarded tab another id. */
export const replaceTabOfCalls = (added: number, removed: number): Promise<void> =>
  moveOpenCalls((tab) => (tab?.id === removed ? { id: added, frameId: 0 } : tab));

async function moveOpenCalls(move: (tab: CallRecord['tab']) => CallRecord['tab']): Promise<void> {
  for (const { id } of await openCalls())
    await changeCall(id, (current) => {
      const tab = move(current.tab);
      return tab === current.tab ? current : { ...current, tab };
    });
}

/**
 * Shows the open calls of a tab to a frame that has just loaded. That may be after a reload, a navigation or an update
 * of the extension. If a frame is gone, for example replaced by this frame, the top frame takes over its calls.
 */
export async function showOpenCalls({ tabId, frameId }: { tabId: number; frameId: number }): Promise<void> {
  await tabsForgotten;
  for (const { id, tab, call } of await openCalls()) {
    if (tab?.id !== tabId || isFinished(call)) continue;
    const isOwn = tab.frameId === frameId;
    if (!isOwn && frameId !== 0 && (await hasScript(tab.id, tab.frameId))) continue;
    const record = await changeCall(id, (current) =>
      isOwn ? current : { ...current, tab: { id: tabId, frameId: 0 } },
    );
    if (record) notifyTab(record);
  }
}
