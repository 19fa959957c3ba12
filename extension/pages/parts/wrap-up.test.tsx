// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { newCall } from '../../../shared/call/call.ts';
import { defaultRules } from '../../../shared/protocol/rules.ts';
import type { WrapUp } from '../../../shared/record/call-parts.ts';
import { eventually } from '../../../testing/eventually.ts';
import { session } from '../../../testing/extension/browser-api.ts';
import { ok } from '../../messages/result.ts';
import type { HistoryEntry } from '../../messages/views.ts';

const sent = vi.hoisted((): [string, Record<string, unknown>][] => []);
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
/** What another browser has saved first. */
let theirs: WrapUp | undefined;
const call = newCall({ id: 'A'.repeat(22), from: '1105', to: '48', now: '2026-05-04T13:05:10.000Z' });
const [reached] = defaultRules.outcomes;
const noteAndTime = { ...reached!, code: 'appointment', needsNote: true, asksForTime: true };
let outcomes = defaultRules.outcomes;
let hasRelay = true;
vi.mock('./send-request.ts', () => ({
  sendRequest: async (type: string, fields: Record<string, unknown>) => {
    if (type === 'page.rules') return ok(hasRelay ? { ...defaultRules, outcomes } : null);
    sent.push([type, fields]);
    const { callId: _, revision, ...saved } = fields;
    if (theirs && theirs.revision !== revision)
      return ok({ call: { ...call, wrapUp: theirs }, isOutdated: true });
    const wrapUp = { ...saved, revision: (revision as number) + 1 };
    return ok({ call: { ...call, wrapUp }, isOutdated: false });
  },
}));
const { WrapUpCard } = await import('./wrap-up.tsx');
const { keepDraft, readDraft } = await import('./unsaved-draft.ts');

const entry: HistoryEntry = {
  ...{ id: call.id, call, display: '48', note: '', followed: 'relay' },
  ...{ sentence: '', hasWrapUp: true },
};
const saved = (revision: number, changes: object) => [
  'page.wrapUp',
  { callId: call.id, revision, ...changes },
];
const pressOn = (target: Element, key: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  });
const note = () => document.querySelector('textarea')!;
const write = (text: string) =>
  act(async () => {
    note().value = text;
    note().dispatchEvent(new InputEvent('input', { bubbles: true }));
  });

/** A kept note is read from the session first. */
const noteIs = (text: string) =>
  act(async () => void (await eventually(() => expect(note().value).toBe(text))));

async function open(shown = entry): Promise<void> {
  render(null, document.body);
  await act(async () => render(<WrapUpCard entry={shown} hasKeys />, document.body));
  // The rules are there.
  await act(async () => void (await eventually(() => expect(note()).not.toBeNull())));
}
beforeEach(async () => {
  sent.length = 0;
  theirs = undefined;
  outcomes = defaultRules.outcomes;
  session.clear();
  await open();
});

test('shows no empty card where the relay of the call is not set any more', async () => {
  hasRelay = false;
  render(null, document.body);
  await act(async () => render(<WrapUpCard entry={entry} hasKeys />, document.body));
  await act(async () => void (await eventually(() => expect(document.querySelector('.wrap-up')).toBeNull())));
  hasRelay = true;
});

test('a digit saves the outcome with the note that was written before it', async () => {
  await write('Wants a quote');
  await pressOn(document.body, '1');
  expect(sent).toEqual([saved(0, { outcome: 'reached', note: 'Wants a quote' })]);
  expect(document.querySelector('[data-code=reached]')?.getAttribute('aria-pressed')).toBe('true');
});

test('a digit in the note is text', async () => {
  await pressOn(note(), '1');
  expect(sent).toEqual([]);
});

