// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { withValue } from '../../dotted-path.ts';
import type { SettingsDraft } from './draft.ts';
import { exampleSettings } from './example-settings.ts';
import type { SettingsForm } from './settings-form.ts';

const granted = new Set<string>();
const added = new Set<() => void>();
const request = vi.fn(async ({ permissions }: { permissions: string[] }) => {
  granted.add(permissions[0]!);
  for (const listener of added) listener();
  return true;
});
vi.mock('webextension-polyfill', () => ({
  default: {
    permissions: {
      contains: async ({ permissions }: { permissions: string[] }) => granted.has(permissions[0]!),
      request: (asked: { permissions: string[] }) => request(asked),
      onAdded: { addListener: (listener: () => void) => void added.add(listener), removeListener() {} },
      onRemoved: { addListener() {}, removeListener() {} },
    },
  },
}));
vi.stubGlobal('__BROWSER__', 'chrome');
const { AppearanceSection } = await import('./appearance-section.tsx');
const { FormContext } = await import('./settings-form.ts');

const open = (locked: string[], isOn: boolean) =>
  act(async () => {
    const own = exampleSettings() as unknown as SettingsDraft;
    const draft = withValue(own, 'appearance.notifications', isOn);
    const form = { draft, problems: new Map(), view: { locked }, change() {} };
    render(
      <FormContext.Provider value={form as unknown as SettingsForm}>
        <section id="appearance" tabIndex={-1}>
          <AppearanceSection />
        </section>
      </FormContext.Provider>,
      document.body,
    );
  });
const allow = () => document.querySelector<HTMLButtonElement>('#allow-notifications');

test('offers to allow notifications that are on without the permission, also by a policy', async () => {
  await open([], false);
  expect(allow()).toBeNull();
  await open(['appearance.notifications'], true);
  expect(allow()!.matches(':disabled')).toBe(false);
  await act(async () => allow()!.click());
  expect(request).toHaveBeenCalledOnce();
  expect(allow()).toBeNull();
});

test.each([
  ['their box', [], 'notifications'],
  ['their section under a policy', ['appearance.notifications'], 'appearance'],
])('the focus goes from the permission for notifications to %s', async (_, locked, id) => {
  granted.clear();
  render(null, document.body);
  await open(locked, true);
  await eventually(() => expect(allow()).not.toBeNull());
  allow()!.focus();
  await act(async () => allow()!.click());
  expect(allow()).toBeNull();
  expect(document.activeElement!.id).toBe(id);
});

test('asks for the permission in a click on the box or its label, never beside them', async () => {
  await open(['appearance.notifications'], false);
  request.mockClear();
  document.querySelector<HTMLElement>('.locked-note')!.click();
  expect(request).not.toHaveBeenCalled();
  await open([], false);
  document.querySelector<HTMLElement>('#notifications-notes')!.click();
  expect(request).not.toHaveBeenCalled();
  document.querySelector<HTMLElement>('label[for=notifications]')!.click();
  expect(request).toHaveBeenCalledOnce();
  document.querySelector<HTMLElement>('#notifications')!.click();
  expect(request).toHaveBeenCalledTimes(2);
});
