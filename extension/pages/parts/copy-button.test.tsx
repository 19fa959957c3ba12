// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { CopyButton } from './copy-button.tsx';

const writeText = vi.fn(async (_text: string) => {});
vi.stubGlobal('navigator', { language: 'en', clipboard: { writeText } });
const show = (value: string) =>
  act(async () => render(<CopyButton value={value} label="Copy" />, document.body));
const button = () => document.querySelector('button')!;
const press = () => act(async () => button().click());

test('the button says that it has copied the text that it would copy now, or that it could not', async () => {
  await show('one');
  await press();
  expect(button().textContent).toBe('Copied');
  await show('two');
  expect(button().textContent).toBe('Copy');
  writeText.mockRejectedValueOnce(new Error('NotAllowedError'));
  await press();
  expect(button().textContent).toMatch(/not|could/i);
});
