// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const { CountryListField } = await import('./country-list-field.tsx');

const onChange = vi.fn();
const list = () => document.querySelector('select')!;
/** Every key in a closed list chooses, as browsers have it but on a Mac. */
const choose = (country: string, event: Event) =>
  act(async () => {
    list().dispatchEvent(event);
    list().value = country;
    list().dispatchEvent(new Event('change', { bubbles: true }));
  });
const arrow = () => new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true });

test('arrow keys add no country on their way, but the one that is left', async () => {
  const field = <CountryListField id="allowed" label="Allowed" value={['BR']} onChange={onChange} />;
  await act(async () => render(field, document.body));
  list().focus();
  await choose('AF', arrow());
  await choose('AL', arrow());
  expect(list().value).toBe('AL');
  expect(onChange).not.toHaveBeenCalled();
  await act(async () => list().blur());
  expect(onChange.mock.calls).toEqual([[['BR', 'AL']]]);
  expect(list().value).toBe('');
  await choose('PT', new Event('pointerdown', { bubbles: true }));
  expect(onChange).toHaveBeenLastCalledWith(['BR', 'PT']);
});
