// @vitest-environment jsdom
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { refuse } from '../../messages/result.ts';
import type { NumberOnPage } from '../../messages/views.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const sent: { id: string }[] = [];
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (_type: string, fields: { id: string }) => {
    sent.push(fields);
    return refuse('relayOffline');
  },
}));
const { MakeSheet } = await import('./make-sheet.tsx');

const ticked = [{ number: { display: '+55 48 3222-1000' }, name: 'Ana' }] as unknown as NumberOnPage[];
function Sheet() {
  const [isTicking, setTicking] = useState(false);
  return (
    <MakeSheet
      ticked={ticked}
      isTicking={isTicking}
      onBegin={() => setTicking(true)}
      onEnd={() => setTicking(false)}
    />
  );
}
const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector);
const click = (selector: string) => act(async () => find(selector)!.click());

async function beginSheet(): Promise<void> {
  await click('#make-sheet');
  await act(async () => {
    find<HTMLInputElement>('#sheet-name')!.value = 'Monday';
    find('#sheet-name')!.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
}

beforeEach(async () => {
  sent.length = 0;
  render(null, document.body);
  await act(async () => render(<Sheet />, document.body));
});

test('a sheet is saved again under its own id, the next one under another', async () => {
  await beginSheet();
  await click('#save-sheet');
  await click('#save-sheet');
  await click('form .row button:last-child');
  await beginSheet();
  await click('#save-sheet');
  const [first, again, next] = sent.map(({ id }) => id);
  expect(first).toMatch(/^[\w-]{22}$/);
  expect(again).toBe(first);
  expect(next).not.toBe(first);
});

test('why a sheet was not made goes with its form', async () => {
  await beginSheet();
  await click('#save-sheet');
  await eventually(() => expect(find('[role=alert]')).not.toBeNull());
  await click('form .row button:last-child');
  expect(find('form')).toBeNull();
  expect(find('[role=alert]')).toBeNull();
});
