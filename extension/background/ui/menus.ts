/** The context menu: on selected text, on telephone links, on marked numbers, and on the page. */
import browser, { type Menus, type Tabs } from 'webextension-polyfill';
import { text } from '../../text.ts';
import { scanTab } from '../sites/sync-sites.ts';
import { openCallPage } from './call-page.ts';

/** Replaces the menu; runs on install and when the language changes. */
export async function makeMenus(): Promise<void> {
  await browser.contextMenus.removeAll();
  browser.contextMenus.create({
    id: 'call-selection',
    title: text('background_menu_callSelection'),
    contexts: ['selection'],
  });
  browser.contextMenus.create({
    id: 'call-link',
    title: text('background_menu_callLink'),
    contexts: ['link'],
    targetUrlPatterns: ['tel:*', 'callto:*', 'sip:*'],
  });
  browser.contextMenus.create({
    id: 'call-number',
    title: text('background_menu_callLink'),
    contexts: ['page', 'frame'],
    visible: false,
  });
  browser.contextMenus.create({ id: 'scan-page', title: text('background_menu_scan'), contexts: ['page'] });
}

/** The marked number under the mouse: a page's own text, which no menu knows of. */
let pointedNumber: string | undefined;

/** Shows the menu's item for a marked number while the mouse is on it. */
export async function offerInMenu(number: string | undefined): Promise<void> {
  pointedNumber = number;
  await browser.contextMenus.update('call-number', { visible: number !== undefined });
}

export function onMenu(info: Menus.OnClickData, tab?: Tabs.Tab): void {
  if (info.menuItemId === 'scan-page' && tab?.id !== undefined) void scanTab(tab.id);
  // What is selected or linked comes from the page: the agent sees the number in our own page before it is dialled.
  const number =
    info.menuItemId === 'call-number'
      ? pointedNumber
      : info.menuItemId === 'call-link'
        ? info.linkUrl
        : info.selectionText;
  if (info.menuItemId !== 'scan-page' && number) void openCallPage(number.slice(0, 200));
}
