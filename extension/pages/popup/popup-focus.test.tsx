// @vitest-environment jsdom
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import {
  browser,
  dial,
  dialAbroad,
  field,
  find,
  focusedId,
  listCalls,
  notifyChange,
  open,
  placeNext,
  replies,
  sendRequest,
  tab,
  type,
} from '../../../testing/extension/popup-in-memory.ts';
import { panel, sampleEntry } from '../../gallery/states/samples.ts';
import { ok, refuse } from '../../messages/result.ts';

vi.mock('webextension-polyfill', () => ({ default: browser }));
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));
vi.mock('../parts/send-request.ts', () => ({ sendRequest }));
vi.mock('../parts/host-permission.ts', () => ({ requestOrigins: async () => true }));

const isThere = (selector: string) => eventually(() => expect(find(selector)).not.toBeNull());
const isGone = (selector: string) => eventually(() => expect(find(selector)).toBeNull());
async function press(selector: string): Promise<void> {
  await isThere(selector);
  find(selector).focus();
  await act(async () => find(selector).click());
}

test('the focus goes from the count of calls without an outcome to the title of the list', async () => {
  await open();
  await press('#without-outcome');
  await isGone('#without-outcome');
  expect(focusedId()).toBe('recent-title');
});

test('says which calls the count of calls without an outcome has', async () => {
  await open();
  await isThere('#without-outcome');
  expect(find('#without-outcome').textContent).toContain('of the last 7 days');
});

test('the focus goes from a number that must not be called any more to the choices for one call', async () => {
  await open();
  replies['page.judge'] = ok({ display: '+55 48 3222-1001', to: '4832221001', verdict: 'allow' });
  replies['page.knownNumbers'] = ok([{}]);
  await type('4832221001');
  await isThere('.dial .do-not-call-button');
  find('.dial .do-not-call-button').focus();
  replies['page.knownNumbers'] = ok([{ refusal: 'Asked not to be called.' }]);
  await notifyChange('names');
  await isGone('.dial .do-not-call-button');
  expect(document.activeElement).toBe(find('.choices > summary'));
});

test('the focus goes from a search that is tried again to its field', async () => {
  await open();
  await isThere('#search');
  replies['page.history'] = refuse('internal');
  await type('Ana', find<HTMLInputElement>('#search'));
  await isThere('.notice-bad button');
  replies['page.history'] = ok({ entries: [] });
  await press('.notice-bad button');
  await isGone('.notice-bad');
  expect(focusedId()).toBe('search');
});

test('the focus goes from the last press on older calls to the oldest one', async () => {
  await open();
  const calls = Array.from({ length: 11 }, (_, index) =>
    sampleEntry(`+55 48 3222-10${10 + index}`, { createdAt: `2026-05-04T12:${59 - index}:00.000Z` }),
  );
  await listCalls(...calls.slice(0, 10));
  replies['page.history'] = ok({ entries: calls });
  await press('#older');
  await isGone('#older');
  expect(document.activeElement).toBe(find(`[data-id="${calls[10]!.id}"] summary`));
});

test('the focus goes from a scan of the tab to the title of its site', async () => {
  await open();
  await press('#scan-tab');
  replies['page.state'] = ok(panel({ tab: { ...tab, marking: true } }));
  await notifyChange('tab');
  await isGone('#scan-tab');
  expect(focusedId()).toBe('site-title');
});

test('the focus goes from frames that are turned on to the title of the site', async () => {
  await open();
  replies['page.framesOnPage'] = ok(['frame.example']);
  await notifyChange('tab');
  await press('#enable-frames');
  replies['page.framesOnPage'] = ok([]);
  await notifyChange('tab');
  await isGone('#enable-frames');
  expect(focusedId()).toBe('site-title');
});

test('the focus goes from a permission that is given to the dial field', async () => {
  await open();
  replies['page.state'] = ok(panel({ tab, problem: 'noPermission' }));
  await notifyChange('settings');
  await press('#allow-hosts');
  replies['page.state'] = ok(panel({ tab }));
  await notifyChange('settings');
  await isGone('#allow-hosts');
  expect(focusedId()).toBe('dial-input');
});

test.each([
  ['stays where the next number is being typed', '4733331234', 'dial-input'],
  ['leaves the number that was called', undefined, ''],
])('when the outcome can be chosen, the focus %s', async (_, next, id) => {
  await open();
  const entry = placeNext();
  let place = () => {};
  replies['page.dial'] = new Promise((resolve) => {
    place = () => resolve(ok({ id: entry.id }));
  });
  field().focus();
  await type('4832221001');
  await dial();
  if (next) await type(next);
  const last = { ...entry, hasWrapUp: true, call: { ...entry.call, createdAt: new Date().toISOString() } };
  // The relay's event may arrive before its reply.
  await listCalls(last);
  await isThere('.wrap-up .outcome');
  await act(async () => place());
  await eventually(() => expect(field().value).toBe(next ? '(47) 3333-1234' : ''));
  expect(focusedId()).toBe(id);
});

test('the reason why no call was placed is scrolled into view', async () => {
  await open();
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  replies['page.dial'] = refuse('relayUnreachable');
  await press('.redial');
  await isThere('#refused');
  expect(scroll.mock.contexts).toContain(find('#refused'));
});

test('a question about a call keeps the focus when the next person of a sheet appears', async () => {
  await open();
  const counts = { open: 1, called: 0, done: 0, doNotCall: 0, duplicate: 0 };
  const sheet = { id: 'a', name: 'a', total: 1, mayDelete: false, counts };
  const item = { id: 1, number: '+554832221000', name: 'Ana', state: 'open', attempts: 0 };
  // The relay takes its time with the first claim.
  replies['page.claimItem'] = new Promise(() => {});
  replies['page.sheets'] = ok({ sheets: [sheet], current: 'a' });
  await notifyChange('sheets');
  await isThere('.chosen-sheet');
  replies['page.claimItem'] = ok({ sheet, item, display: item.number });
  await dialAbroad();
  await isThere('#next-item');
  expect(focusedId()).toBe('confirm-yes');
});
