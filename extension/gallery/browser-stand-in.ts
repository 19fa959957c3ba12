/** Stands in for `webextension-polyfill`: replies from the state that the page's address names. */
import type { PageMessage } from '../messages/pages.ts';
import type { Result } from '../messages/result.ts';
import { chooseLanguage } from '../text.ts';
import { appearance } from './states/page-state.ts';
import { repliesIn } from './states/samples.ts';
import { findState } from './states.ts';

const state = findState();
chooseLanguage(appearance.language);
const replies = repliesIn(state);
const event = { addListener() {}, removeListener() {} };
const isAllowed = async () => state.hasPermission !== false;

const browser = {
  runtime: {
    onMessage: event,
    openOptionsPage: async () => {},
    getManifest: () => ({ version: '0.1.0' }),
    getURL: (path: string) => `/${path}`,
    async sendMessage({ type }: { type: PageMessage }): Promise<Result<unknown>> {
      if (state.pending?.includes(type)) return new Promise(() => {});
      return replies[type] ?? { ok: true, value: null };
    },
  },
  storage: {
    session: { get: async () => ({}), set: async () => {}, remove: async () => {}, onChanged: event },
  },
  extension: { getViews: () => (state.page === 'popup' && innerWidth > 400 ? [window] : []) },
  permissions: {
    contains: isAllowed,
    request: isAllowed,
    remove: async () => true,
    onAdded: event,
    onRemoved: event,
  },
  tabs: { onActivated: event, onUpdated: event, create: async () => {} },
  windows: { onFocusChanged: event },
  commands: {
    getAll: async () => [
      { name: 'next-number', description: 'Go to the next number', shortcut: 'Alt+Shift+N' },
      { name: 'previous-number', description: '', shortcut: 'Alt+Shift+P' },
      { name: 'open-panel', description: '', shortcut: 'Alt+Shift+C' },
      { name: 'dial-number', description: '', shortcut: '' },
    ],
  },
  browsingData: { remove: async () => {} },
};
export default browser;

if (state.loginReply) {
  const reply = state.loginReply;
  globalThis.fetch = async () => {
    if (reply === 'unreachable') throw new TypeError('Failed to fetch');
    return Response.json(reply.body, { status: reply.status });
  };
}

/** A state that waits for a reply stays, however long it is looked at: the page's limit of 15 s does not come. */
if (state.pending) {
  const startTimer = globalThis.setTimeout.bind(globalThis) as (run: () => void, ms?: number) => number;
  const startShortTimer = (run: () => void, ms = 0) => (ms < 15_000 ? startTimer(run, ms) : 0);
  Object.assign(globalThis, { setTimeout: startShortTimer });
}

/** What appeared cannot be clicked at once, a destructive answer half a second later. */
const clickableAfterMs = 600;
const elapsed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Fills fields and clicks, each as soon as its element appears. Marks the document at the end. */
async function act(): Promise<void> {
  const isStarting = () => document.querySelector('.starting') !== null;
  while (isStarting() && !state.pending?.includes('page.settings')) await elapsed(50);
  for (const { selector, value } of state.steps ?? []) {
    const element = await appearing(selector);
    if (value === undefined) element.click();
    else {
      (element as HTMLInputElement).value = value;
      element.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  }
  await elapsed(clickableAfterMs);
  document.documentElement.dataset.reached = 'yes';
}

async function appearing(selector: string): Promise<HTMLElement> {
  for (;;) {
    const isThere = document.querySelector(selector) !== null;
    await elapsed(350);
    const element = document.querySelector<HTMLElement>(selector);
    if (isThere && element) return element;
  }
}

void act();
