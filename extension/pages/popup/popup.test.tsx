// @vitest-environment jsdom
import { options } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { panel, repliesIn, sampleEntry, shownTicket } from '../../gallery/states/samples.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { PanelState } from '../../messages/views.ts';
import type { Callback } from '../../messages/wrap-up.ts';

const dialled = vi.hoisted((): Record<string, unknown>[] => []);
type Listener = (message: unknown) => void;
const listeners = vi.hoisted(() => new Set<Listener>());
let replies: Record<string, unknown>;
const events = { addListener() {}, removeListener() {} };
vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: {
      onMessage: {
        addListener: (listener: Listener) => listeners.add(listener),
        removeListener: (listener: Listener) => listeners.delete(listener),
      },
    },
    tabs: { onActivated: events, onUpdated: events },
    extension: { getViews: () => [] },
    commands: { getAll: async () => [] },
    storage: { session: { get: async () => ({}), set: async () => {}, remove: async () => {} } },
  },
}));
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

const ticket = (id: string) => ({ system: 'rt', kind: 'ticket', id });
const tab = { id: 1, host: 'crm.example', site: 'enabled', marking: false } as const;
/** A colleague's call of `record`, or of none. */
function handedOver(record?: string): Callback {
  const call = {
    ...panel().recent[0]!.call,
    wrapUp: { revision: 1, callBackAt: '2026-05-04T13:05:10.000Z' },
  };
  const linked = record && { ...ticket(record), url: `https://crm.example/tickets/${record}` };
  return {
    call: { ...call, ...(linked && { record: linked }) },
    display: call.to,
    name: 'Ana',
    isOwn: false,
  };
}
const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!;
const field = () => find<HTMLInputElement>('#dial-input');
const click = (selector: string) => act(async () => find(selector).click());
const focusedId = () => document.activeElement!.id;
const press = (key: string) =>
  act(async () => {
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
const aboutShown = () => document.querySelector('#page-record strong')?.textContent;
async function open(callback?: Callback): Promise<void> {
  replies = {
    ...repliesIn({ page: 'popup', name: '' }),
    'page.state': ok(panel({ tab: { ...tab, shown: shownTicket } })),
    'page.callbacks': ok(callback ? [callback] : []),
  };
  document.body.innerHTML = '<div id="page"><p class="starting"></p></div>';
  vi.resetModules();
  await act(async () => void (await import('./popup.tsx')));
  await act(async () => void (await eventually(() => expect(field()).not.toBeNull())));
  if (!callback) return;
  await act(async () => void (await eventually(() => expect(find('.call-back')).not.toBeNull())));
  await click('.call-back');
}
const type = (typed: string, into = field()) =>
  act(async () => {
    into.value = typed;
    into.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
  });
const typeCallerId = (typed: string) => type(typed, find<HTMLInputElement>('#dial-callerid'));
async function dial() {
  // Not within `act`, which would hold back what is to be seen.
  await eventually(() => expect(find('#dial-button').matches(':enabled')).toBe(true));
  await click('#dial-button');
  return dialled.at(-1);
}
const isAsked = () => eventually(() => expect(find('#confirm')).not.toBeNull());
/** The background asks about the call. */
async function dialAbroad(): Promise<void> {
  replies['page.dial'] = refuse('confirmFirst', 'Abroad.');
  await type('4832221001');
  await dial();
  await isAsked();
}
/** Each reading is a second later, so that a button counts as readable at its first press. */
let clock = 0;
vi.spyOn(performance, 'now').mockImplementation(() => {
  clock += 1_000;
  return clock;
});
const isEmptied = () => eventually(() => expect(field().value).toBe(''));
const changed = (what: string) =>
  act(async () => {
    for (const listener of listeners) listener({ type: 'background.changed', what });
  });
/** The background lists `recent` as the newest calls. */
async function list(...recent: PanelState['recent']): Promise<void> {
  replies['page.state'] = ok(panel({ tab, recent }));
  await changed('calls');
}
/** The background places the next call: its entry in the history. */
function placeNext(number = '+55 48 3222-1001') {
  const entry = sampleEntry(number, { reason: 'hangUp', talkSeconds: 10 });
  replies['page.dial'] = ok({ id: entry.id });
  return entry;
}
beforeEach(() => {
  dialled.length = 0;
  listeners.clear();
});

test("a colleague's callback is dialled on its own record, with its name", async () => {
  await open(handedOver('4800'));
  expect(aboutShown()).toBe('ticket 4800 · rt');
  expect(await dial()).toMatchObject({ record: ticket('4800'), name: 'Ana' });
});

test("a colleague's callback without a record is not about the one that the tab shows", async () => {
  await open(handedOver());
  expect(aboutShown()).toBeUndefined();
  expect((await dial())?.record).toBeUndefined();
});

test("a number that is typed in place of a colleague's callback is about the tab's record", async () => {
  await open(handedOver('4800'));
  await type('4832221001');
  expect(aboutShown()).toBe('ticket 4711 · rt');
  expect(await dial()).toMatchObject({ record: ticket('4711') });
  expect(dialled[0]).not.toHaveProperty('name');
});

test('the record that the tab shows is left out of the next call, or taken again', async () => {
  await open();
  await type('4832221001');
  await click('#page-record-use');
  expect(aboutShown()).toBeUndefined();
  expect(await dial()).toMatchObject({ record: null });
  await click('#page-record-use');
  expect(aboutShown()).toBe('ticket 4711 · rt');
});

test("the record of a colleague's callback can be left out of its call", async () => {
  await open(handedOver('4800'));
  await click('#page-record-use');
  expect(await dial()).toMatchObject({ record: null });
});

test('a question names the record that the call will be logged on', async () => {
  await open();
  await dialAbroad();
  expect(find('#confirm-record').textContent).toBe('About ticket 4711 · rt');
  await click('#confirm-no');
  await click('#page-record-use');
  await dial();
  await isAsked();
  expect(find('#confirm-record')).toBeNull();
});

test('a record that is left out under a question is asked about by a new press', async () => {
  await open();
  await dialAbroad();
  await click('#page-record-use');
  expect(find('#confirm')).toBeNull();
  expect(await dial()).toMatchObject({ record: null });
});

test('a caller ID chosen for one call is not sent with the next call', async () => {
  await open();
  const entry = placeNext();
  await type('4832221001');
  await typeCallerId('4899990000');
  expect(await dial()).toMatchObject({ callerid: '4899990000' });
  await list(entry);
  await type('4832221002');
  expect(await dial()).not.toHaveProperty('callerid');
  expect(dialled).toHaveLength(2);
});

test('a caller ID chosen for one call stays until its question is confirmed', async () => {
  await open();
  await typeCallerId('4899990000');
  await dialAbroad();
  expect(find<HTMLInputElement>('#dial-callerid').value).toBe('4899990000');
  placeNext();
  await click('#confirm-yes');
  expect(dialled.at(-1)).toMatchObject({ callerid: '4899990000', confirmed: true });
  expect(find<HTMLInputElement>('#dial-callerid').value).toBe('');
});

test('a caller ID chosen for one call stays when that call is refused', async () => {
  await open();
  replies['page.dial'] = refuse('relayOffline');
  await type('4832221001');
  await typeCallerId('4899990000');
  await dial();
  expect(await dial()).toMatchObject({ callerid: '4899990000' });
});

test('a call from the history leaves the caller ID that is chosen for the next call', async () => {
  await open();
  placeNext();
  await typeCallerId('4899990000');
  await click('.redial');
  expect(dialled).toHaveLength(1);
  expect(find<HTMLInputElement>('#dial-callerid').value).toBe('4899990000');
});

test.each<[string, PanelState['recent']]>([
  ['left the newest ten', Array.from({ length: 10 }, (_, n) => sampleEntry(`+55 48 3222-20${10 + n}`, {}))],
  ['was removed', []],
])('the call button is enabled after the placed call %s', async (_, recent) => {
  await open();
  const entry = placeNext();
  await type('4832221001');
  await dial();
  await type('4832221002');
  expect(find('#dial-button').matches(':disabled')).toBe(true);
  await list(entry);
  await list(...recent);
  placeNext('+55 48 3222-1002');
  await dial();
  expect(dialled).toHaveLength(2);
});

test('the next number typed while a call is being placed stays in the field', async () => {
  await open();
  let place = () => {};
  const entry = placeNext();
  replies['page.dial'] = new Promise((resolve) => {
    place = () => resolve(ok({ id: entry.id }));
  });
  await type('4832221001');
  await dial();
  await type('4733331234');
  await act(async () => place());
  await list(entry);
  expect(await dial()).toMatchObject({ input: '(47) 3333-1234' });
  expect(dialled).toHaveLength(2);
});

test('the number of a placed call leaves the field', async () => {
  await open();
  placeNext();
  await type('4832221001');
  await dial();
  await isEmptied();
});

test('the number of a confirmed call leaves the field', async () => {
  await open();
  await dialAbroad();
  placeNext();
  await click('#confirm-yes');
  await isEmptied();
});

test('a call from the history leaves the typed number in the field', async () => {
  await open();
  const entry = placeNext();
  await type('4733331234');
  await click('.redial');
  await list(entry);
  expect(await dial()).toMatchObject({ input: '(47) 3333-1234' });
  expect(dialled).toHaveLength(2);
});

test.each<[string, () => Promise<void>]>([
  ['Escape', () => press('Escape')],
  ['Cancel', () => click('#confirm-no')],
])('%s on a question gives the focus back to the button that was pressed', async (_, cancel) => {
  await open();
  replies['page.dial'] = refuse('confirmFirst', 'Abroad.');
  await type('4832221001');
  find('#dial-button').focus();
  await dial();
  // Chrome takes the focus from a button that is disabled.
  find('#dial-button').blur();
  await isAsked();
  expect(focusedId()).toBe('confirm-yes');
  await cancel();
  expect(find('#confirm')).toBeNull();
  expect(focusedId()).toBe('dial-button');
});

test('Cancel on a rule that may be overridden gives the focus back to the dial field', async () => {
  await open();
  replies['page.dial'] = { ok: false, error: { code: 'relayRefused', mayOverride: true } };
  await type('4832221001');
  field().focus();
  await dial();
  await isAsked();
  await eventually(() => expect(focusedId()).toBe('override-reason'));
  await click('#confirm-no');
  expect(focusedId()).toBe('dial-input');
});

test.each<[string, () => Promise<void>]>([
  ['Escape', () => press('Escape')],
  ['Cancel', () => act(async () => find('[id^=delete-][id$=-no]').click())],
])('%s on the question about a deletion gives the focus back to its button', async (_, cancel) => {
  await open();
  find('.delete-call').focus();
  await click('.delete-call');
  expect(focusedId()).toMatch(/^delete-.*-no$/);
  await cancel();
  expect(document.activeElement).toBe(find('.delete-call'));
});

test.each<[string, object]>([
  ['another tab', { id: 2 }],
  ['another site in the same tab', { host: 'other.example' }],
])('an error of one tab is not shown for %s', async (_, other) => {
  await open();
  replies['page.scanTab'] = refuse('notAllowedHere');
  await click('#scan-tab');
  await eventually(() => expect(find('.site [role=alert]')).not.toBeNull());
  replies['page.state'] = ok(panel({ tab: { ...tab, ...other, site: 'blocked' } }));
  await changed('tab');
  await eventually(() => expect(find('#scan-tab')).toBeNull());
  expect(find('.site [role=alert]')).toBeNull();
});
