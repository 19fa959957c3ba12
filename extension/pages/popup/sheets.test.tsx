// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { completeJsdom } from '../../../testing/extension/complete-jsdom.ts';
import { publishChange } from '../../../testing/extension/page-changes.ts';
import { sampleEntry } from '../../gallery/states/samples.ts';
import { ok, refuse } from '../../messages/result.ts';

vi.mock('webextension-polyfill', async () => {
  const { onMessage } = await import('../../../testing/extension/page-changes.ts');
  return { default: { runtime: { onMessage } } };
});
let replies: Record<string, unknown>;
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string) => replies[type] ?? ok(null),
}));
const { CallSheets } = await import('./sheets.tsx');

completeJsdom();
const sheet = (id: string) => ({
  ...{ id, name: id, total: 2, mayDelete: true },
  counts: { open: 2, called: 0, done: 0, doNotCall: 0, duplicate: 0 },
});
const item = { id: 1, number: '+554832221000', name: 'Ana', state: 'open', attempts: 0 };
const wanted = sampleEntry('+55 48 3222-1000', { talkSeconds: 84, item: { sheet: 'a', id: 13 } });

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!;
const isThere = (selector: string) => eventually(() => expect(find(selector)).not.toBeNull());
async function press(selector: string): Promise<void> {
  find(selector).focus();
  await act(async () => find(selector).click());
}
async function list(ids: readonly string[], current?: string): Promise<void> {
  replies['page.sheets'] = ok({ sheets: ids.map(sheet), current });
  await act(async () => publishChange('sheets'));
}
async function open(ids: readonly string[], current?: string, more = {}): Promise<void> {
  replies = { 'page.sheets': ok({ sheets: ids.map(sheet), current }), 'page.knownNumbers': ok([{}]) };
  replies['page.claimItem'] = ok({ sheet: sheet('a'), item, display: item.number });
  await act(async () =>
    render(
      <CallSheets
        last={undefined}
        isBusy={false}
        disabled={false}
        onDial={async () => undefined}
        {...more}
      />,
      document.body,
    ),
  );
}
beforeEach(() => render(null, document.body));

test('the focus goes from the Stop of a sheet to the title of the sheets', async () => {
  await open(['a', 'b'], 'a');
  await isThere('#next-item');
  await press('.stop-sheet');
  await list(['a', 'b']);
  await isThere('.start-sheet');
  expect(document.activeElement!.id).toBe('sheets-title');
});

test('the focus goes from a deleted sheet to the title of the sheets', async () => {
  await open(['a', 'b']);
  await isThere('[data-id=a] .delete-sheet');
  find('[data-id=a] .delete-sheet').focus();
  await list(['b']);
  await eventually(() => expect(find('[data-id=a]')).toBeNull());
  expect(document.activeElement!.id).toBe('sheets-title');
});

test('each button in the list of sheets has a name of its own', async () => {
  await open(['a', 'b']);
  await isThere('[data-id=b] .delete-sheet');
  const names = [...document.querySelectorAll('.sheets button')].map(({ ariaLabel }) => ariaLabel);
  expect(names).toEqual(['Start: a', 'Delete: a', 'Start: b', 'Delete: b']);
});

test('the focus stays in the sheet when its last due person is skipped', async () => {
  await open(['a'], 'a');
  await isThere('.skip-item');
  replies['page.claimItem'] = ok({ sheet: sheet('a') });
  await press('.skip-item');
  await eventually(() => expect(find('.skip-item')).toBeNull());
  expect(document.activeElement!.className).toBe('sheet-progress');
});

test('a person stays with the reason where the relay does not take the skipped one back', async () => {
  await open(['a'], 'a');
  await isThere('.skip-item');
  replies['page.skipItem'] = refuse('relayOffline');
  await press('.skip-item');
  await eventually(() => expect(find('[role=alert]').textContent).toContain('The relay does not answer.'));
  expect(find('#next-item')).not.toBeNull();
  replies['page.skipItem'] = ok(null);
  await press('.skip-item');
  await eventually(() => expect(find('[role=alert]')).toBeNull());
});

test('a skipped person who is the only one due stays, with a line that says so', async () => {
  await open(['a'], 'a');
  await isThere('.skip-item');
  await press('.skip-item');
  await eventually(() => expect(find('#sheets').textContent).toContain('No one else is due now.'));
  replies['page.claimItem'] = ok({ sheet: sheet('a'), item: { ...item, id: 2 }, display: item.number });
  await press('.skip-item');
  await eventually(() => expect(find('#sheets').textContent).not.toContain('No one else is due now.'));
});

