// @vitest-environment jsdom
import { options, render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { newCall } from '../../../shared/call/call.ts';
import type { WrapUp } from '../../../shared/record/call-parts.ts';
import { eventually } from '../../../testing/eventually.ts';
import { publishChange } from '../../../testing/extension/page-changes.ts';
import { ok, type Result, refuse } from '../../messages/result.ts';
import type { Callback, WrapUpReply } from '../../messages/wrap-up.ts';
import { chooseLanguage } from '../../text.ts';

const id = 'A'.repeat(22);
const call = newCall({ id, from: '1105', to: '48', now: '2026-05-04T13:05:10.000Z' });
const due = { revision: 2, callBackAt: '2099-05-04T13:05:10.000Z' };
const later = '2099-05-04T14:05:10.000Z';

const sent: Record<string, unknown>[] = [];
/** The callback's wrap-up at the relay; undefined where the agent has no callback. */
let atRelay: WrapUp | undefined;
/** Further callbacks of the agent. */
let others: Callback[];
let isOffline: boolean;
/** The list cannot be read; changes are saved. */
let isListOffline: boolean;
/** The reply to a change; by default the change is saved. */
let answer: ((changes: Partial<WrapUp>) => Result<WrapUpReply>) | undefined;
/** A slow relay answers a change once it is resolved. */
let isAnswered: Promise<void> | undefined;
/** The next list arrives once it is resolved. It is the list of the time of its request. */
let isListRead: Promise<void> | undefined;
vi.mock('webextension-polyfill', async () => {
  const { onMessage } = await import('../../../testing/extension/page-changes.ts');
  return { default: { runtime: { onMessage } } };
});
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string, fields: Record<string, unknown>) => {
    if (type !== 'page.callbacks' && type !== 'page.wrapUp') return ok([{}]);
    if (type === 'page.wrapUp') {
      sent.push(fields);
      if (isAnswered) await isAnswered;
    }
    if (isOffline || (isListOffline && type === 'page.callbacks')) return refuse('relayOffline');
    if (type === 'page.callbacks') {
      const list = ok([...(atRelay ? [callbackWith(atRelay)] : []), ...others]);
      const isRead = isListRead;
      isListRead = undefined;
      await isRead;
      return list;
    }
    const { callId: _, revision: __, ...changes } = fields;
    return answer ? answer(changes) : ok({ ...save(changes), isOutdated: false });
  },
}));
const { Callbacks } = await import('./callbacks.tsx');

// Effects at once: a later one would meet a document that is gone.
options.requestAnimationFrame = queueMicrotask;
const callbackWith = (wrapUp: WrapUp): Callback => ({
  call: { ...call, wrapUp },
  ...{ display: '+48 22', isOwn: true },
});
function save(changes: Partial<WrapUp>): Pick<WrapUpReply, 'call'> {
  const wrapUp = { ...atRelay, ...changes, revision: 3 };
  atRelay = wrapUp.callBackBy === undefined ? wrapUp : undefined;
  return { call: { ...call, wrapUp } };
}

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector);
const click = (selector: string) => act(async () => find(selector)!.click());
// Outside of `act`, which renders only at its end.
const shows = eventually;
const alertIs = (text: string) =>
  shows(() => expect(find('[role=alert]')?.textContent ?? '').toContain(text));
const callsChanged = () =>
  act(async () => {
    publishChange('calls');
  });
async function typeColleague(extension: string): Promise<void> {
  await click('.hand-over');
  await act(async () => {
    const field = find<HTMLInputElement>(`#colleague-${id}`)!;
    field.value = extension;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
}
async function handOver(extension: string): Promise<void> {
  await typeColleague(extension);
  await click('.callback [type=submit]');
}
const request = (changes: object) => ({ callId: id, revision: 2, ...changes });

beforeEach(async () => {
  others = [];
  chooseLanguage('en');
  sent.length = 0;
  [atRelay, isOffline, isListOffline, answer, isAnswered] = [due, false, false, undefined, undefined];
  render(null, document.body);
  const nothing = () => {};
  await act(async () =>
    render(<Callbacks disabled={false} onDial={nothing} onFill={nothing} />, document.body),
  );
  await shows(() => expect(find('.callback')).not.toBeNull());
});

test('a callback is put off by an hour, which a live region of its row says', async () => {
  const time = find('.callback [role=status]')!;
  const before = time.textContent;
  await click('.later');
  expect(sent).toEqual([request({ callBackAt: later })]);
  await shows(() => expect(time.textContent).not.toBe(before));
  expect(time.isConnected).toBe(true);
  expect(find('[role=alert]')).toBeNull();
});

test('a second change waits for the first, which a slow relay has not answered yet', async () => {
  let answerNow = () => {};
  isAnswered = new Promise((resolve) => {
    answerNow = resolve;
  });
  await click('.later');
  expect(find('.later')!.getAttribute('aria-disabled')).toBe('true');
  await click('.done');
  expect(sent).toEqual([request({ callBackAt: later })]);
  answerNow();
  await shows(() => expect(find('.done')!.getAttribute('aria-disabled')).toBe('false'));
  await click('.done');
  expect(sent[1]).toEqual({ callId: id, revision: 3, callBackAt: null });
  expect(find('[role=alert]')).toBeNull();
});

test('a callback that is done stays away when the list before it arrives late', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  render(null, document.body);
  await act(async () =>
    render(<Callbacks disabled={false} onDial={() => {}} onFill={() => {}} />, document.body),
  );
  await act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
  let arrive = () => {};
  isListRead = new Promise((resolve) => {
    arrive = resolve;
  });
  await act(async () => void (await vi.advanceTimersByTimeAsync(30_000)));
  answer = (changes) => {
    const saved = save(changes);
    atRelay = undefined;
    return ok({ ...saved, isOutdated: false });
  };
  await click('.done');
  expect(find('.callback')).toBeNull();
  arrive();
  await act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
  expect(find('.callback')).toBeNull();
});

test('a failed change is not reported any more while the next one is under way', async () => {
  answer = () => refuse('relayOffline');
  await click('.later');
  await alertIs('The relay does not answer.');
  await shows(() => expect(find('.later')!.getAttribute('aria-disabled')).toBe('false'));
  isAnswered = new Promise(() => {});
  await click('.later');
  expect(find('[role=alert]')).toBeNull();
});

test('a change follows on the saved one before it, though the list could not be read between', async () => {
  isListOffline = true;
  const before = find('.callback')!.textContent;
  await click('.later');
  await alertIs('The relay does not answer.');
  expect(find('.callback')!.textContent).not.toBe(before);
  await shows(() => expect(find('.later')!.getAttribute('aria-disabled')).toBe('false'));
  await click('.later');
  expect(sent[1]).toEqual({ callId: id, revision: 3, callBackAt: '2099-05-04T15:05:10.000Z' });
  await shows(() => expect(find('.later')!.getAttribute('aria-disabled')).toBe('false'));
  await click('.done');
  await shows(() => expect(find('.callback')).toBeNull());
});

test('a callback that is handed to a colleague leaves the list', async () => {
  await handOver(' 1106 ');
  expect(sent).toEqual([request({ callBackBy: '1106' })]);
  await shows(() => expect(find('#callbacks')).toBeNull());
});

test('a callback is not handed over without an extension', async () => {
  await click('.hand-over');
  expect(find('.callback [type=submit]')!.matches(':disabled')).toBe(true);
});

test('Escape closes the form that hands a callback over, with the focus on its button', async () => {
  find('.hand-over')!.focus();
  await typeColleague('1106');
  const field = find(`#colleague-${id}`)!;
  field.focus();
  await act(
    async () => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })),
  );
  expect(find('.callback form')).toBeNull();
  expect(document.activeElement).toBe(find('.hand-over'));
  expect(sent).toEqual([]);
});

