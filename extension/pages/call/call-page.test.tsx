// @vitest-environment jsdom
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { completeJsdom } from '../../../testing/extension/complete-jsdom.ts';
import { forgetListeners, onMessage, publishChange } from '../../../testing/extension/page-changes.ts';
import {
  ago,
  call,
  calledAgo,
  mayOverride,
  overridable,
  panel,
  repliesIn,
  sampleEntry,
} from '../../gallery/states/samples.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { HistoryEntry } from '../../messages/views.ts';

const dialled: Record<string, unknown>[] = [];
let replies: Record<string, unknown>;
vi.mock('webextension-polyfill', async () => {
  const { default: api } = await import('../../../testing/extension/browser-api.ts');
  return { default: { ...api, runtime: { ...api.runtime, onMessage } } };
});
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string, fields: Record<string, unknown>) => {
    if (type === 'page.dial') dialled.push(fields);
    return replies[type] ?? ok(null);
  },
}));
completeJsdom();

const record = { system: 'rt', kind: 'ticket', id: '4711' };
const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector);
const click = (selector: string) => act(async () => find(selector)!.click());
const appears = (selector: string) =>
  act(async () => void (await eventually(() => expect(find(selector)).not.toBeNull())));
const about = () => find('#page-record strong')?.textContent;
const recordsSent = () => dialled.map(({ record }) => record);
async function open(r?: string, more: typeof replies = {}, query = {}): Promise<void> {
  dialled.length = 0;
  forgetListeners();
  replies = { ...repliesIn({ page: 'call', name: '' }), ...more };
  history.replaceState(null, '', `?${new URLSearchParams({ ...call.query, ...(r && { r }), ...query })}`);
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

test('a question on the call page names the record of the call', async () => {
  await open(JSON.stringify(record), { 'page.dial': refuse('confirmFirst', 'Abroad.') });
  await click('#call-button');
  await appears('#confirm-yes');
  expect(find('#confirm-record')?.textContent).toContain('ticket 4711 · rt');
});

test('a reason that is too long for the rule to be overridden is named with its length', async () => {
  await open(undefined, { 'page.dial': overridable(), 'page.knownNumbers': ok([mayOverride()]) });
  await click('#call-button');
  await appears('#override-reason');
  const field = find<HTMLInputElement>('#override-reason')!;
  await act(async () => {
    field.value = 'a'.repeat(501);
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  expect(find('#override-reason-notes')!.textContent).toBe(
    'This text has 501 characters. Enter at most 500.',
  );
});

/** The background has these calls now, the newest first. */
async function changeCalls(live: HistoryEntry | null, ...recent: HistoryEntry[]): Promise<void> {
  replies['page.state'] = ok(panel({ live, recent }));
  await act(async () => {
    publishChange('calls');
  });
}

/** Presses a button that calls. */
async function place(button: string, { id, display, call, sentence }: HistoryEntry): Promise<void> {
  const { state, createdAt } = call;
  replies['page.dial'] = ok({ id, display, state, sentence, createdAt, changedAt: createdAt });
  await click(button);
}

const shownCall = () => find('#live-call')?.dataset.id;

/** A call from this page that did not ring the agent's phone. */
async function placeAndFail(): Promise<HistoryEntry> {
  const failed = sampleEntry('+55 48 3222-1000', {
    state: 'failed',
    reason: 'callerNoAnswer',
    createdAt: ago(0.7),
  });
  await open();
  await place('#call-button', failed);
  await changeCalls(failed, failed);
  await appears('#call-again');
  return failed;
}

test('a question about calling again is asked below the call', async () => {
  await placeAndFail();
  replies['page.dial'] = calledAgo();
  await click('#call-again');
  await appears('#confirm-yes');
  expect(find('#confirm')!.textContent).toContain('You called this number 40 s ago.');
});

test('a refusal of calling again is shown below the call', async () => {
  await placeAndFail();
  replies['page.dial'] = refuse('coolDown');
  await click('#call-again');
  await appears('#refused');
});

test('the page stays with the call that was placed again', async () => {
  const first = await placeAndFail();
  const id = 'B'.repeat(22);
  const ended = { id, reason: 'hangUp', talkSeconds: 84 } as const;
  const second = sampleEntry('+55 48 3222-1000', ended, { id, hasWrapUp: true });
  await place('#call-again', second);
  expect(shownCall()).toBe(first.id);
  await changeCalls(second, second, first);
  expect(shownCall()).toBe(id);
  await changeCalls(null, second, first);
  expect(shownCall()).toBe(id);
  expect(find('.wrap-up textarea')).not.toBeNull();
});

test('the page shows its own call while another is under way', async () => {
  const own = await placeAndFail();
  const other = sampleEntry('+55 47 3333-4444', { state: 'connected', canHangUp: true });
  await changeCalls(other, other, own);
  expect(shownCall()).toBe(own.id);
});

test('the call stays with its wrap-up while the state cannot be read', async () => {
  const own = { ...(await placeAndFail()), hasWrapUp: true as const };
  await changeCalls(null, own);
  await appears('.wrap-up textarea');
  const note = find('.wrap-up textarea');
  replies['page.state'] = refuse('internal');
  await act(async () => publishChange('calls'));
  await appears('.notice-bad');
  expect(shownCall()).toBeDefined();
  expect(find('.wrap-up textarea')).toBe(note);
});

test('a call that was placed is read again after a failure, not offered again', async () => {
  // The state did not have this call yet.
  const own = sampleEntry('+55 47 3333-4444', { state: 'callingCaller' });
  await open();
  await place('#call-button', own);
  replies['page.state'] = refuse('internal');
  await act(async () => publishChange('calls'));
  await appears('.notice-bad button');
  expect(find('#call-button')).toBeNull();
  const { 'page.state': state } = repliesIn({ page: 'call', name: '' });
  replies['page.state'] = ok({ ...(state as { value: object }).value, live: own, recent: [own] });
  await click('.notice-bad button');
  await appears('#live-call');
  expect(shownCall()).toBe(own.id);
});

test('a number of a page is judged, then called, as it is there', async () => {
  const onPage = { source: { text: '3322-4455', contextWords: 'phone' }, host: 'crm.example' };
  await open(undefined, {}, { p: JSON.stringify(onPage), n: 'Ana' });
  await click('#call-button');
  expect(dialled[0]).toMatchObject({ onPage, name: 'Ana', shown: { display: expect.any(String) } });
});

test('a number from a link is called as the page shows it', async () => {
  await open();
  const shown = find('#call-number')!.textContent;
  await click('#call-button');
  expect(dialled[0]).toMatchObject({ shown: { display: shown, to: expect.any(String) } });
});

test('only a number that no marked page has is said to come from a link or the menu', async () => {
  const asked = () => find('#call-from')!.textContent;
  await open();
  expect(asked()).toContain('A link, the menu or the address bar');
  const onPage = { source: { text: '(48) 3222-1000', contextWords: 'none' }, host: 'crm.example' };
  await open(undefined, {}, { p: JSON.stringify(onPage) });
  expect(asked()).toBe('Nothing is dialled until you click.');
});

test('the call button keeps the focus while it calls, where a second press places no other call', async () => {
  await open();
  let reply = (_result: unknown) => {};
  const isDisabled = () => [find('#call-button')!.matches(':disabled'), find('#call-button')!.ariaDisabled];
  const request = () => {
    replies['page.dial'] = new Promise((resolve) => {
      reply = resolve;
    });
    return click('#call-button');
  };
  await request();
  expect(isDisabled()).toEqual([false, 'true']);
  await click('#call-button');
  await act(async () => reply(refuse('relayUnreachable')));
  await appears('#refused');
  expect(isDisabled()).toEqual([false, 'false']);
  await request();
  await act(async () => reply(ok({ id: 'B'.repeat(22) })));
  await click('#call-button');
  expect(dialled).toHaveLength(2);
});
