// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { exampleSettings } from './example-settings.ts';
import type { SettingsForm } from './settings-form.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const { TextField } = await import('./fields.tsx');
const { FormContext } = await import('./settings-form.ts');

test('a code that is pasted with blanks around it is taken without them', async () => {
  const change = vi.fn();
  const form = { draft: exampleSettings(), problems: new Map(), view: { locked: [] }, change };
  await act(async () =>
    render(
      <FormContext.Provider value={form as unknown as SettingsForm}>
        <TextField id="agent-from" path="agent.from" />
      </FormContext.Provider>,
      document.body,
    ),
  );
  const field = document.querySelector<HTMLInputElement>('#agent-from')!;
  field.value = ' 1207 ';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  expect(change).toHaveBeenLastCalledWith({ 'agent.from': '1207' });
});
