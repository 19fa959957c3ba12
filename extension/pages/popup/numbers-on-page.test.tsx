// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { ok } from '../../messages/result.ts';
import type { NumberOnPage } from '../../messages/views.ts';

type Updated = (tabId: number, change: { status?: string }) => void;
const updated = new Set<Updated>();
const event = { addListener() {}, removeListener() {} };
const onUpdated = {
  addListener: (listener: Updated) => void updated.add(listener),
  removeListener: (listener: Updated) => void updated.delete(listener),
};
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { onMessage: event }, tabs: { onActivated: event, onUpdated } },
}));
const number = { display: '+55 48 3222-1000', to: '4832221000', verdict: 'allow' };
const listed = { number, host: 'crm.example', context: 'Ana' } as unknown as NumberOnPage;
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string) =>
    ok({ 'page.numbersOnPage': [listed], 'page.knownNumbers': [{}] }[type] ?? null),
}));
const { NumbersOnPage } = await import('./numbers-on-page.tsx');

const undo = () => document.querySelector('#undo-exclude');
const loaded = (tabId: number) =>
  act(async () => {
    for (const listener of updated) listener(tabId, { status: 'complete' });
  });

test('the undo of an exclusion stays while another tab loads, but goes with the page', async () => {
  await act(async () =>
    render(<NumbersOnPage tabId={1} disabled={false} mayExclude onDial={() => {}} />, document.body),
  );
  await eventually(() => expect(document.querySelector('.exclude-number')).not.toBeNull());
  await act(async () => document.querySelector<HTMLButtonElement>('.exclude-number')!.click());
  expect(undo()).not.toBeNull();
  await loaded(2);
  expect(undo()).not.toBeNull();
  await loaded(1);
  expect(undo()).toBeNull();
});
