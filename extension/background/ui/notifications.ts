/** A notification at a call's end, where the agent wants them and the browser was allowed to show them. */
import browser from 'webextension-polyfill';
import type { CallRecord } from '../calls/call-record.ts';
import { readSettings } from '../settings/settings-store.ts';

const prefix = 'call:';

export async function notify(record: CallRecord, sentence: string): Promise<void> {
  const { settings } = await readSettings();
  if (!settings.appearance.notifications) return;
  if (!(await browser.permissions.contains({ permissions: ['notifications'] }))) return;
  // Firefox has neither buttons nor requireInteraction (153): a click opens the panel in both.
  await browser.notifications.create(prefix + record.id, {
    type: 'basic',
    iconUrl: browser.runtime.getURL('extension/icons/128.png'),
    title: record.display,
    message: sentence,
  });
}
