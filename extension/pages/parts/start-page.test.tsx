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

test('the second click of a double click presses nothing that came under the pointer meanwhile', async () => {
  document.body.innerHTML = `<div id="page"><p class="starting"></p></div>
    <button><b></b></button><button></button><label>Name<input type="checkbox"></label>`;
  await act(() =>
    startPage(
      () => null,
      () => '',
    ),
  );
  const presses: Element[] = [];
  for (const button of document.querySelectorAll('button'))
    button.addEventListener('click', () => presses.push(button));
  const [first, second] = document.querySelectorAll('button');
  const click = (element: Element, detail: number) =>
    element.dispatchEvent(new MouseEvent('click', { detail, bubbles: true, cancelable: true }));

  click(first!, 1);
  click(second!, 2);
  click(document.querySelector('input')!, 3);
  expect(presses).toEqual([first]);
  expect(document.querySelector('input')!.checked).toBe(false);

  click(document.querySelector('b')!, 1);
  click(first!, 2);
  click(second!, 1);
  expect(presses).toEqual([first, first, first, second]);

  click(document.querySelector('label')!, 1);
  click(document.querySelector('label')!, 2);
  click(document.querySelector('input')!, 3);
  expect(document.querySelector('input')!.checked).toBe(true);
});
