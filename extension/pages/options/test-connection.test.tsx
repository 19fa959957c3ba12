// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { withValue } from '../../dotted-path.ts';
import type { TypedSecrets } from '../../messages/pages.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { SettingsDraft } from './draft.ts';
import { exampleSettings } from './example-settings.ts';
import type { SettingsForm } from './settings-form.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('./use-allowed.ts', () => ({ useAllowed: () => true }));
const sendRequest = vi.hoisted(() => vi.fn());
vi.mock('../parts/send-request.ts', () => ({ sendRequest }));
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
const button = () => document.querySelector<HTMLButtonElement>('#test-connection')!;
const press = () => act(async () => button().click());
beforeEach(() => {
  render(null, document.body);
  sendRequest.mockReset().mockResolvedValue(ok({ ok: true, checks: [] }));
});

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

test('the button keeps the focus while the test runs, where a second press starts no other', async () => {
  sendRequest.mockReturnValue(new Promise(() => {}));
  await show({});
  button().focus();
  await press();
  expect(state()).toBe('running');
  expect(button().matches(':disabled')).toBe(false);
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await press();
  expect(sendRequest).toHaveBeenCalledOnce();
});

test('a late reply about earlier settings does not replace the result of a newer test', async () => {
  let replyLate = () => {};
  sendRequest.mockReturnValueOnce(
    new Promise((resolve) => {
      replyLate = () => resolve(refuse('internal'));
    }),
  );
  await show({});
  await press();
  const corrected = withValue(own, 'agent.from', '1299');
  await show({}, corrected);
  await press();
  expect(state()).toBe('ok');
  await act(async () => replyLate());
  expect(state()).toBe('ok');
});
