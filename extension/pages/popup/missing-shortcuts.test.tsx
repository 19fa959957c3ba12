// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { chooseLanguage } from '../../text.ts';
import { MissingShortcuts } from './missing-shortcuts.tsx';

const commands = vi.hoisted(() => ({ getAll: vi.fn() }));
vi.mock('webextension-polyfill', () => ({ default: { commands } }));
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));

test.each([
  [['next-number', 'previous-number', 'dial-number', 'open-panel'], ''],
  [
    ['next-number', 'previous-number', 'open-panel'],
    'Keyboard shortcuts that are not set: 1. Change shortcuts in the browser',
  ],
  [['open-panel'], 'Keyboard shortcuts that are not set: 3. Change shortcuts in the browser'],
])('the popup, where the browser gave keys to %j, says "%s"', async (given, words) => {
  const names = ['next-number', 'previous-number', 'dial-number', 'open-panel'];
  const all = Promise.resolve(names.map((name) => ({ name, shortcut: given.includes(name) ? 'Alt+N' : '' })));
  commands.getAll.mockReturnValue(all);
  chooseLanguage('en');
  const root = document.createElement('div');
  await act(async () => {
    render(<MissingShortcuts />, root);
  });
  await eventually(() => expect(root.textContent).toBe(words));
});
