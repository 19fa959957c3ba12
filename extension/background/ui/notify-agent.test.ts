import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';

const grant = vi.hoisted(() => new Set<() => void>());
const clicks = vi.hoisted(() => new Set<() => void>());
const stub = vi.hoisted(() => ({
  notifications: undefined as object | undefined,
  permissions: { onAdded: { addListener: (listener: () => void) => void grant.add(listener) } },
  windows: {
    getLastFocused: async () => ({ id: 7 }),
    update: vi.fn(async () => ({})),
  },
  action: { openPopup: vi.fn(async () => {}) },
}));
vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => ({ default: stub }));
vi.mock('../settings/settings-store.ts', () => ({}));
const { wireNotifications } = await import('./notify-agent.ts');

test('a click on a notification opens the panel once, in its window that is focused first', async () => {
  wireNotifications();
  stub.notifications = { onClicked: { addListener: (listener: () => void) => void clicks.add(listener) } };
  // Granted while the background runs.
  for (const listener of grant) listener();
  for (const listener of grant) listener();
  for (const click of clicks) click();
  await eventually(() => expect(stub.action.openPopup).toHaveBeenCalledOnce());
  expect(stub.windows.update).toHaveBeenCalledExactlyOnceWith(7, { focused: true });
  expect(stub.windows.update).toHaveBeenCalledBefore(stub.action.openPopup);
});
