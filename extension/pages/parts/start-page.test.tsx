// @vitest-environment jsdom
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { view } from '../../gallery/states/samples.ts';
import { ok } from '../../messages/result.ts';
import { text } from '../../text.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('./send-request.ts', () => ({ sendRequest: async () => ok(view()) }));
const { applyAppearance, startPage } = await import('./start-page.tsx');

test('the title of a page follows the language that the agent chooses', async () => {
  document.body.innerHTML = '<div id="page"><p class="starting"></p></div>';
  await act(() =>
    startPage(
      () => null,
      () => text('options_title'),
    ),
  );
  applyAppearance({ theme: 'auto', language: 'es' });
  expect(document.title).toBe('Configuración de Dialmark');
  applyAppearance({ theme: 'auto', language: 'en' });
  expect(document.title).toBe('Dialmark settings');
});
