// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { reportLoaded, tabEvents } from '../../../testing/extension/tab-updates.ts';
import { ok, type Result } from '../../messages/result.ts';
import type { NumberOnPage } from '../../messages/views.ts';

vi.mock('webextension-polyfill', () => ({
  default: { runtime: { onMessage: tabEvents.onActivated }, tabs: tabEvents },
}));
const number = { display: '+55 48 3222-1000', to: '4832221000', verdict: 'allow' };
const listed = { number, host: 'crm.example', context: 'Ana' } as unknown as NumberOnPage;
let onPage: NumberOnPage[] | null;
const saves: ((reply: Result<unknown>) => void)[] = [];
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string) =>
    type === 'page.makeSheet'
      ? new Promise((resolve) => saves.push(resolve))
      : ok({ 'page.numbersOnPage': onPage, 'page.knownNumbers': [{}], 'page.sheets': {} }[type] ?? null),
}));
const { NumbersOnPage } = await import('./numbers-on-page.tsx');

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!;
const undo = () => find('#undo-exclude');
const loaded = (tabId: number) => act(async () => reportLoaded(tabId));
const pressFocused = () => act(async () => (document.activeElement as HTMLElement).click());
async function press(selector: string): Promise<void> {
  find(selector).focus();
  await pressFocused();
}
const focusedId = () => document.activeElement!.id;

beforeEach(async () => {
  saves.length = 0;
  onPage = [listed];
  render(null, document.body);
  await act(async () =>
    render(
      <NumbersOnPage tabId={1} disabled={false} showsRecord={false} mayExclude onDial={() => {}} />,
      document.body,
    ),
  );
  await eventually(() => expect(find('.exclude-number')).not.toBeNull());
  await eventually(() => expect(find('#make-sheet')).not.toBeNull());
});

test('the undo of an exclusion stays while another tab loads, but goes with the page', async () => {
  await press('.exclude-number');
  expect(undo()).not.toBeNull();
  await loaded(2);
  expect(undo()).not.toBeNull();
  await loaded(1);
  expect(undo()).toBeNull();
});

test('the focus goes from the undo of an exclusion to the title of the list', async () => {
  await press('.exclude-number');
  await eventually(() => expect(focusedId()).toBe('undo-exclude'));
  await pressFocused();
  expect(undo()).toBeNull();
  expect(focusedId()).toBe('numbers-title');
});

test('the focus goes to the form that makes a call sheet, then back to its button', async () => {
  await press('#make-sheet');
  expect(focusedId()).toBe('sheet-name');
  await press('form .row button:last-child');
  expect(focusedId()).toBe('make-sheet');
});

test('a call sheet that is being saved keeps the focus, where a second press sends nothing more', async () => {
  await press('#make-sheet');
  await act(async () => {
    find<HTMLInputElement>('#sheet-name').value = 'Monday';
    find('#sheet-name').dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  await press('#save-sheet');
  expect(find('#save-sheet').matches(':disabled')).toBe(false);
  await pressFocused();
  expect(saves).toHaveLength(1);
  await act(async () => saves[0]!(ok({ sheet: { name: 'Monday', total: 1 }, unreadable: 0, repeated: 0 })));
  await eventually(() => expect(find('form')).toBeNull());
  expect(focusedId()).toBe('make-sheet');
});

test('says that the list of the numbers is cut where it is full', async () => {
  const isCut = () => document.body.textContent.includes('Only the first 200 numbers');
  expect(isCut()).toBe(false);
  onPage = Array.from({ length: 200 }, (_, index) => {
    const to = String(4832221000 + index);
    return { ...listed, number: { ...listed.number, display: to, to } };
  });
  await loaded(1);
  await eventually(() => expect(document.querySelectorAll('.exclude-number')).toHaveLength(200));
  expect(isCut()).toBe(true);
});

test('a page that cannot be read is not said to have no numbers', async () => {
  const words = () => find('#numbers-on-page').textContent;
  onPage = [];
  await loaded(1);
  await eventually(() => expect(words()).toContain('No phone numbers found on this page.'));
  onPage = null;
  await loaded(1);
  await eventually(() => expect(words()).toContain('Dialmark cannot read this page'));
});
