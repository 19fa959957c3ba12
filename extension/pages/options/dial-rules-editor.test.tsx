// @vitest-environment jsdom
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { withValue } from '../../dotted-path.ts';
import type { SettingsDraft } from './draft.ts';
import { exampleSettings } from './example-settings.ts';
import type { SettingsForm } from './settings-form.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const { DialRulesEditor } = await import('./dial-rules-editor.tsx');
const { FormContext } = await import('./settings-form.ts');

const rules = ['first', 'second', 'third'].map((note) => ({ note, when: {}, prepend: '0' }));
function Form() {
  const [draft, setDraft] = useState(
    withValue(exampleSettings() as unknown as SettingsDraft, 'numbers.dialRules', rules),
  );
  const change = (values: object) => {
    for (const [path, value] of Object.entries(values)) setDraft(withValue(draft, path, value));
  };
  const form = { draft, problems: new Map(), view: { locked: [] }, change };
  return (
    <FormContext.Provider value={form as unknown as SettingsForm}>
      <DialRulesEditor />
    </FormContext.Provider>
  );
}
const titles = () => [...document.querySelectorAll('.rule-title')].map(({ textContent }) => textContent);
const pressFocused = () => act(async () => (document.activeElement as HTMLElement).click());

test('the focus goes with a rule that is moved, to its other button at the end of the list', async () => {
  await act(async () => render(<Form />, document.body));
  const third = document.querySelectorAll('.rule')[2]!;
  third.querySelector<HTMLElement>('button')!.focus();
  await pressFocused();
  await pressFocused();
  expect(titles()).toEqual(['third', 'first', 'second']);
  await pressFocused();
  expect(titles()).toEqual(['first', 'third', 'second']);
});

test('a rule has its list of countries while its further conditions are open', async () => {
  const lists = () => document.querySelectorAll('.rule select').length;
  expect(lists()).toBe(0);
  const more = document.querySelector('details')!;
  more.open = true;
  await act(async () => void more.dispatchEvent(new Event('toggle')));
  expect(lists()).toBe(1);
});
