// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Call, newCall } from '../../../shared/call/call.ts';
import type { EntryState } from '../../../shared/record/call-parts.ts';
import type { RecordKey } from '../../../shared/record/template.ts';
import { eventually } from '../../../testing/eventually.ts';
import { ok, refuse } from '../../messages/result.ts';

const chosen = vi.hoisted((): unknown[] => []);
const candidates = vi.hoisted((): unknown[] => []);
let isOffline = false;
const events = { addListener() {}, removeListener() {} };
vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: { onMessage: events },
    tabs: { onActivated: events, onUpdated: events },
    windows: { onFocusChanged: events },
  },
}));
const ticket = (id: string) => ({ system: 'rt', kind: 'ticket', id });
const linked = (id: string) => ({ ...ticket(id), url: `https://crm.example/${id}` });
const shown = { record: ticket('4712'), label: 'ticket 4712 · rt' };
vi.mock('./send-request.ts', () => ({
  sendRequest: async (type: string, { record }: { record?: unknown }) => {
    if (type === 'page.recordCandidates') return ok(candidates);
    if (type === 'page.state') return ok({ tab: { shown } });
    if (type !== 'page.chooseRecord') return ok(null);
    if (isOffline) return refuse('relayOffline');
    chosen.push(record);
    return ok({});
  },
}));
vi.mock('../../text.ts', () => ({
  isTextKey: (key: string) => key !== 'entry_translating',
  text: (key: string, ...values: string[]) => [key, ...values].join(' '),
}));
const { LogEntryLine } = await import('./log-entry.tsx');

const base = newCall({ id: 'A'.repeat(22), from: '1105', to: '48', now: '2026-05-04T13:05:10.000Z' });
type Props = { mayChoose?: true; formerRecord?: RecordKey };
async function open(fields: Partial<Call>, props: Props = {}) {
  render(null, document.body);
  await update(fields, props);
}
/** The call changes while it is shown. */
const update = (fields: Partial<Call>, props: Props = {}) =>
  act(async () => render(<LogEntryLine call={{ ...base, ...fields }} {...props} />, document.body));
const labels = () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent);
async function press(label: string): Promise<void> {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)!;
  await act(async () => button.click());
  const isLoaded = () => expect(document.body.textContent).not.toContain('page_loading');
  await act(async () => void (await eventually(isLoaded)));
}
/** By keyboard: the button that is pressed has the focus. @returns the words of the one that has it then. */
async function pressByKey(label: string): Promise<string | null> {
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)!.focus();
  await press(label);
  return document.activeElement!.textContent;
}
const needsAgent = (reason: string) =>
  ({ record: linked('4711'), entry: { state: 'needsAgent', system: 'rt', reason } }) as const;

beforeEach(() => {
  chosen.length = candidates.length = 0;
  isOffline = false;
});

test.each(['waiting', 'done'] as const)(
  'a call whose entry is %s can move to another record',
  async (state) => {
    await open({ record: linked('4711'), entry: { state, system: 'rt' } });
    expect(labels()).toEqual(['entry_otherRecord', 'entry_noLog']);
    await press('entry_otherRecord');
    // In the order of Tab, behind the button that opened them.
    expect(labels()).toEqual(['entry_otherRecord', 'entry_logOn ticket 4712 · rt', 'entry_noLog']);
    await press('entry_logOn ticket 4712 · rt');
    expect(chosen).toEqual([ticket('4712')]);
    expect(labels()).toEqual(['entry_otherRecord', 'entry_noLog']);
  },
);

test('the record that the call is on is not offered as another one', async () => {
  await open({ record: linked('4712') });
  await press('entry_otherRecord');
  expect(labels()).toEqual(['entry_otherRecord', 'entry_noLog']);
  expect(document.body.textContent).toContain('entry_openToChoose');
});

/** Behind the tab's record and the one with the number. @param first where the records begin among the buttons. */
async function takeTheThird(first: number): Promise<void> {
  expect(labels().slice(first, first + 3)).toEqual([
    'entry_logOn ticket 4712 · rt',
    'entry_logOn Ana · ticket 9 · rt',
    'entry_logOn ticket 4711 · rt',
  ]);
  await press('entry_logOn ticket 4711 · rt');
  expect(chosen).toEqual([ticket('4711')]);
}

test.each(['notFound', 'forbidden'])('a record refused as %s is left, or tried again', async (reason) => {
  candidates.push({ record: linked('9'), name: 'Ana' });
  await open(needsAgent(reason));
  await takeTheThird(0);
});

test('a merged record offers the one that it was merged into', async () => {
  await open(needsAgent('merged:4800'));
  expect(labels()).toEqual(['entry_logOn ticket 4800 · rt', 'entry_otherRecord', 'entry_noLog']);
  await press('entry_logOn ticket 4800 · rt');
  expect(chosen).toEqual([ticket('4800')]);
});

test('a call that was not to be logged goes back to its record', async () => {
  await open(needsAgent('forbidden'));
  await press('entry_noLog');
  expect(document.querySelector('[role=status]')!.textContent).toBe('entry_none');
  await press('popup_undo');
  expect(chosen).toEqual([null, ticket('4711')]);
  expect(document.querySelector('[role=status]')!.textContent).toContain('entry_needsAgent');
});

test('a choice that the relay did not get changes nothing', async () => {
  await open({ record: linked('4711') });
  isOffline = true;
  await press('entry_noLog');
  expect(labels()).toEqual(['entry_otherRecord', 'entry_noLog']);
  expect(document.querySelector('[role=alert]')).not.toBeNull();
});

test('a call without a record gets one where the team has records', async () => {
  await open({});
  expect(document.body.textContent).toBe('');
  await open({}, { mayChoose: true });
  await press('popup_chooseRecord');
  await press('entry_logOn ticket 4712 · rt');
  expect(chosen).toEqual([ticket('4712')]);
});

test('a call that has lost its record is offered the one that it had', async () => {
  candidates.push({ record: linked('9'), name: 'Ana' });
  await open({}, { mayChoose: true, formerRecord: linked('4711') });
  await press('popup_chooseRecord');
  await takeTheThird(1);
});

test('a call that several records may be of is not logged once the agent says so', async () => {
  await open({ entry: { state: 'needsAgent', system: '', reason: 'severalRecords' } });
  await press('entry_noLog');
  expect(document.querySelector('[role=status]')!.textContent).toBe('entry_none');
  expect(labels()).toEqual(['popup_chooseRecord']);
});

test('a call that was not to be logged is shown on the record that it got elsewhere', async () => {
  await open({ record: linked('4711') });
  await press('entry_noLog');
  await update({});
  expect(document.body.textContent).toContain('entry_none');
  await update({ record: linked('4800') });
  expect(document.querySelector('a')?.href).toBe('https://crm.example/4800');
  expect(document.body.textContent).not.toContain('entry_none');
});

test('an entry in a state that only a newer relay knows is shown as waiting', async () => {
  const entry = { state: 'translating' as EntryState, system: 'rt' };
  await open({ record: linked('4711'), entry });
  expect(document.querySelector('[role=status]')!.textContent).toContain('entry_waiting');
});

test('the focus stays in the choice of a record when a button goes with its press', async () => {
  await open({ record: linked('4711') });
  await press('entry_otherRecord');
  expect(await pressByKey('entry_logOn ticket 4712 · rt')).toBe('entry_otherRecord');
  expect(await pressByKey('entry_noLog')).toBe('popup_chooseRecord');
  expect(await pressByKey('popup_undo')).toBe('entry_otherRecord');
});