test('a callback stays with the typed extension where the relay refuses that one', async () => {
  answer = () => refuse('relayRefused', 'No key is for the extension "1199".');
  await handOver('1199');
  await alertIs('No key is for the extension "1199".');
  expect(find<HTMLInputElement>(`#colleague-${id}`)!.value).toBe('1199');
});

test('why a change failed is said in the row of its callback', async () => {
  const other = { ...call, id: 'B'.repeat(22), wrapUp: due };
  others = [{ ...callbackWith(due), call: other }];
  await callsChanged();
  const row = `.callback[data-id=${other.id}]`;
  await shows(() => expect(find(row)).not.toBeNull());
  isOffline = true;
  await click(`${row} .done`);
  await alertIs('The relay does not answer.');
  await shows(() => expect(find(`${row} [role=alert]`)).not.toBeNull());
  expect(document.querySelectorAll('[role=alert]')).toHaveLength(1);
});

test('why a change failed stays while the list is read again, until its callback is gone', async () => {
  vi.useFakeTimers();
  render(null, document.body);
  await act(async () =>
    render(<Callbacks disabled={false} onDial={() => {}} onFill={() => {}} />, document.body),
  );
  await act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
  answer = () => refuse('relayRefused', 'No key is for the extension "1199".');
  await handOver('1199');
  const pass = () => act(async () => void (await vi.advanceTimersByTimeAsync(30_000)));
  await pass();
  expect(find('[role=alert]')?.textContent).toContain('1199');
  atRelay = undefined;
  await pass();
  expect(find('#callbacks')).toBeNull();
  vi.useRealTimers();
});

test.each<[string, () => Promise<void>]>([
  ['put off', () => click('.later')],
  ['handed over', () => handOver('1106')],
])('a callback that is %s offline stays as it was, with the reason', async (_, change) => {
  const before = find('.callback strong')!.parentElement!.textContent;
  isOffline = true;
  await change();
  await alertIs('The relay does not answer.');
  expect(find('.callback strong')!.parentElement!.textContent).toBe(before);
});

test('a change that a colleague was before is reported, beside what the colleague saved', async () => {
  atRelay = { ...due, revision: 3, note: 'Ask for Ana' };
  answer = () => ok({ call: { ...call, wrapUp: atRelay! }, isOutdated: true });
  await handOver('1106');
  await shows(() => expect(find('.callback')!.textContent).toContain('Ask for Ana'));
  await alertIs('Someone else changed this');
});

test('a repeated request that finds its own change shows no error', async () => {
  answer = (changes) => ok({ call: save(changes).call, isOutdated: true });
  await handOver('1106');
  await shows(() => expect(find('#callbacks')).toBeNull());
});

test('callbacks that were shown stay while the relay is away, with what was typed', async () => {
  await typeColleague('1106');
  isOffline = true;
  await callsChanged();
  await alertIs('The relay does not answer.');
  expect(find<HTMLInputElement>(`#colleague-${id}`)?.value).toBe('1106');
  isOffline = false;
  await callsChanged();
  await shows(() => expect(find('[role=alert]')).toBeNull());
  expect(find<HTMLInputElement>(`#colleague-${id}`)?.value).toBe('1106');
});

test('the focus goes from a callback that is done to the same button of the next one', async () => {
  others = [{ ...callbackWith(due), call: { ...call, id: 'B'.repeat(22), wrapUp: due } }];
  await callsChanged();
  await shows(() => expect(document.querySelectorAll('.callback').length).toBe(2));
  find('.done')!.focus();
  atRelay = undefined;
  await callsChanged();
  await shows(() => expect(document.querySelectorAll('.callback').length).toBe(1));
  expect(document.activeElement).toBe(find('.done'));
});
