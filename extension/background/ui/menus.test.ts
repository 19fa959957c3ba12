import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Menus, Tabs } from 'webextension-polyfill';
import type { FromPage } from '../../asked-number.ts';

const opened: string[] = [];
const places: object[] = [];
const records: object[] = [];
const duplicates: string[] = [];
const items = new Map<string, Menus.UpdateUpdatePropertiesType>();
vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
let takesScripts = true;
const openPanelAsPopup = vi.fn(async () => {});
vi.mock('../sites/sync-sites.ts', () => ({ scanTab: async () => takesScripts }));
vi.mock('./open-panel.ts', () => ({ openPanelAsPopup }));
vi.mock('../calls/team-rules.ts', () => ({
  onRulesChanged: () => {},
  teamRules: async () => undefined,
  recordAtAddress: async (address?: string) => {
    const id = /tickets\/(\d+)/.exec(address ?? '')?.[1];
    return id && { system: 'rt', kind: 'ticket', id };
  },
}));
vi.mock('./call-page.ts', () => ({
  openCallPage: async (number: string, { record, onPage }: FromPage = {}) => {
    opened.push(number);
    if (record) records.push(record);
    if (onPage) places.push(onPage);
  },
}));

const { default: browser } = await import('webextension-polyfill');
Object.assign(browser, {
  commands: { getAll: async () => [] },
  contextMenus: {
    removeAll: async () => items.clear(),
    create: (item: Menus.CreateCreatePropertiesType) => {
      if (items.has(item.id!)) duplicates.push(item.id!);
      items.set(item.id!, { ...item });
    },
    update: async (id: string, change: Menus.UpdateUpdatePropertiesType) =>
      void items.set(id, { ...items.get(id), ...change }),
  },
});
const { makeMenus, offerInMenu, onMenu, withdrawFromMenu } = await import('./menus.ts');
const { readSettings, settingsChanged, updateSettings } = await import('../settings/settings-store.ts');
const { contentHandlers } = await import('../content-handlers.ts');

const number = '+55 11 3350-4188';
const page = { tabId: 7, frameId: 0, url: 'https://crm.example/contacts' };
const frame = { tabId: 7, frameId: 3, url: 'https://mail.example/' };
const select = (item: string, where: object = {}, tabId = 7) =>
  onMenu(
    { menuItemId: item, pageUrl: page.url, frameId: 0, ...where } as Menus.OnClickData,
    { id: tabId } as Tabs.Tab,
  );

beforeEach(async () => {
  opened.length = 0;
  await withdrawFromMenu(page);
  await withdrawFromMenu(frame);
  await makeMenus();
});

test('the number under the mouse is named in the menu, then asked about on our own page', async () => {
  expect(items.get('call-number')).toMatchObject({ visible: false });
  await offerInMenu({ number }, page);
  expect(items.get('call-number')).toMatchObject({
    visible: true,
    title: `Call ${number}`,
    documentUrlPatterns: ['*://crm.example/*'],
  });
  await select('call-number');
  expect(opened).toEqual([number]);
});

test('a number that is called from the menu keeps its place on the page', async () => {
  const source = { text: '(48) 3222-1000 ramal 227', contextWords: 'phone' } as const;
  await offerInMenu({ number, source }, page);
  await select('call-number');
  expect(places).toEqual([{ source, host: 'crm.example' }]);
});

test('a number that is called from the menu is about the record of its tab', async () => {
  const record = { system: 'rt', kind: 'ticket', id: '4711' };
  await offerInMenu({ number }, page);
  const tab = { id: 7, url: 'https://crm.example/tickets/4711' } as Tabs.Tab;
  await onMenu({ menuItemId: 'call-number', pageUrl: tab.url, frameId: 0 } as Menus.OnClickData, tab);
  expect(records).toEqual([record]);
});

test("the menu after an update has the agent's language before the background has chosen it", async () => {
  const use = (language: 'es' | '') =>
    updateSettings((own) => ({ ...own, appearance: { ...own.appearance, language } }));
  await use('es');
  await makeMenus();
  expect(items.get('scan-page')?.title).toBe('Resaltar los números de esta página');
  await use('');
});

