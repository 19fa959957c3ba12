import { beforeEach, expect, test, vi } from 'vitest';

const open: { id: number; windowId: number }[] = [];
const refuse = vi.fn(async () => {
  throw new Error('Could not find an active browser window.');
});
const stub = vi.hoisted(() => ({
  runtime: { getURL: (path: string) => `chrome-extension://own/${path}` },
  action: {},
  tabs: {},
  windows: { get: async () => ({ type: 'popup' }), update: vi.fn(async () => ({})) },
}));
vi.mock('webextension-polyfill', () => ({ default: stub }));
vi.stubGlobal('__BROWSER__', 'chrome');
vi.stubGlobal('chrome', { sidePanel: { open: async () => {} } });
const create = vi.fn(async () => ({ id: 1, windowId: 7 }));
const update = vi.fn(async () => open[0]);
Object.assign(stub.action, { openPopup: refuse });
Object.assign(stub.tabs, { query: async () => open, create, update });
const { openPanel } = await import('./open-panel.ts');

beforeEach(() => vi.clearAllMocks());

test('the panel is a tab, in front, where its window has neither side panel nor popup', async () => {
  await openPanel(3);
  expect(create).toHaveBeenCalledExactlyOnceWith({
    url: 'chrome-extension://own/extension/pages/popup/index.html',
  });
  expect(stub.windows.update).toHaveBeenCalledExactlyOnceWith(7, { focused: true });
});

test('the tab that shows the panel already comes to the front', async () => {
  open.push({ id: 5, windowId: 9 });
  await openPanel(3);
  expect(create).not.toHaveBeenCalled();
  expect(update).toHaveBeenCalledExactlyOnceWith(5, { active: true });
  expect(stub.windows.update).toHaveBeenCalledExactlyOnceWith(9, { focused: true });
});
