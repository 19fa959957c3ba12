import { expect, test, vi } from 'vitest';

const stub = vi.hoisted(() => ({
  runtime: { getURL: (path: string) => `chrome-extension://own/${path}` },
  // An application's window, where the click was, takes no tab: the browser has put it into another one.
  tabs: { create: vi.fn(async (_tab: { url: string }) => ({ id: 1, windowId: 7 })) },
  windows: { update: vi.fn(async () => ({})) },
}));
vi.mock('webextension-polyfill', () => ({ default: stub }));
const { openCallPage } = await import('./call-page.ts');

test('the call page comes to the front with the window that it opened in', async () => {
  await openCallPage('0900 123456');
  expect(stub.tabs.create.mock.lastCall?.[0].url).toContain('/call/index.html?u=0900');
  expect(stub.windows.update).toHaveBeenCalledExactlyOnceWith(7, { focused: true });
});