test('a note that is too long stays whole, with its length, until it is shortened', async () => {
  expect(note().maxLength).toBe(-1);
  await write('w'.repeat(10_001));
  await pressOn(note(), 'Enter');
  expect(document.querySelector('[role=status]')?.textContent).toBe(
    'This text has 10001 characters. Enter at most 10000.',
  );
  expect(sent).toEqual([]);
  await write('w'.repeat(10_000));
  await pressOn(note(), 'Enter');
  expect(sent).toEqual([saved(0, { note: 'w'.repeat(10_000) })]);
});

test('Enter saves the note, Shift+Enter does not', async () => {
  await write('Wants a quote');
  await pressOn(note(), 'Enter', { shiftKey: true });
  expect(sent).toEqual([]);
  await pressOn(note(), 'Enter');
  expect(sent).toEqual([saved(0, { note: 'Wants a quote' })]);
});

test('the focus goes from the time to another element while the note is missing', async () => {
  outcomes = [noteAndTime];
  await open();
  await pressOn(document.body, '1');
  const time = document.querySelector<HTMLInputElement>('[type=datetime-local]')!;
  time.focus();
  // Browsers give up the focus that was to come where a blur moves it elsewhere; jsdom does not.
  const toNote = vi.fn();
  note().addEventListener('focus', toNote);
  document.querySelector<HTMLElement>('[data-code=appointment]')!.focus();
  expect(toNote).not.toHaveBeenCalled();
  expect(sent).toEqual([]);
});

test('a held digit is not typed into the field that gets the focus, Tab leads to the note', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  await pressOn(document.body, '1');
  field.focus();
  const repeated = new KeyboardEvent('keydown', { key: '1', repeat: true, bubbles: true, cancelable: true });
  field.dispatchEvent(repeated);
  expect(repeated.defaultPrevented).toBe(true);
  expect(sent).toHaveLength(1);
  await pressOn(field, 'Tab');
  expect(document.activeElement).toBe(note());
  field.remove();
});

test('Tab after a digit leads to the note, then to what follows it', async () => {
  await pressOn(document.body, 'Tab');
  expect(document.activeElement).toBe(document.body);
  await pressOn(document.body, '1');
  await pressOn(document.body, 'Tab');
  expect(document.activeElement).toBe(note());
  const onward = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true });
  expect(note().dispatchEvent(onward)).toBe(true);
});

test('Tab after a digit follows the focus once the pointer has moved it', async () => {
  await pressOn(document.body, '1');
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  await pressOn(document.body, 'Tab');
  expect(document.activeElement).toBe(document.body);
});

