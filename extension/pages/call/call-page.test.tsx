// @vitest-environment jsdom
import { options } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { call, mayOverride, overridable, repliesIn } from '../../gallery/states/samples.ts';
import { ok, refuse } from '../../messages/result.ts';

const dialled: Record<string, unknown>[] = [];
let replies: Record<string, unknown>;
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string, fields: Record<string, unknown>) => {
    if (type === 'page.dial') dialled.push(fields);
    return replies[type] ?? ok(null);
  },
}));
vi.stubGlobal('__BROWSER__', 'chrome');
vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe() {}
    disconnect() {}
  },
);
// Effects at once: a later one would meet a document that is gone.
options.requestAnimationFrame = queueMicrotask;

/** Each reading is a second later, so that a button counts as readable at once. */
let now = 0;
vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));

const record = { system: 'rt', kind: 'ticket', id: '4711' };
const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector);
const click = (selector: string) => act(async () => find(selector)!.click());
const appears = (selector: string) =>
  act(async () => void (await eventually(() => expect(find(selector)).not.toBeNull())));
const about = () => find('#page-record strong')?.textContent;
const recordsSent = () => dialled.map(({ record }) => record);
async function open(r?: string, more: typeof replies = {}): Promise<void> {
  dialled.length = 0;
  replies = { ...repliesIn({ page: 'call', name: '' }), ...more };
  history.replaceState(null, '', `?${new URLSearchParams({ ...call.query, ...(r && { r }) })}`);
  document.body.innerHTML = '<div id="page"><p class="starting"></p></div>';
  vi.resetModules();
  await act(async () => void (await import('./call-page.tsx')));
  await appears('#call-button');
}

test('the call is placed with the record that the page shows', async () => {
  await open(JSON.stringify(record));
  expect(about()).toBe('ticket 4711 · rt');
  await click('#call-button');
  expect(recordsSent()).toEqual([record]);
});

test('the call is placed without the record that the agent has removed', async () => {
  await open(JSON.stringify(record));
  await click('#page-record-use');
  expect(about()).toBeUndefined();
  await click('#call-button');
  expect(recordsSent()).toEqual([null]);
});

test('the record that was removed is taken again by the same button', async () => {
  await open(JSON.stringify(record));
  await click('#page-record-use');
  expect(find('#page-record-use')!.textContent).toBe('Log on ticket 4711 · rt');
  await click('#page-record-use');
  expect(about()).toBe('ticket 4711 · rt');
  await click('#call-button');
  expect(recordsSent()).toEqual([record]);
});

test.each([undefined, 'not JSON', '{"system": "RT?"}'])('an address with r=%s is about none', async (r) => {
  await open(r);
  expect(find('#page-record')).toBeNull();
  await click('#call-button');
  expect(recordsSent()).toEqual([undefined]);
});

test('a call without a record stays so behind a question', async () => {
  await open(JSON.stringify(record), { 'page.dial': refuse('confirmFirst', 'Abroad.') });
  await click('#page-record-use');
  await click('#call-button');
  await appears('#confirm-yes');
  await click('#confirm-yes');
  expect(recordsSent()).toEqual([null, null]);
});

test.each([
  ['a question', '#confirm-yes', { 'page.dial': refuse('confirmFirst', 'Abroad.') }],
  ['a rule', '#override-reason', { 'page.dial': overridable(), 'page.knownNumbers': ok([mayOverride()]) }],
])('a record that is removed under %s is asked about by a new press', async (_, shown, more) => {
  await open(JSON.stringify(record), more);
  await click('#call-button');
  await appears(shown);
  await click('#page-record-use');
  expect(find('#confirm')).toBeNull();
  await click('#call-button');
  expect(recordsSent()).toEqual([record, null]);
});
