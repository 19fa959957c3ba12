// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { type Call, newCall } from '../../../shared/call/call.ts';
import type { WrapUp } from '../../../shared/record/call-parts.ts';
import { defaultOutcomes } from '../../../shared/record/wrap-up.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import {
  changesOf,
  fromLocalTime,
  isChanged,
  lacksNote,
  lastWrapUp,
  laterThan,
  openForm,
  outcomeLabel,
  outcomeOfKey,
  toLocalTime,
  withDraft,
  withMine,
  withOutcome,
  withReply,
  withTheirs,
  withWrapUp,
} from './wrap-up-form.ts';

const now = Date.parse('2026-11-23T14:02:00Z');
const call = newCall({
  id: 'A'.repeat(22),
  from: '1105',
  to: '48',
  now: new Date(now - 60_000).toISOString(),
});
const saved = (revision: number, fields: Partial<WrapUp>): WrapUp => ({
  revision,
  ...fields,
});
const reply = (wrapUp: WrapUp, isOutdated = false) => ok({ call: { ...call, wrapUp }, isOutdated });
const outcome = (code: string) => defaultOutcomes.find((each) => each.code === code)!;
const mine = withDraft(openForm(undefined), { outcome: 'reached', note: 'mine' });

const press = (target: string, key: string, more: KeyboardEventInit = {}) => {
  document.body.innerHTML = '<button></button><input><textarea></textarea><select></select>';
  const event = new KeyboardEvent('keydown', { key, bubbles: true, ...more });
  document.querySelector(target)!.dispatchEvent(event);
  return outcomeOfKey(event, defaultOutcomes)?.code;
};

test.each([
  ['body', '1', {}, 'reached'],
  ['button', '8', {}, 'doNotCall'],
  ['body', '9', {}, undefined],
  ['body', '0', {}, undefined],
  ['input', '1', {}, undefined],
  ['textarea', '1', {}, undefined],
  ['select', '1', {}, undefined],
  ['body', '1', { ctrlKey: true }, undefined],
  ['body', '1', { altKey: true }, undefined],
  ['body', '1', { repeat: true }, undefined],
])('on %s, the key %s with %j chooses %s', (target, key, more, chosen) => {
  expect(press(target, key, more)).toBe(chosen);
});

test('sends what changed, with null for what was removed', () => {
  const form = openForm(saved(2, { outcome: 'reached', note: 'earlier' }));
  expect(changesOf(form)).toBeUndefined();
  expect(changesOf(withDraft(form, { note: '' }))).toEqual({ note: null });
  expect(changesOf(withDraft(form, { outcome: 'busy' }))).toEqual({ outcome: 'busy' });
});

test('proposes a time in an hour where the outcome asks for one, until another is chosen', () => {
  const again = withOutcome(openForm(undefined), outcome('callAgain'), now);
  expect(again.draft).toEqual({ outcome: 'callAgain', note: '', callBackAt: '2026-11-23T15:05:00.000Z' });
  expect(withOutcome(again, outcome('busy'), now).draft.callBackAt).toBe('');
  const chosen = withDraft(again, { callBackAt: '2026-11-24T09:00:00.000Z' });
  expect(withOutcome(chosen, outcome('callAgain'), now).draft.callBackAt).toBe('2026-11-24T09:00:00.000Z');
});

test('takes what the relay saved, but keeps what was typed since', () => {
  const answer = reply(saved(1, { outcome: 'reached', note: 'mine' }));
  expect(withReply(mine, mine.draft, answer)).toMatchObject({ isSaved: true, seen: { revision: 1 } });
  const typed = withDraft(mine, { note: 'mine, more' });
  const after = withReply(typed, mine.draft, answer);
  expect(after).toMatchObject({ isSaved: false, draft: { note: 'mine, more' }, seen: { revision: 1 } });
  expect(changesOf(after)).toEqual({ note: 'mine, more' });
});

test('keeps both texts where somebody else saved first, until the agent chooses', () => {
  const theirs = saved(3, { outcome: 'busy', note: 'theirs' });
  const asked = withReply(mine, mine.draft, reply(theirs, true));
  expect(asked).toMatchObject({ draft: { note: 'mine' }, conflict: { note: 'theirs' } });
  const kept = withMine(asked);
  expect([kept.conflict, kept.seen?.revision]).toEqual([undefined, 3]);
  expect(changesOf(kept)).toEqual({ outcome: 'reached', note: 'mine' });
  expect(withTheirs(asked)).toEqual(openForm(theirs));
});

