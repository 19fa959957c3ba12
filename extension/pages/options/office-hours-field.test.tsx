// @vitest-environment jsdom
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { valueAt, withValue } from '../../dotted-path.ts';
import { problemsOf, type SettingsDraft } from './draft.ts';
import { exampleSettings } from './example-settings.ts';
import type { SettingsForm } from './settings-form.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const { OfficeHoursField } = await import('./office-hours-field.tsx');
const { FormContext } = await import('./settings-form.ts');

const hours = { days: [1, 2], fromMinute: 8 * 60, toMinute: 18 * 60 };
let draft = withValue(exampleSettings() as unknown as SettingsDraft, 'guard.officeHours', hours);
function Form() {
  const [now, setNow] = useState(draft);
  draft = now;
  const change = (values: object) => {
    for (const [path, value] of Object.entries(values)) setNow(withValue(draft, path, value));
  };
  const form = { draft, problems: problemsOf(draft), view: { locked: [] }, change };
  return (
    <FormContext.Provider value={form as unknown as SettingsForm}>
      <OfficeHoursField />
    </FormContext.Provider>
  );
}

test('an emptied time of the office hours shows its problem until a time is given', async () => {
  await act(async () => render(<Form />, document.body));
  const field = document.querySelector<HTMLInputElement>('#office-from')!;
  const give = (time: string) =>
    act(async () => {
      field.value = time;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    });
  await give('');
  expect(field.value).toBe('');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.querySelector('#office-from-notes .problem')!.textContent).not.toBe('');
  await give('09:30');
  expect(field.getAttribute('aria-invalid')).toBe('false');
  expect(valueAt(draft, 'guard.officeHours')).toEqual({ ...hours, fromMinute: 570 });
});
