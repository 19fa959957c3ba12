// @vitest-environment jsdom
import { options, render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Call, newCall } from '../../../shared/call/call.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { chooseLanguage } from '../../text.ts';

const chosen = vi.hoisted((): unknown[] => []);
let isOffline = false;
const events = { addListener() {}, removeListener() {} };
vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: { onMessage: events },
    tabs: { onActivated: events, onUpdated: events },
    windows: { onFocusChanged: events },
  },
}));
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string, { record }: { record?: unknown }) => {
    if (type === 'page.recordCandidates') return ok([]);
    if (type !== 'page.chooseRecord') return ok({});
    if (isOffline) return refuse('relayOffline');
    chosen.push(record);
    // The news may be here before the reply.
    show([]);
    return ok({});
  },
}));
const { RecordsToChoose } = await import('./records-to-choose.tsx');

// Effects at once: a later one would meet a document that is gone.
options.requestAnimationFrame = queueMicrotask;
const ticket = { system: 'rt', kind: 'ticket', id: '4711' };
const record = { ...ticket, url: 'https://crm.example/4711' };
function entryOf(id: string, fields: Partial<Call>): HistoryEntry {
  const made = newCall({ id: id.repeat(22), from: '1105', to: '48', now: `2026-05-04T13:0${id}:10.000Z` });
  const call = {
    ...made,
    ...fields,
    entry: { state: 'needsAgent', system: 'rt', reason: 'forbidden' },
  } as Call;
  return { id: call.id, call, display: `48 ${id}`, note: '', followed: 'relay', sentence: '' };
}
const [older, newer] = [entryOf('1', { record }), entryOf('2', {})] as const;

const show = (entries: readonly HistoryEntry[]) =>
  render(<RecordsToChoose entries={entries} />, document.body);
const press = (selector: string) => act(async () => document.querySelector<HTMLElement>(selector)!.click());
const rows = () => [...document.querySelectorAll<HTMLElement>('.callback')].map(({ dataset }) => dataset.id);

beforeEach(async () => {
  render(null, document.body);
  chosen.length = 0;
  isOffline = false;
  await act(async () => show([newer, older]));
  await press(`[data-id="${older.id}"] .choose-record`);
});

test('a row of a call that is not to be logged stays for its undo', async () => {
  await press('.no-log');
  expect(rows()).toEqual([older.id]);
  await act(async () => show([newer]));
  expect(rows()).toEqual([newer.id, older.id]);
  await press('.undo-no-log');
  expect(chosen).toEqual([null, ticket]);
  expect(rows()).toEqual([]);
});

test('a row that stayed goes once the agent opens another one', async () => {
  await press('.no-log');
  await act(async () => show([newer]));
  await press(`[data-id="${newer.id}"] .choose-record`);
  expect(rows()).toEqual([newer.id]);
});

test('a row whose removal the relay did not get goes as soon as nothing is to be chosen', async () => {
  isOffline = true;
  await press('.no-log');
  expect(rows()).toEqual([newer.id, older.id]);
  await act(async () => show([newer]));
  expect(rows()).toEqual([newer.id]);
});

test('a call whose entry was given up says so at once', async () => {
  chooseLanguage('en');
  const entry = { state: 'dead', system: 'rt', reason: 'unreachable' } as const;
  render(null, document.body);
  await act(async () => show([{ ...older, call: { ...older.call, entry } }]));
  expect(document.body.textContent).toContain('Not logged, given up: unreachable.');
  expect(document.querySelector('.no-log')).not.toBeNull();
});

test('the focus goes from the button that opens a row to the one that closes its choices', async () => {
  document.querySelector<HTMLElement>('.choose-record')!.focus();
  await press(`[data-id="${newer.id}"] .choose-record`);
  expect(document.activeElement!.matches(`[data-id="${newer.id}"] .other-record`)).toBe(true);
});

test('the focus goes from a row that has its record to the next one, at last to the dial field', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  field.id = 'dial-input';
  document.querySelector<HTMLElement>(`[data-id="${newer.id}"] .choose-record`)!.focus();
  await act(async () => show([older]));
  expect(document.activeElement!.closest('li')!.dataset.id).toBe(older.id);
  await act(async () => show([]));
  expect(document.activeElement).toBe(field);
});
