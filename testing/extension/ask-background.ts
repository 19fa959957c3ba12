/** Sends requests to the background from a page of the extension, for state that the pages do not show in one place. */

import { type Call, isFinished } from '../../shared/call/call.ts';
import type { BrowserAtRelay } from '../browser-at-relay.ts';
import type { Tab, TestBrowser } from '../browsers/browser.ts';
import { until } from '../until.ts';
import { agent } from './options-page.ts';

export interface Answer<T> {
  ok: boolean;
  value: T;
  error: { code: string; detail?: string };
}
export interface Entry {
  id: string;
  call: Call;
  followed: 'relay' | 'none';
  sentence: string;
}

const send = (message: object) =>
  `(globalThis.browser ?? chrome).runtime.sendMessage(${JSON.stringify(message)})`;

/** Sends a request once. If the background is stopped meanwhile, the reply is missing or not ok. */
export function askOnce<T>(page: Tab, message: object): Promise<Answer<T> | undefined> {
  return page.evaluate<Answer<T> | undefined>(
    `${send(message)}.then((answer) => answer ?? null, () => null)`,
  );
}

export function ask<T>(page: Tab, message: object): Promise<Answer<T>> {
  return until(() => askOnce<T>(page, message), `an answer to ${JSON.stringify(message)}`);
}

/**
 * Sends a message to every tab whose address begins so, as the background does.
 * @returns the replies of the tabs that have the content script.
 */
export const sendToContent = <T = unknown>(page: Tab, address: string, message: object): Promise<T[]> =>
  page.evaluate<T[]>(`(async () => {
    const { tabs } = globalThis.browser ?? chrome;
    const answers = [];
    for (const { id, url } of await tabs.query({}))
      if (url?.startsWith(${JSON.stringify(address)}))
        await tabs.sendMessage(id, ${JSON.stringify(message)}).then((answer) => answers.push(answer ?? null), () => {});
    return answers; })()`);

const ownPages = new WeakMap<TestBrowser, Tab>();

/** A page of the extension that does not act by itself. It stays open behind the tabs of the tests. */
export async function ownPage({ browser }: BrowserAtRelay): Promise<Tab> {
  const path = '/extension/pages/call/index.html';
  const opened = ownPages.get(browser);
  // An update of the extension closes its pages.
  const isOpen = await opened
    ?.evaluate<boolean>(`location.pathname === ${JSON.stringify(path)}`)
    .catch(() => false);
  if (opened && isOpen) return opened;
  const page = await browser.newTab(browser.extensionOrigin + path);
  ownPages.set(browser, page);
  return page;
}

type Group = Record<string, unknown>;
type Change = (settings: {
  connection: Group;
  agent: Group;
  guard: Group;
  numbers: Group;
  sites: { enabled: string[] };
}) => void;

/** Sets the connection and both secrets at once. */
export async function configure(page: Tab, workstation: BrowserAtRelay, change: Change): Promise<void> {
  const { value } = await ask<{ settings: Parameters<Change>[0] }>(page, { type: 'page.settings' });
  const { settings } = value;
  settings.agent = { ...settings.agent, from: agent, askAgainSeconds: 0 };
  // Tests dial more often than people do.
  settings.guard.maxCallsPerMinute = 1000;
  // A new profile would have the country of this machine.
  settings.numbers.country = 'BR';
  change(settings);
  const saved = await ask(page, { type: 'page.saveSettings', settings });
  if (!saved.ok) throw new Error(`the settings were refused: ${saved.error.detail}`);
  await ask(page, { type: 'page.setSecret', name: 'agentKey', value: workstation.key });
  await ask(page, { type: 'page.setSecret', name: 'serviceToken', value: workstation.provider.token });
}

/**
 * Resets the settings and the history, because the tests of a worker share its browser.
 * @param change sets the settings. The connection is empty before.
 */
export async function resetExtension(workstation: BrowserAtRelay, change: Change = () => {}): Promise<void> {
  const page = await ownPage(workstation);
  await readyToDial(page);
  await until(
    async () => (await ask<{ kept: number }>(page, { type: 'page.forgetHistory' })).value.kept === 0,
    'the end of every call before',
  );
  await configure(page, workstation, (settings) => {
    for (const name of Object.keys(settings.connection)) delete settings.connection[name];
    delete settings.agent.timeout;
    change(settings);
  });
}

/** Resets the extension as `resetExtension` does. Calls go through the relay, and pages of 127.0.0.1 have marks. */
export async function resetToRelay(workstation: BrowserAtRelay, change: Change = () => {}): Promise<void> {
  let isEnabled = false;
  await resetExtension(workstation, (settings) => {
    Object.assign(settings.connection, { mode: 'relay', relayUrl: workstation.relay.url });
    isEnabled = settings.sites.enabled.includes('127.0.0.1');
    change(settings);
  });
  if (!isEnabled) await workstation.enableSite('127.0.0.1');
}

/** Resolves with the call of this click once it is finished. */
export function callAtItsEnd(page: Tab, click: string): Promise<Entry> {
  return until(async () => {
    const { value } = await ask<{ entries: Entry[] }>(page, { type: 'page.history' });
    const entry = value.entries.find(({ id }) => id === click);
    return entry && isFinished(entry.call) ? entry : undefined;
  }, `the end of ${click}`);
}

/**
 * Waits until the last call has ended. Then makes it older, because the next call is refused for a moment
 * (`coolDownMs`).
 */
export async function readyToDial(page: Tab): Promise<void> {
  await until(async () => {
    const { value } = await ask<{ entries: Entry[] }>(page, { type: 'page.history' });
    const [newest] = value.entries;
    return !newest || isFinished(newest.call);
  }, 'the end of the last call');
  await page.evaluate(endCoolDown);
}

/** Runs in a page of the extension. All its pages share the database of calls. */
const endCoolDown = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('dialmark');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const database = opening.result;
    const change = database.transaction('calls', 'readwrite');
    change.objectStore('calls').index('createdAt').openCursor(null, 'prev')
      .onsuccess = ({ target: { result: newest } }) => {
      const latest = new Date(Date.now() - 1_600).toISOString();
      if (newest && newest.value.createdAt > latest) newest.update({ ...newest.value, createdAt: latest });
    };
    change.oncomplete = () => { database.close(); resolve(true); };
    change.onabort = () => { database.close(); reject(change.error); };
  };
})`;