test('two digits in a row are two saves, the second on what the first has saved', async () => {
  await act(async () => {
    for (const key of ['1', '4'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
  expect(sent.at(-1)?.[1]).toMatchObject({ outcome: 'busy' });
  expect(sent.map(([, { revision }]) => revision)).toEqual(sent.map((_, index) => index));
});

test('a note that is not saved is there when the page opens again', async () => {
  await write('Wants a quote');
  await open();
  await noteIs('Wants a quote');
  await pressOn(note(), 'Enter');
  expect(sent).toEqual([saved(0, { note: 'Wants a quote' })]);
  await open();
  await noteIs('');
  expect(session.size).toBe(0);
});

test('a note that another page has typed is shown in the open one, which can save it', async () => {
  const empty = { outcome: '', callBackAt: '' };
  const onOtherPage = (note: string | undefined) =>
    act(async () => {
      const draft = note === undefined ? undefined : { draft: { ...empty, note }, formId: 'other' };
      keepDraft(call.id, draft);
      // Behind the form's own reading.
      await readDraft(call.id);
    });
  for (const typed of ['Ask', 'Ask for Ana', undefined, 'Ask for Ana']) {
    await onOtherPage(typed);
    expect(note().value).toBe(typed ?? '');
  }
  await pressOn(document.body, '1');
  expect(sent).toEqual([saved(0, { outcome: 'reached', note: 'Ask for Ana' })]);
  expect(session).toEqual(new Map());
});

test('a note that was begun before a colleague saved is sent with the revision it was begun on', async () => {
  await write('Wants a quote');
  await open({ ...entry, call: { ...call, wrapUp: { revision: 1, note: 'theirs' } } });
  await noteIs('Wants a quote');
  await pressOn(note(), 'Enter');
  expect(sent).toEqual([saved(0, { note: 'Wants a quote' })]);
});

test('a note whose save ended after the page had closed is saved when the page opens again', async () => {
  await write('Wants a quote');
  await open({ ...entry, call: { ...call, wrapUp: { revision: 1, note: 'Wants a quote' } } });
  await act(async () => void (await eventually(() => expect(session.size).toBe(0))));
  expect(note().value).toBe('Wants a quote');
  expect(document.querySelector('.save-wrap-up')?.getAttribute('aria-disabled')).toBe('true');
});

/** Saves a note after another browser has saved its own. */
async function saveTooLate(): Promise<void> {
  theirs = { revision: 3, outcome: 'busy', note: 'Engaged all morning' };
  await write('Wants a quote');
  await pressOn(note(), 'Enter');
  expect(sent).toEqual([saved(0, { note: 'Wants a quote' })]);
}
const versionsAre = (...texts: string[]) =>
  act(async () => {
    const versions = () => [...document.querySelectorAll('blockquote')].map(({ textContent }) => textContent);
    await eventually(() => expect(versions()).toEqual(texts));
  });
const press = (selector: string) => act(async () => document.querySelector<HTMLElement>(selector)!.click());

test('both texts are shown where another browser has saved first, which no digit changes', async () => {
  await saveTooLate();
  await versionsAre('Wants a quote', 'BusyEngaged all morning');
  expect(document.querySelector('.wrap-up-conflict')?.getAttribute('role')).toBe('alert');
  await pressOn(document.body, '1');
  expect(sent).toHaveLength(1);
});

test("the agent's own text is saved over the other one where the agent keeps it", async () => {
  await saveTooLate();
  await press('#keep-mine');
  expect(sent.slice(1)).toEqual([saved(3, { outcome: null, note: 'Wants a quote' })]);
  await versionsAre();
  expect(note().value).toBe('Wants a quote');
  expect(session.size).toBe(0);
});

test('the other text is taken without a request where the agent keeps that one', async () => {
  await saveTooLate();
  await press('#keep-theirs');
  expect(sent).toHaveLength(1);
  expect(note().value).toBe('Engaged all morning');
  expect(document.querySelector('[data-code=busy]')?.getAttribute('aria-pressed')).toBe('true');
  expect(session.size).toBe(0);
});

test('a note is not lost where the page closes before the agent has chosen', async () => {
  await saveTooLate();
  await open({ ...entry, call: { ...call, wrapUp: theirs! } });
  await noteIs('Wants a quote');
  await pressOn(note(), 'Enter');
  await versionsAre('Wants a quote', 'BusyEngaged all morning');
});

test('the agent chooses again where the other browser saves once more before the choice', async () => {
  await saveTooLate();
  theirs = { revision: 4, outcome: 'reached', note: 'Reached at last' };
  await press('#keep-mine');
  await versionsAre('Wants a quote', 'ReachedReached at last');
});

test('Save keeps the focus once there is nothing to save', async () => {
  await write('Wants a quote');
  const button = document.querySelector<HTMLButtonElement>('.save-wrap-up')!;
  button.focus();
  await press('.save-wrap-up');
  expect(sent).toHaveLength(1);
  expect(button.matches(':disabled')).toBe(false);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await press('.save-wrap-up');
  expect(sent).toHaveLength(1);
});

test('the focus goes from a note to the choice between two texts, then to Save', async () => {
  note().focus();
  await saveTooLate();
  await versionsAre('Wants a quote', 'BusyEngaged all morning');
  expect(document.activeElement!.className).toContain('wrap-up-conflict');
  document.querySelector<HTMLElement>('#keep-theirs')!.focus();
  await press('#keep-theirs');
  expect(document.activeElement!.className).toBe('save-wrap-up');
});