test('a person who was skipped in the panel of another window is not offered here any more', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await open(['a'], 'a');
  await act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
  expect(find('#next-item').textContent).toContain('Ana');
  replies['page.claimItem'] = ok({ sheet: sheet('a'), item: { ...item, id: 2, name: 'Rui' } });
  await act(async () => publishChange('item'));
  await act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
  expect(find('#next-item').textContent).toContain('Rui');
});

test('a sheet that was deleted meanwhile offers to stop, not to try again', async () => {
  await open(['a'], 'a');
  await isThere('.skip-item');
  replies['page.claimItem'] = refuse('sheetGone');
  await press('.skip-item');
  await eventually(() => expect(find('[role=alert]').textContent).toBe('This sheet was deleted.'));
  expect([...document.querySelectorAll('button')].map(({ className }) => className)).toEqual([
    'plain stop-sheet',
  ]);
});

test('the focus stays in the sheet when the agent goes on without an outcome', async () => {
  await open(['a'], 'a', { last: wanted });
  await isThere('.without-outcome');
  replies['page.claimItem'] = ok({ sheet: sheet('a') });
  await press('.without-outcome');
  expect(find('.without-outcome')).toBeNull();
  expect(document.activeElement!.className).toBe('sheet-progress');
});

test('a sheet that a colleague has made appears in a panel that is open', async () => {
  vi.useFakeTimers();
  await open([]);
  await act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
  expect(find('.empty')).not.toBeNull();
  replies['page.sheets'] = ok({ sheets: [sheet('b')] });
  await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
  expect(find('[data-id=b]')).not.toBeNull();
  vi.useRealTimers();
});

test('the next person stays while the relay does not answer for the sheets', async () => {
  await open(['a'], 'a');
  await isThere('#next-item');
  replies['page.sheets'] = refuse('relayOffline');
  await act(async () => publishChange('sheets'));
  await eventually(() => expect(find('#next-item')).not.toBeNull());
  expect(find('[role=alert]')).toBeNull();
});

test('Stop leaves the sheet while the relay does not answer, Start goes on with it', async () => {
  await open(['a', 'b'], 'a');
  await isThere('#next-item');
  for (const type of ['page.sheets', 'page.releaseItem', 'page.claimItem'])
    replies[type] = refuse('relayOffline');
  await act(async () => publishChange('sheets'));
  await press('.stop-sheet');
  await isThere('.start-sheet');
  await act(async () => publishChange('sheets'));
  expect(find('[role=alert]').textContent).toContain('The relay does not answer.');
  expect(find('.stop-sheet')).toBeNull();
  await press('[data-id=a] .start-sheet');
  await isThere('.stop-sheet');
});

test('the next person is there half a minute after a claim that the relay did not answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await open(['a'], 'a');
  await act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
  expect(find('#next-item')).not.toBeNull();
  const claimed = replies['page.claimItem'];
  replies['page.claimItem'] = refuse('relayOffline');
  await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
  expect(find('#next-item')).toBeNull();
  replies['page.claimItem'] = claimed;
  await act(async () => void (await vi.advanceTimersByTimeAsync(30_000)));
  expect(find('#next-item')).not.toBeNull();
});

test.each([
  [true, 'The next person appears here after this call.'],
  [false, ''],
])('a sheet names a call as what it waits for only during one: %s', async (isBusy, words) => {
  await open(['a'], 'a', { disabled: true, isBusy });
  await isThere('.stop-sheet');
  expect(find('.chosen-sheet > [role=status]').textContent).toBe(words);
  expect(find('#next-item')).toBeNull();
});

test('a person who is offered again after a call that was refused leaves the focus', async () => {
  await open(['a'], 'a');
  await isThere('#next-item');
  find('#next-item').blur();
  await open(['a'], 'a', { disabled: true });
  await eventually(() => expect(find('#next-item')).toBeNull());
  await open(['a'], 'a');
  await isThere('#next-item');
  expect(document.activeElement).toBe(document.body);
});

test('a person who becomes due leaves the focus to a button elsewhere in the panel', async () => {
  await open(['a'], 'a', { disabled: true });
  await isThere('.stop-sheet');
  const elsewhere = document.body.appendChild(document.createElement('button'));
  onTestFinished(() => elsewhere.remove());
  elsewhere.focus();
  await open(['a'], 'a');
  await isThere('#next-item');
  expect(document.activeElement).toBe(elsewhere);
});