test('takes its own text for saved where a repeated request finds it there', () => {
  const own = saved(1, { outcome: 'reached', note: 'mine' });
  expect(withReply(mine, mine.draft, reply(own, true))).toMatchObject({ isSaved: true, seen: own });
});

test('keeps the text where it could not be saved', () => {
  const after = withReply(mine, mine.draft, refuse('relayOffline'));
  expect(after).toMatchObject({ draft: { note: 'mine' }, error: { code: 'relayOffline' } });
  expect(isChanged(after)).toBe(true);
});

test('shows what an event brings, but not over what the agent has typed', () => {
  const theirs = saved(1, { note: 'theirs' });
  expect(withWrapUp(openForm(undefined), theirs).draft.note).toBe('theirs');
  expect(withWrapUp(mine, theirs)).toBe(mine);
  const later = openForm(saved(2, { note: 'newer' }));
  expect(withWrapUp(later, theirs)).toBe(later);
});

test('labels an outcome in the language, or in English where it has none', () => {
  expect(outcomeLabel(outcome('busy'), 'pt-BR')).toBe('Ocupado');
  expect(outcomeLabel({ code: 'sold', label: { en: 'Sold' } }, 'es')).toBe('Sold');
});

test('asks for a note only where the chosen outcome needs one', () => {
  const outcomes = [{ code: 'complaint', label: { en: 'Complaint' }, needsNote: true }];
  const draft = { outcome: 'complaint', note: ' ', callBackAt: '' };
  expect(lacksNote(draft, outcomes)).toBe(true);
  expect(lacksNote({ ...draft, note: 'late' }, outcomes)).toBe(false);
  expect(lacksNote({ ...draft, outcome: '' }, outcomes)).toBe(false);
});

test('writes a time as its field has it, then reads it back', () => {
  const iso = '2026-11-23T15:05:00.000Z';
  expect(fromLocalTime(toLocalTime(iso))).toBe(iso);
  expect([toLocalTime(''), fromLocalTime('')]).toEqual(['', '']);
});

test('delays a callback from its time, or from now where that has passed', () => {
  expect(laterThan('2026-11-23T13:00:00Z', now)).toBe('2026-11-23T15:02:00.000Z');
  expect(laterThan('2026-11-23T16:00:00Z', now)).toBe('2026-11-23T17:00:00.000Z');
});

const entryOf = (fields: Partial<Call>, hasWrapUp = true): HistoryEntry => {
  const { id } = call;
  const shown = { display: '48', note: '', hasWrapUp, followed: 'relay', sentence: '' } as const;
  return { id, call: { ...call, ...fields }, ...shown };
};
const ago = (ms: number) => new Date(now - ms).toISOString();

test.each([
  ['is in progress since long', { state: 'connected' }, true, 7_200_000, true],
  ['ended a minute ago', { state: 'disconnected' }, true, 60_000, true],
  ['ended two hours ago', { state: 'disconnected' }, true, 7_200_000, false],
  ['has just ended after two hours', { state: 'disconnected', totalSeconds: 7190 }, true, 7_200_000, true],
  ['no relay has', { state: 'disconnected' }, false, 60_000, false],
] as const)('the form of a call that %s', (_what, fields, hasWrapUp, age, isOffered) => {
  const offered = lastWrapUp([entryOf({ ...fields, createdAt: ago(age) }, hasWrapUp)], now);
  expect(offered !== undefined).toBe(isOffered);
});

test('offers the form of the last call, not of a click after it that placed none', () => {
  const last = entryOf({ state: 'disconnected', createdAt: ago(60_000) });
  const refused = entryOf({ state: 'failed', reason: 'notSent', createdAt: ago(1000) }, false);
  expect(lastWrapUp([refused, last], now)).toBe(last);
  const next = entryOf({ state: 'initiating', createdAt: ago(0) }, false);
  expect(lastWrapUp([next, refused, last], now)).toBeUndefined();
});
