import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { session } from '../../testing/extension/browser-api.ts';
import { callOnItsWay } from '../../testing/extension/call-on-its-way.ts';
import { storeCall } from '../../testing/extension/store-call.ts';
import { refuse } from '../messages/result.ts';
import { Settings } from '../settings.ts';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../testing/extension/browser-api.ts'));
const granted = vi.hoisted((): string[] => []);
vi.mock('./sites/sync-sites.ts', () => ({
  grantedOrigins: async () => granted,
  scanTab: async () => true,
  syncSites: async () => {},
}));

const { pageHandlers } = await import('./page-handlers.ts');
const { getCall } = await import('./calls/call-store.ts');
const { readSettings } = await import('./settings/settings-store.ts');

test.each([
  [{ everywhere: true }, ['*://*/*'], true],
  [{ everywhere: true }, [], false],
  [{ enabled: ['crm.example'] }, ['*://crm.example/*'], true],
  [{ enabled: ['crm.example'] }, [], false],
  [{}, ['*://*/*'], false],
])('with the sites %j, the permissions %j, marks any site: %s', async (sites, origins, marks) => {
  granted.splice(0, granted.length, ...origins);
  const saved = await pageHandlers['page.saveSettings']({ settings: Settings.parse({ sites }) });
  expect(saved.ok && saved.value.marksAnySite).toBe(marks);
});

test('forgetting calls removes what was typed at them, but not what was typed at one in progress', async () => {
  const [first, second, live] = [
    callOnItsWay({ phase: 'placed' }),
    callOnItsWay({ phase: 'placed' }),
    callOnItsWay({ phase: 'sending' }),
  ];
  for (const record of [first!, second!, live!]) {
    const isOver = record !== live;
    await storeCall({ ...record, ...(isOver && { call: { ...record.call, state: 'disconnected' } }) });
    session.set(`draft:note-${record.id}`, 'a note');
    session.set(`draft:${record.id}`, { draft: { note: 'a note' } });
  }
  session.set('cursor', '7');
  const drafts = () => [...session.keys()].filter((key) => key.startsWith('draft:'));
  await pageHandlers['page.forgetCall']({ id: first!.id });
  expect(drafts().filter((key) => key.includes(first!.id))).toEqual([]);
  expect(drafts()).toHaveLength(4);
  await pageHandlers['page.forgetHistory']({});
  expect(drafts()).toEqual([`draft:note-${live!.id}`, `draft:${live!.id}`]);
  expect(session.get('cursor')).toBe('7');
});

test('removes one call without a walk through the history, but not one in progress', async () => {
  const [gone, kept, live] = [
    callOnItsWay({ phase: 'placed' }),
    callOnItsWay({ phase: 'placed' }),
    callOnItsWay({ phase: 'sending' }),
  ];
  for (const record of [gone!, kept!])
    await storeCall({ ...record, call: { ...record.call, state: 'disconnected' } });
  await storeCall(live!);
  const walk = vi.spyOn(IDBObjectStore.prototype, 'openCursor');
  for (const { id } of [gone!, live!]) await pageHandlers['page.forgetCall']({ id });
  expect(walk).not.toHaveBeenCalled();
  expect(await Promise.all([gone!, kept!, live!].map(({ id }) => getCall(id)))).toEqual([
    undefined,
    expect.objectContaining({ id: kept!.id }),
    expect.objectContaining({ id: live!.id }),
  ]);
});

test.each(['enabled', 'blocked'] as const)('says that the list of %s sites is full', async (state) => {
  const rules = Array.from({ length: 1000 }, (_, number) => `crm-${number}.example`);
  const full = Settings.parse({ sites: { [state]: rules } });
  await pageHandlers['page.saveSettings']({ settings: full });
  const reply = await pageHandlers['page.setSite']({ host: 'more.example', state });
  expect(reply).toEqual(refuse('tooManySites'));
  expect((await readSettings()).settings.sites).toEqual(full.sites);
});

test('says that there are too many sites where the frames of a page are turned on', async () => {
  const enabled = Array.from({ length: 999 }, (_, number) => `crm-${number}.example`);
  await pageHandlers['page.saveSettings']({ settings: Settings.parse({ sites: { enabled } }) });
  const change = { page: 'crm-0.example', hosts: ['a.example', 'b.example'], isEnabled: true };
  expect(await pageHandlers['page.setFrames'](change)).toEqual(refuse('tooManySites'));
});
