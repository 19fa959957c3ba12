/**
 * The popup's page in jsdom, before a background that replies as the test wants. Each test file mocks what the page
 * loads: `vi.mock('../parts/send-request.ts', () => ({ sendRequest }))`, and `webextension-polyfill` by `browser`.
 */
import { act } from 'preact/test-utils';
import { expect, vi } from 'vitest';
import { panel, repliesIn, sampleEntry, shownTicket } from '../../extension/gallery/states/samples.ts';
import type { BackgroundToPages } from '../../extension/messages/pages.ts';
import { ok, refuse } from '../../extension/messages/result.ts';
import type { PanelState } from '../../extension/messages/views.ts';
import type { Callback } from '../../extension/messages/wrap-up.ts';
import { eventually } from '../eventually.ts';
import { completeJsdom } from './complete-jsdom.ts';
import { forgetListeners, onMessage, publishChange } from './page-changes.ts';

const events = { addListener() {}, removeListener() {} };
const focusListeners = new Set<(windowId: number) => void>();
const noWindow = -1;
export const browser = {
  runtime: { onMessage },
  tabs: { onActivated: events, onUpdated: events },
  windows: {
    WINDOW_ID_NONE: noWindow,
    onFocusChanged: {
      addListener: (listener: (windowId: number) => void) => void focusListeners.add(listener),
      removeListener: (listener: (windowId: number) => void) => void focusListeners.delete(listener),
    },
  },
  extension: { getViews: () => [] },
  commands: { getAll: async () => [] },
  storage: {
    session: { get: async () => ({}), set: async () => {}, remove: async () => {}, onChanged: events },
  },
};
completeJsdom();

/** The requests to place a call. */
export const dialled: Record<string, unknown>[] = [];
/** The background's replies, by the type of the message. */
export let replies: Record<string, unknown> = {};
export async function sendRequest(type: string, fields: Record<string, unknown>) {
  if (type === 'page.dial') dialled.push(fields);
  return replies[type] ?? ok(null);
}

export const tab = { id: 1, host: 'crm.example', site: 'enabled', marking: false } as const;
/** Opens the popup. @param callback a colleague's callback, which is put into the dial field. */
export async function open(callback?: Callback): Promise<void> {
  dialled.length = 0;
  forgetListeners();
  replies = {
    ...repliesIn({ page: 'popup', name: '' }),
    'page.state': ok(panel({ tab: { ...tab, shown: shownTicket } })),
    'page.callbacks': ok(callback ? [callback] : []),
  };
  document.body.innerHTML = '<div id="page"><p class="starting"></p></div>';
  vi.resetModules();
  await act(async () => void (await import('../../extension/pages/popup/popup.tsx')));
  await eventually(() => expect(field()).not.toBeNull());
  if (!callback) return;
  await eventually(() => expect(find('.call-back')).not.toBeNull());
  await click('.call-back');
}

export const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!;
export const field = () => find<HTMLInputElement>('#dial-input');
export const click = (selector: string) => act(async () => find(selector).click());
export const focusedId = () => document.activeElement!.id;
export const press = (key: string) =>
  act(async () => {
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
export const type = (typed: string, into = field()) =>
  act(async () => {
    into.value = typed;
    into.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
  });
export async function dial() {
  // Not within `act`, which would hold back what is to be seen.
  await eventually(() => expect(find('#dial-button').matches(':enabled')).toBe(true));
  await click('#dial-button');
  return dialled.at(-1);
}
export const isAsked = () => eventually(() => expect(find('#confirm')).not.toBeNull());
/** The background asks about the call. */
export async function dialAbroad(): Promise<void> {
  replies['page.dial'] = refuse('confirmFirst', 'Abroad.');
  await type('4832221001');
  await dial();
  await isAsked();
}
export const notifyChange = (what: BackgroundToPages['what']) => act(async () => publishChange(what));
/** The agent goes to a window of the browser, or to another program. */
export const focusWindow = (windowId = noWindow) =>
  act(async () => {
    for (const listener of [...focusListeners]) listener(windowId);
  });
/** The background lists `recent` as the newest calls. */
export async function listCalls(...recent: PanelState['recent']): Promise<void> {
  replies['page.state'] = ok(panel({ tab, recent }));
  await notifyChange('calls');
}
/** The background places the next call: its entry in the history. */
export function placeNext(number = '+55 48 3222-1001') {
  const entry = sampleEntry(number, { reason: 'hangUp', talkSeconds: 10 });
  replies['page.dial'] = ok({ id: entry.id });
  return entry;
}
