// @vitest-environment jsdom
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import {
  browser,
  click,
  dial,
  dialAbroad,
  dialled,
  find,
  focusWindow,
  isAsked,
  listCalls,
  notifyChange,
  open,
  placeNext,
  replies,
  sendRequest,
  tab,
  type,
} from '../../../testing/extension/popup-in-memory.ts';
import { ago, panel, sampleEntry, shownTicket } from '../../gallery/states/samples.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { PanelState } from '../../messages/views.ts';
import type { Callback } from '../../messages/wrap-up.ts';

vi.mock('webextension-polyfill', () => ({ default: browser }));
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));
vi.mock('../parts/send-request.ts', () => ({ sendRequest }));
vi.mock('../parts/host-permission.ts', () => ({ requestOrigins: async () => true }));

const ticket = (id: string) => ({ system: 'rt', kind: 'ticket', id });
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
const aboutShown = () => document.querySelector('#page-record strong')?.textContent;

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

test("a colleague's callback that takes the field withdraws the question about another number", async () => {
  await open(handedOver('4800'));
  await dialAbroad();
  await click('.call-back');
  expect(find('#confirm')).toBeNull();
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
  await click('#page-record-use');
  expect(aboutShown()).toBe('ticket 4711 · rt');
  await click('#page-record-use');
  expect(await dial()).toMatchObject({ record: null });
});

test('a record that was left out of a placed call is about the next one', async () => {
  await open();
  placeNext();
  await type('4832221001');
  await click('#page-record-use');
  expect(await dial()).toMatchObject({ record: null });
  await eventually(() => expect(aboutShown()).toBe('ticket 4711 · rt'));
});

