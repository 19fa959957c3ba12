// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { setupCode } from '../../gallery/states/samples.ts';
import { ok, type Result } from '../../messages/result.ts';
import type { SettingsView } from '../../messages/views.ts';
import { exampleSettings } from './example-settings.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('./use-allowed.ts', () => ({ useAllowed: () => true }));
const view = {
  settings: exampleSettings(),
  ...{ locked: [], managedProblems: [], missingPermission: [], marksAnySite: true },
  secrets: { agentKey: 'none', serviceToken: 'none' },
} satisfies SettingsView;
const saves: ((reply: Result<SettingsView>) => void)[] = [];
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: (type: string) =>
    type === 'page.saveSettings' ? new Promise((resolve) => saves.push(resolve)) : ok(view),
}));
const { SaveBar } = await import('./save-bar.tsx');
const { useSettingsForm } = await import('./settings-form.ts');

let form: ReturnType<typeof useSettingsForm>;
function Form() {
  form = useSettingsForm(view);
  return <SaveBar form={form} />;
}
const find = (id: string) => document.getElementById(id) as HTMLButtonElement;
async function openWithChange(): Promise<void> {
  saves.length = 0;
  await act(async () => render(<Form />, document.body));
  await act(async () => form.change({ 'agent.from': '1207' }));
}
afterEach(() => render(null, document.body));

test('the focus goes from discarded changes to the Save button', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  await openWithChange();
  find('discard').focus();
  await act(async () => find('discard').click());
  await act(async () => void vi.advanceTimersByTime(600));
  const press = new MouseEvent('click', { bubbles: true });
  Object.defineProperty(press, 'timeStamp', { value: 10_000 });
  await act(async () => void find('discard-changes-yes').dispatchEvent(press));
  vi.useRealTimers();
  expect(find('discard')).toBeNull();
  expect(document.activeElement).toBe(find('save'));
});

test('says that a setup code pasted after a save is not saved', async () => {
  await openWithChange();
  await act(async () => find('save').click());
  await act(async () => saves[0]!(ok(view)));
  expect([find('saved'), find('unsaved')]).toEqual([expect.anything(), null]);
  await act(async () => form.setSetupEntry({ typed: setupCode(['1207']), from: '' }));
  expect([find('saved'), find('unsaved')]).toEqual([null, expect.anything()]);
});

test('a change during a save does not let a second save begin', async () => {
  await openWithChange();
  await act(async () => find('save').click());
  await act(async () => form.change({ 'agent.from': '1208' }));
  await act(async () => find('save').click());
  expect(saves).toHaveLength(1);
  await act(async () => saves[0]!(ok(view)));
  await act(async () => find('save').click());
  expect(saves).toHaveLength(2);
});

test('Save keeps the focus while it saves, where a second press sends nothing more', async () => {
  await openWithChange();
  find('save').focus();
  await act(async () => find('save').click());
  expect(find('save').matches(':disabled')).toBe(false);
  expect(find('save').getAttribute('aria-disabled')).toBe('true');
  await act(async () => find('save').click());
  expect(saves).toHaveLength(1);
  await act(async () => saves[0]!(ok(view)));
  expect(find('save').getAttribute('aria-disabled')).toBe('false');
  expect(document.activeElement).toBe(find('save'));
});