test('menus that are made at the same time have each item once', async () => {
  duplicates.length = 0;
  await Promise.all([makeMenus(), makeMenus(), makeMenus()]);
  expect(duplicates).toEqual([]);
});

test('a menu that is open still calls its number when the mouse has left it', async () => {
  await offerInMenu({ number }, page);
  await offerInMenu({}, page);
  expect(items.get('call-number')).toMatchObject({ visible: false });
  await select('call-number');
  expect(opened).toEqual([number]);
});

test('a frame that the mouse has left does not hide the number of the frame it has entered', async () => {
  await offerInMenu({ number }, page);
  await Promise.all([offerInMenu({ number: '+55 48 3222-1000' }, frame), offerInMenu({}, page)]);
  expect(items.get('call-number')).toMatchObject({ visible: true, title: 'Call +55 48 3222-1000' });
});

test.each([
  ['another tab', {}, 8],
  ['another frame', { frameId: 3, frameUrl: 'https://crm.example/inner' }, 7],
  ['another site in the same tab', { pageUrl: 'https://evil.example/' }, 7],
])('an offer is not taken from %s', async (_where, click, tabId) => {
  await offerInMenu({ number }, page);
  await select('call-number', click, tabId);
  await select('exclude-number', click, tabId);
  expect(opened).toEqual([]);
  expect((await readSettings()).settings.sites.excludedNumbers).toEqual([]);
});

test('a new document in the frame withdraws the offer of the one before', async () => {
  await offerInMenu({ number }, page);
  await contentHandlers['content.hello']({}, page);
  await select('call-number');
  expect(items.get('call-number')).toMatchObject({ visible: false });
  expect(opened).toEqual([]);
});

test('an organisation that has set which numbers are none leaves that to no menu', async () => {
  const policy = vi
    .spyOn(browser.storage.managed, 'get')
    .mockResolvedValue({ sites: { excludedNumbers: [] } });
  settingsChanged();
  await offerInMenu({ number }, page);
  expect(items.get('call-number')).toMatchObject({ visible: true });
  expect(items.get('exclude-number')).toMatchObject({ visible: false });
  policy.mockRestore();
  settingsChanged();
});

test('a selection or a telephone link is asked about on our own page, too', async () => {
  await select('call-selection', { selectionText: '(11) 3350-4188' });
  await select('call-link', { linkUrl: 'tel:+551133504188' });
  expect(opened).toEqual(['(11) 3350-4188', 'tel:+551133504188']);
});

test('a selected sentence or list is asked about by its first number, without what follows', async () => {
  for (const selectionText of [
    'Ana: (11) 3350-4188\nBia: (48) 3222-1000',
    `${'Please call back. '.repeat(20)}(11) 3350-4188 after 18h`,
    'In 2 days: (11) 3350-4188 ramal 227',
    '1-800-FLOWERS',
    '1105',
  ])
    await select('call-selection', { selectionText });
  expect(opened).toEqual([
    '(11) 3350-4188',
    '(11) 3350-4188',
    '(11) 3350-4188 ramal 227',
    '1-800-FLOWERS',
    '1105',
  ]);
});

test('to mark a page that takes no script opens the panel', async () => {
  await select('scan-page');
  expect(openPanelAsPopup).not.toHaveBeenCalled();
  takesScripts = false;
  await select('scan-page');
  expect(openPanelAsPopup).toHaveBeenCalledOnce();
});

test('a number that is none on this site is found elsewhere only', async () => {
  const found = async ({ url }: { url: string }) => {
    const reply = await contentHandlers['content.find'](
      { texts: ['Ana (11) 3350-4188, Bia (48) 3222-1000'] },
      { tabId: 7, frameId: 0, url },
    );
    return reply.ok && reply.value[0]!.map((each) => each.number.display);
  };
  await offerInMenu({ number }, page);
  expect(await found(page)).toEqual([number, '+55 48 3222-1000']);
  await select('exclude-number');
  expect((await readSettings()).settings.sites.excludedNumbers).toEqual([{ host: 'crm.example', number }]);
  expect(await found(page)).toEqual(['+55 48 3222-1000']);
  expect(await found(frame)).toEqual([number, '+55 48 3222-1000']);
});
