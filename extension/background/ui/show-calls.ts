/** Tells everyone who shows calls that one changed: the page that placed it, our own pages, the badge, a notification. */
import browser from 'webextension-polyfill';
import { isFinished } from '../../../shared/call/call.ts';
import type { BackgroundToPages } from '../../messages.ts';
import { text } from '../../text.ts';
import type { CallRecord } from '../calls/call-record.ts';
import { onCallChanged } from '../calls/call-store.ts';
import { chipCall, sentenceOf } from '../calls/call-words.ts';
import { followState, onFollowState } from '../calls/follow-calls.ts';
import { onFound } from '../numbers/numbers-per-tab.ts';
import { showBadge } from './badge.ts';
import { notify } from './notifications.ts';

/** Wires the listeners; to be called synchronously when the background starts. */
export function showCalls(): void {
  onCallChanged((record, before) => {
    callsChanged();
    if (before?.call === record.call && before.failure === record.failure) return;
    tellTab(record);
    showBadge(record, text('background_badge_calling', record.display));
    if (before && !isFinished(before.call) && isFinished(record.call))
      void notify(record, sentenceOf(record));
  });
  onFollowState(() => tellPages('follow', followState()));
  onFound(() => tellPages('tab'));
}

export function callsChanged(): void {
  tellPages('calls');
}

export function tellPages(what: BackgroundToPages['what'], _detail?: string): void {
  // Nobody listens while none of our pages is open; that rejects, and is fine.
  void browser.runtime
    .sendMessage({ type: 'background.changed', what } satisfies BackgroundToPages)
    .catch(() => {});
}

function tellTab(record: CallRecord): void {
  if (!record.tab) return;
  void browser.tabs
    .sendMessage(
      record.tab.id,
      { type: 'background.call', call: chipCall(record) },
      { frameId: record.tab.frameId },
    )
    .catch(() => {}); // The tab went elsewhere.
}
