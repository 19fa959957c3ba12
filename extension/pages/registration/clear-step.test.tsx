// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');
const { ClearStep } = await import('./clear-step.tsx');

test('an address that was not valid is no longer marked as wrong while another is typed', async () => {
  await act(async () => render(<ClearStep />, document.body));
  const field = document.querySelector<HTMLInputElement>('#pbx-address')!;
  const type = (typed: string) =>
    act(async () => {
      field.value = typed;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
  await type('http://');
  await act(async () => document.querySelector<HTMLButtonElement>('#clear-site')!.click());
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await type('https://pbx.example.com');
  expect(field.getAttribute('aria-invalid')).toBe('false');
});