test('a call from the history changes nothing about the record that is left out of the next', async () => {
  await open();
  placeNext();
  await click('#page-record-use');
  await click('.redial');
  expect(dialled).toHaveLength(1);
  expect(aboutShown()).toBeUndefined();
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

test('the numbers of one tab are not offered beside the record of the next', async () => {
  await open();
  const showTab = (id: number) => {
    replies['page.state'] = ok(panel({ tab: { ...tab, id, marking: true, shown: shownTicket } }));
    return notifyChange('tab');
  };
  replies['page.framesOnPage'] = ok(['frame.example']);
  await showTab(1);
  await eventually(() => expect(find('.number-button')).not.toBeNull());
  await eventually(() => expect(find('#enable-frames')).not.toBeNull());
  // That page is busy.
  replies['page.numbersOnPage'] = new Promise(() => {});
  replies['page.framesOnPage'] = new Promise(() => {});
  await showTab(2);
  await eventually(() => expect(find('.number-button')).toBeNull());
  expect(find('#enable-frames')).toBeNull();
});

test('an open panel follows the agent to the tab of another window', async () => {
  await open();
  const host = () => find('#site-host').textContent;
  replies['page.state'] = ok(panel({ tab: { ...tab, id: 2, host: 'other.example', site: 'blocked' } }));
  await focusWindow();
  expect(host()).toBe('crm.example');
  await focusWindow(2);
  await eventually(() => expect(host()).toBe('other.example'));
});

test('the focus goes from a deleted call to the next one, at last to the title of the list', async () => {
  await open();
  const calls = ['+55 48 3222-1001', '+55 48 3222-1002', '+55 48 3222-1003'].map((number, minutes) =>
    sampleEntry(number, { reason: 'hangUp', talkSeconds: 10, createdAt: ago(minutes) }),
  );
  await listCalls(...calls);
  const rows = () => document.querySelectorAll<HTMLElement>('#recent > li');
  await eventually(() => expect(rows()).toHaveLength(3));
  rows()[1]!.querySelector<HTMLElement>('.delete-call')!.focus();
  for (const [left, focused] of [
    [[0, 2], 1],
    [[0], 0],
  ] as const) {
    await listCalls(...left.map((index) => calls[index]!));
    await eventually(() => expect(rows()).toHaveLength(left.length));
    expect(document.activeElement).toBe(rows()[focused]!.querySelector('summary'));
  }
  await listCalls();
  await eventually(() => expect(rows()).toHaveLength(0));
  expect(document.activeElement!.id).toBe('recent-title');
});

test('the focus goes from a callback that is done to the next one, at last to the dial field', async () => {
  await open();
  const [first, second] = ['A', 'B'].map((letter) => {
    const callback = handedOver();
    return { ...callback, call: { ...callback.call, id: letter.repeat(22) } };
  });
  const list = (...callbacks: Callback[]) => {
    replies['page.callbacks'] = ok(callbacks);
    return notifyChange('calls');
  };
  const rows = () => [...document.querySelectorAll<HTMLElement>('#callbacks li')];
  const areShown = (count: number) => eventually(() => expect(rows()).toHaveLength(count));
  await list(first!, second!);
  await areShown(2);
  find('#callbacks .done').focus();
  await list(second!);
  await areShown(1);
  expect(document.activeElement!.closest('li')).toBe(rows()[0]);
  await list();
  await areShown(0);
  expect(document.activeElement!.id).toBe('dial-input');
});

test.each(['Ana '.repeat(60), '1'.repeat(240)])(
  'names the length of text that is too long to dial',
  async (typed) => {
    await open();
    await type(typed);
    expect(find('#dial-hint').textContent).toBe('This text has 240 characters. Enter at most 200.');
    expect(find('#dial-button').matches(':disabled')).toBe(true);
  },
);

test('names the length of text that is too long to search for', async () => {
  await open();
  await listCalls(sampleEntry('+55 48 3222-1001', {}));
  replies['page.history'] = refuse('badMessage');
  await type('a'.repeat(201), find<HTMLInputElement>('#search'));
  const notice = () =>
    document.querySelector('#recent-title')!.closest('section')!.querySelector('[role=alert]');
  await eventually(() =>
    expect(notice()?.textContent).toBe('This text has 201 characters. Enter at most 200.'),
  );
});

test('why a call was not placed does not come back beside a newer call', async () => {
  await open();
  replies['page.dial'] = refuse('relayUnreachable');
  await type('4832221001');
  const { click: id } = (await dial())!;
  const failed = sampleEntry(
    '+55 48 3222-1001',
    { state: 'failed', reason: 'notSent' },
    { id: id as string },
  );
  const newer = sampleEntry('+55 47 3333-4444', { state: 'callingCaller' });
  const isRefused = () => document.querySelector('#refused') !== null;
  const show = async (state: Partial<PanelState>) => {
    replies['page.state'] = ok(panel({ tab, live: null, ...state }));
    await notifyChange('calls');
  };
  await show({ live: failed, recent: [failed] });
  await eventually(() => expect(isRefused()).toBe(false));
  await show({ recent: [failed] });
  await eventually(() => expect(isRefused()).toBe(true));
  await show({ live: newer, recent: [newer, failed] });
  await eventually(() => expect(find('#live-call').dataset.id).toBe(newer.id));
  expect(isRefused()).toBe(false);
});

test('nothing is said to be found for a name until the search for that name has ended', async () => {
  await open();
  const hint = () => find('#dial-hint').textContent;
  replies['page.findPeople'] = ok([]);
  await type('xy');
  await eventually(() => expect(hint()).toBe('Nothing found.'));
  let reply = (_result: unknown) => {};
  replies['page.findPeople'] = new Promise((resolve) => {
    reply = resolve;
  });
  await type('ana');
  expect(hint()).toBe('Loading…');
  await act(async () => reply(ok([{ name: 'Ana', display: '+55 48 3222-1000' }])));
  await eventually(() => expect(find('#people').textContent).toContain('Ana'));
  expect(hint()).toBe('');
  await type('anab');
  expect(hint()).toBe('');
});

test('an error about the frames of one page is not shown for the page of another tab', async () => {
  await open();
  replies['page.framesOnPage'] = ok(['frame.example']);
  replies['page.setFrames'] = refuse('tooManySites');
  await notifyChange('tab');
  await eventually(() => expect(find('#enable-frames')).not.toBeNull());
  await click('#enable-frames');
  await eventually(() => expect(find('#frames-on-page [role=alert]')).not.toBeNull());
  replies['page.framesOnPage'] = ok([]);
  replies['page.state'] = ok(panel({ tab: { ...tab, id: 2 } }));
  await notifyChange('tab');
  await eventually(() => expect(find('#frames-on-page')).toBeNull());
});

test('a number that is being typed stays when the state cannot be read again', async () => {
  await open();
  await type('4832221001');
  replies['page.state'] = refuse('internal');
  await notifyChange('calls');
  const notice = () => document.querySelector<HTMLElement>('main > div > [role=alert]');
  await eventually(() => expect(notice()).not.toBeNull());
  expect(find<HTMLInputElement>('#dial-input').value).toBe('(48) 3222-1001');
  replies['page.state'] = ok(panel({ tab }));
  notice()!.querySelector('button')!.focus();
  await click('main > div > [role=alert] button');
  await eventually(() => expect(notice()).toBeNull());
  expect(document.activeElement!.id).toBe('dial-input');
});
