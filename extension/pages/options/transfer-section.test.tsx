// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { ok } from '../../messages/result.ts';
import type { SettingsView } from '../../messages/views.ts';
import type { Settings } from '../../settings.ts';
import { exampleSettings } from './example-settings.ts';
import { exportSettings } from './transfer.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const settings = exampleSettings();
const view = {
  settings,
  ...{ locked: [], managedProblems: [], missingPermission: [], marksAnySite: true },
  secrets: { agentKey: 'none', serviceToken: 'none' },
} satisfies SettingsView;
const imported = { ...settings, agent: { ...settings.agent, from: '1299' } };
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string) =>
    ok(type === 'page.saveSettings' ? { ...view, settings: imported } : view),
}));
const { TransferSection } = await import('./transfer-section.tsx');
const { FormContext, useSettingsForm } = await import('./settings-form.ts');

let form: ReturnType<typeof useSettingsForm>;
function Form() {
  form = useSettingsForm(view);
  return (
    <FormContext.Provider value={form}>
      <TransferSection />
    </FormContext.Provider>
  );
}
const result = () => document.querySelector('#import-result')!.textContent;

async function importFile(content: Settings): Promise<void> {
  render(null, document.body);
  await act(async () => render(<Form />, document.body));
  const field = document.querySelector<HTMLInputElement>('#import-settings')!;
  const file = { text: async () => exportSettings(content) };
  Object.defineProperty(field, 'files', { value: [file] });
  await act(async () => void field.dispatchEvent(new Event('change', { bubbles: true })));
  await eventually(() => expect(result()).not.toBe(''));
}

test('a file of the settings in force asks for no review', async () => {
  await importFile(settings);
  expect(result()).toBe('This file changes nothing.');
  expect(form.unsaved).toBe(false);
});

test.each(['save', 'discard'] as const)('the request to review an import goes with %s', async (end) => {
  await importFile(imported);
  expect(form.unsaved).toBe(true);
  await act(async () => form[end]());
  expect(form.unsaved).toBe(false);
  expect(result()).toBe('');
});
