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
  field,
  find,
  focusedId,
  isAsked,
  listCalls,
  notifyChange,
  open,
  placeNext,
  press,
  replies,
  sendRequest,
  tab,
  type,
} from '../../../testing/extension/popup-in-memory.ts';
import { panel, sampleEntry, shownTicket } from '../../gallery/states/samples.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { PanelState } from '../../messages/views.ts';
import { recordLabel } from '../../record-label.ts';

vi.mock('webextension-polyfill', () => ({ default: browser }));
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));
vi.mock('../parts/send-request.ts', () => ({ sendRequest }));

const typeCallerId = (typed: string) => type(typed, find<HTMLInputElement>('#dial-callerid'));
const isEmptied = () => eventually(() => expect(field().value).toBe(''));

test('a caller ID chosen for one call is not sent with the next call', async () => {
  await open();
  const entry = placeNext();
  await type('4832221001');
  await typeCallerId('4899990000');
  expect(await dial()).toMatchObject({ callerid: '4899990000' });
  await listCalls(entry);
  await type('4832221002');
  expect(await dial()).not.toHaveProperty('callerid');
  expect(dialled).toHaveLength(2);
});

test.each(['٠٤٨٣٣٢٢٩٠٠١', '４８ ３３２２-９００１', 'Ana ٠٤٨٣٣٢٢٩٠٠١'])(
  'a number with digits of another script is called: %s',
  async (typed) => {
    await open();
    await type(typed);
    expect(await dial()).toMatchObject({ input: typed });
  },
);

test('Call leads to a caller ID that is not valid, also in a closed part', async () => {
  await open();
  await type('4832221001');
  await typeCallerId('not a number');
  await eventually(() => expect(find('#dial-button').matches(':enabled')).toBe(true));
  await click('#dial-button');
  expect(dialled).toEqual([]);
  expect(find<HTMLDetailsElement>('.choices').open).toBe(true);
  expect(focusedId()).toBe('dial-callerid');
});

test('a caller ID chosen for one call stays until its question is confirmed', async () => {
  await open();
  await typeCallerId('4899990000');
  await dialAbroad();
  expect(find<HTMLInputElement>('#dial-callerid').value).toBe('4899990000');
  placeNext();
  await click('#confirm-yes');
  expect(dialled.at(-1)).toMatchObject({ callerid: '4899990000', confirmed: true });
  await eventually(() => expect(find<HTMLInputElement>('#dial-callerid').value).toBe(''));
});

test('a caller ID chosen while a question is open withdraws the question', async () => {
  await open();
  await dialAbroad();
  await typeCallerId('4899990000');
  expect(document.querySelector('#confirm-yes')).toBeNull();
});

test('a caller ID chosen for one call stays when that call is refused', async () => {
  await open();
  replies['page.dial'] = refuse('relayOffline');
  await type('4832221001');
  await typeCallerId('4899990000');
  await dial();
  expect(await dial()).toMatchObject({ callerid: '4899990000' });
});

test('closing a refusal gives the focus back to the button that was pressed', async () => {
  await open();
  replies['page.dial'] = refuse('relayOffline');
  find('.redial').focus();
  await click('.redial');
  find('#refused button').focus();
  await click('#refused button');
  expect(document.querySelector('#refused')).toBeNull();
  expect(document.activeElement).toBe(find('.redial'));
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
  await listCalls(entry);
  await listCalls(...recent);
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
  await listCalls(entry);
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
  await listCalls(entry);
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

test('the yes to a question gives the focus back to the dial field', async () => {
  await open();
  field().focus();
  await dialAbroad();
  expect(focusedId()).toBe('confirm-yes');
  placeNext();
  await click('#confirm-yes');
  expect(find('#confirm')).toBeNull();
  expect(focusedId()).toBe('dial-input');
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

test('the reason for an override is kept where the call with it fails otherwise', async () => {
  await open();
  const ask = async (number: string) => {
    replies['page.dial'] = { ok: false, error: { code: 'relayRefused', mayOverride: true } };
    await type(number);
    await dial();
    await isAsked();
  };
  await ask('4832221001');
  await type('asked by mail', find<HTMLInputElement>('#override-reason'));
  replies['page.dial'] = refuse('relayOffline');
  await click('#confirm-yes');
  await eventually(() => expect(find('#refused')).not.toBeNull());
  await ask('4832221001');
  expect(find<HTMLInputElement>('#override-reason').value).toBe('asked by mail');
  await ask('4832221002');
  expect(find<HTMLInputElement>('#override-reason').value).toBe('');
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
  replies['page.scanTab'] = refuse('unreadable');
  await click('#scan-tab');
  await eventually(() => expect(find('.site [role=alert]')).not.toBeNull());
  replies['page.state'] = ok(panel({ tab: { ...tab, ...other, site: 'blocked' } }));
  await notifyChange('tab');
  await eventually(() => expect(find('#scan-tab')).toBeNull());
  expect(find('.site [role=alert]')).toBeNull();
});

test('a saved outcome leaves the focus to the note that is being written', async () => {
  await open();
  const entry = sampleEntry('+55 48 3222-1001', { reason: 'hangUp', talkSeconds: 10 });
  const last = { ...entry, hasWrapUp: true, call: { ...entry.call, createdAt: new Date().toISOString() } };
  await listCalls(last);
  await eventually(() => expect(find('.wrap-up textarea')).not.toBeNull());
  find('.wrap-up textarea').focus();
  await listCalls({ ...last, call: { ...last.call, wrapUp: { revision: 1, outcome: 'reached' } } });
  await eventually(() => expect(find('[data-code=reached][aria-pressed=true]')).not.toBeNull());
  expect(document.activeElement).toBe(find('.wrap-up textarea'));
});

test('a number of a list of records is called on the record that its row leads to', async () => {
  await open();
  const record = { system: 'rt', kind: 'ticket', id: '77' };
  const number = { display: '+55 48 3222-1001', to: '4832221001', verdict: 'allow' };
  replies['page.numbersOnPage'] = ok([
    { number, host: 'crm.example', context: 'Ana', name: 'Ana', source: {}, record },
  ]);
  const show = (more: object) => {
    replies['page.state'] = ok(panel({ live: null, tab: { ...tab, ...more, marking: true } }));
    return notifyChange('tab');
  };
  await show({ id: 2 });
  await eventually(() => expect(find('.number-button').textContent).toContain(recordLabel(record)));
  const entry = placeNext();
  await click('.number-button');
  expect(dialled.at(-1)).toMatchObject({ record });
  await listCalls(entry);
  // The page shows a record by itself: the agent may have left it out.
  await show({ id: 3, shown: shownTicket });
  await eventually(() => expect(find('.number-button').textContent).not.toContain(recordLabel(record)));
  await click('.number-button');
  expect(dialled.at(-1)).toMatchObject({ record: shownTicket.record });
});
