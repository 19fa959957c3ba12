import { expect, test, vi } from 'vitest';

const grant = vi.hoisted(() => new Set<() => void>());
const clicks = vi.hoisted(() => new Set<() => void>());
const stub = vi.hoisted(() => ({
  notifications: undefined as object | undefined,
  permissions: { onAdded: { addListener: (listener: () => void) => void grant.add(listener) } },
  action: { openPopup: vi.fn() },
}));
vi.mock('webextension-polyfill', () => ({ default: stub }));
vi.mock('../settings/settings-store.ts', () => ({}));
const { wireNotifications } = await import('./notify-agent.ts');

test('a click on a notification opens the panel once, also just after the permission was granted', () => {
  wireNotifications();
  stub.notifications = { onClicked: { addListener: (listener: () => void) => void clicks.add(listener) } };
  for (const listener of grant) listener();
  for (const listener of grant) listener();
  for (const click of clicks) click();
  expect(stub.action.openPopup).toHaveBeenCalledOnce();
});
