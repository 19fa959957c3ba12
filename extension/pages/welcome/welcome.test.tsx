// @vitest-environment jsdom
import { options } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { forgetListeners, onMessage, publishChange } from '../../../testing/extension/page-changes.ts';
import { panel, repliesIn, setupCode, view } from '../../gallery/states/samples.ts';
import { ok, refuse } from '../../messages/result.ts';

vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: { onMessage },
    permissions: { request: async () => true, contains: async () => true },
    commands: { getAll: async () => [] },
  },
}));
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));
const sent: string[] = [];
const replies: Record<string, unknown> = {
  ...repliesIn({ page: 'welcome', name: '' }),
  'page.state': ok(panel({ problem: 'notConfigured', recent: [] })),
};
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string) => {
    sent.push(type);
    return replies[type] ?? ok(null);
  },
}));
vi.stubGlobal('__BROWSER__', 'chrome');
// Effects at once: a later one would meet a document that is gone.
options.requestAnimationFrame = queueMicrotask;

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector);
const field = () => find<HTMLInputElement>('#setup-code');
async function useCode(): Promise<void> {
  await eventually(() => expect(find('#use-setup-code')!.matches(':enabled')).toBe(true));
  await act(async () => find('#use-setup-code')!.click());
}

const type = (typed: string) =>
  act(async () => {
    field()!.value = typed;
    field()!.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
async function openPage(shown = '#setup-code'): Promise<void> {
  forgetListeners();
  vi.resetModules();
  document.body.innerHTML = '<div id="page"><p class="starting"></p></div>';
  await act(async () => void (await import('./welcome.tsx')));
  await eventually(() => expect(find(shown)).not.toBeNull());
}

test('why a setup code was not saved goes when another code is pasted', async () => {
  await openPage();
  await type(setupCode(['1105']));
  replies['page.saveSettings'] = refuse('internal');
  await useCode();
  await eventually(() => expect(find('[role=alert]')).not.toBeNull());
  await type(setupCode(['1106']));
  expect(find('[role=alert]')).toBeNull();
});

test('a setup code stays in its field until it was saved', async () => {
  await openPage();
  const code = setupCode(['1105']);
  await type(code);

  replies['page.saveSettings'] = refuse('internal');
  await useCode();
  await eventually(() => expect(find('[role=alert]')).not.toBeNull());
  expect(field()!.value).toBe(code);

  replies['page.saveSettings'] = replies['page.setSecret'] = ok(view());
  await useCode();
  await eventually(() => expect(field()!.value).toBe(''));
  expect(find('[role=alert]')).toBeNull();
});

test('the key of a setup code is not stored where a policy has set another relay meanwhile', async () => {
  await openPage();
  const code = setupCode(['1105']);
  await type(code);
  const { settings } = view();
  const connection = { ...settings.connection, relayUrl: 'https://relay.of-policy.example/' };
  const managed = view({ ...settings, connection }, { locked: ['connection.relayUrl'] });
  replies['page.saveSettings'] = replies['page.settings'] = ok(managed);
  sent.length = 0;
  await useCode();
  await eventually(() => expect(sent).toContain('page.saveSettings'));
  await eventually(() => expect(field()!.getAttribute('aria-invalid')).toBe('true'));
  expect(sent).not.toContain('page.setSecret');
  expect(field()!.value).toBe(code);
  replies['page.settings'] = ok(view());
});

test('the focus goes from a setup code that was used to the title of its step', async () => {
  await openPage();
  await type(setupCode(['1105']));
  replies['page.saveSettings'] = replies['page.setSecret'] = ok(view());
  await eventually(() => expect(find('#use-setup-code')!.matches(':enabled')).toBe(true));
  find('#use-setup-code')!.focus();
  await useCode();
  await eventually(() => expect(find('#use-setup-code')).toBeNull());
  replies['page.state'] = ok(panel({ recent: [] }));
  await act(async () => publishChange('settings'));
  await eventually(() => expect(field()).toBeNull());
  expect(document.activeElement).toBe(find('.steps > :first-child h2'));
});

test('a connection test that fails without a result can be tried again', async () => {
  replies['page.state'] = ok(panel({ recent: [] }));
  replies['page.testConnection'] = refuse('internal');
  await openPage('[role=alert] button');
  const tests = () => sent.filter((type) => type === 'page.testConnection').length;
  const before = tests();
  await act(async () => find('[role=alert] button')!.click());
  expect(tests()).toBe(before + 1);
});
