// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { withValue } from '../../dotted-path.ts';
import type { TypedSecrets } from '../../messages/pages.ts';
import { ok } from '../../messages/result.ts';
import type { SettingsDraft } from './draft.ts';
import { exampleSettings } from './example-settings.ts';
import type { SettingsForm } from './settings-form.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('./use-allowed.ts', () => ({ useAllowed: () => true }));
vi.mock('../parts/send-request.ts', () => ({ sendRequest: async () => ok({ ok: true, checks: [] }) }));
const { TestConnection } = await import('./test-connection.tsx');
const { FormContext } = await import('./settings-form.ts');

const own = exampleSettings() as unknown as SettingsDraft;
const show = (secrets: TypedSecrets, draft = own) =>
  act(async () => {
    const form = { draft, secrets, problems: new Map() };
    render(
      <FormContext.Provider value={form as unknown as SettingsForm}>
        <TestConnection />
      </FormContext.Provider>,
      document.body,
    );
  });
const state = () => document.querySelector<HTMLElement>('#test-result')!.dataset.state;
const press = () => act(async () => document.querySelector<HTMLButtonElement>('#test-connection')!.click());

test('the result of a test goes with the key or extension that was tested, but outlives Save', async () => {
  await show({ agentKey: 'first' });
  await press();
  expect(state()).toBe('ok');
  await show({});
  expect(state()).toBe('ok');
  await show({ agentKey: 'second' });
  expect(state()).toBe('none');
  await press();
  expect(state()).toBe('ok');
  await show({ agentKey: 'second' }, withValue(own, 'agent.from', '1299'));
  expect(state()).toBe('none');
});
