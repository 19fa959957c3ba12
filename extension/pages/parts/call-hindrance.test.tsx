// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import type { PanelState, SettingsView } from '../../messages/views.ts';
import { chooseLanguage } from '../../text.ts';
import { exampleSettings } from '../options/example-settings.ts';

const opened = vi.hoisted((): string[] => []);
vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: { getURL: (path: string) => path },
    tabs: { create: async ({ url }: { url: string }) => void opened.push(url) },
  },
}));
const { CallHindrance } = await import('./call-hindrance.tsx');

test.each([
  ['notValid', /Call your administrator/],
  ['noSuchSetting', /Call your administrator/],
  ['secretsAreReadable', /open its settings/],
  [undefined, /open its settings/],
] as const)(
  'where nothing is set up, a policy with the problem %s leads to whom can help',
  async (problem, words) => {
    chooseLanguage('en');
    const managedProblems = problem ? [{ path: 'connection.relayUrl', problem }] : [];
    const view = { settings: exampleSettings(), managedProblems } as unknown as SettingsView;
    const root = document.createElement('div');
    await act(() =>
      render(<CallHindrance panel={{ problem: 'notConfigured' } as PanelState} view={view} />, root),
    );
    expect(root.textContent).toMatch(words);
  },
);

test('a key that the relay does not accept leads to the setup code', async () => {
  const view = { settings: exampleSettings(), managedProblems: [] } as unknown as SettingsView;
  const root = document.createElement('div');
  await act(() => render(<CallHindrance panel={{ problem: 'wrongKey' } as PanelState} view={view} />, root));
  const button = root.querySelector('button')!;
  expect(button.textContent).toBe('Enter a setup code');
  button.click();
  expect(opened).toEqual(['extension/pages/options/index.html#setup-code']);
});
