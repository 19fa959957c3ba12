/** Keyboard commands; which keys they have is the browser's business. */
import browser, { type Tabs } from 'webextension-polyfill';
import type { ToContent } from '../../messages/content.ts';
import { scanTab } from '../sites/sync-sites.ts';
import { openPanel } from './open-panel.ts';

const toContent: Record<string, ToContent> = {
  'next-number': { type: 'background.step', to: 'next' },
  'previous-number': { type: 'background.step', to: 'previous' },
  'dial-number': { type: 'background.dialFocused' },
};

export function onCommand(command: string, tab?: Tabs.Tab): void {
  if (command === 'open-panel') void openPanel(tab?.windowId);
  const message = toContent[command];
  if (message) void sendToTab(message, tab?.id);
}

/** A page that is not marked yet is, by the command: it grants `activeTab` as a click on us does. */
async function sendToTab(message: ToContent, tabId: number | undefined): Promise<void> {
  const id = tabId ?? (await browser.tabs.query({ active: true, lastFocusedWindow: true }))[0]?.id;
  if (id === undefined) return;
  const reached = await browser.tabs
    .sendMessage(id, message)
    .then(() => true)
    .catch(() => false);
  if (!reached && (await scanTab(id))) await browser.tabs.sendMessage(id, message).catch(() => {});
}

/** False where another extension, or the person, has taken the keys of a command. */
export const hasShortcut = async (command: string): Promise<boolean> =>
  (await browser.commands.getAll()).some(({ name, shortcut }) => name === command && !!shortcut);
