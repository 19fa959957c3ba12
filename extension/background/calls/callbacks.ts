/** Shows a notification when a callback is due. The relay closes a callback when the person was reached. */
import browser from 'webextension-polyfill';
import { coalesce } from '../../../shared/async/coalesce.ts';
import { minuteMs } from '../../../shared/durations.ts';
import { when } from '../../format.ts';
import { text } from '../../text.ts';
import { readSettings } from '../settings/settings-store.ts';
import { notifyAgent } from '../ui/notify-agent.ts';
import { getCall, onCallChanged } from './call-store.ts';
import { fetchCallbacks } from './relay-client.ts';
import { followingRelay } from './route.ts';

export const callbackAlarm = 'callback';
/** How often the relay is asked. A colleague may hand over a callback while the event stream is closed here. */
const askAgainMs = 5 * minuteMs;

/** Adds the listener; to be called synchronously when the background starts. */
export function watchCallbacks(): void {
  onCallChanged((record, before) => {
    if (record.call.wrapUp?.callBackAt !== before?.call.wrapUp?.callBackAt) void notifyDueCallbacks();
  });
}

/**
 * Notifies of each due callback once. Then sets the alarm for the next callback, or for the next question to the relay.
 * Idempotent: call it whenever a callback may have changed. If notifications are off, callbacks are shown in the panel
 * only.
 */
export const notifyDueCallbacks = coalesce(async () => {
  const { settings } = await readSettings();
  const relay = settings.appearance.notifications ? await followingRelay(settings) : undefined;
  if (!relay) return void (await browser.alarms.clear(callbackAlarm));
  const outcome = await fetchCallbacks(relay);
  const now = Date.now();
  const askAgain = now + askAgainMs;
  if (outcome.kind !== 'ok') return browser.alarms.create(callbackAlarm, { when: askAgain });
  const planned = outcome.value.calls.map((call) => ({ call, at: call.wrapUp?.callBackAt ?? '' }));
  const due = planned.filter(({ at }) => Date.parse(at) <= now);
  const stored = await browser.storage.session.get('notifiedCallbacks');
  const notified = (stored.notifiedCallbacks ?? {}) as Record<string, string>;
  // Stored before the notifications are shown. If the background stops in between, a callback is never notified twice.
  await browser.storage.session.set({
    notifiedCallbacks: Object.fromEntries(due.map(({ call, at }) => [call.id, at])),
  });
  for (const { call, at } of due) {
    if (notified[call.id] === at) continue;
    const own = await getCall(call.id);
    const callee = [call.name ?? own?.name, own?.display ?? call.to].filter(Boolean).join(' ');
    await notifyAgent(`callback:${call.id}`, text('callbacks_now', callee), text('callbacks_due', when(at)));
  }
  const next = planned.map(({ at }) => Date.parse(at)).filter((at) => at > now);
  await browser.alarms.create(callbackAlarm, { when: Math.min(askAgain, ...next) });
});
