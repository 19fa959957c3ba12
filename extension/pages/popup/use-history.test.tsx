// @vitest-environment jsdom
import { options, render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { publishChange } from '../../../testing/extension/page-changes.ts';
import type { HistoryEntry } from '../../messages/views.ts';

interface Sent {
  fields: { search?: string; before?: string };
  reply(entries: readonly string[], next?: string): Promise<void>;
  fail(): Promise<void>;
}
const sent = vi.hoisted((): Sent[] => []);
vi.mock('webextension-polyfill', async () => {
  const { onMessage } = await import('../../../testing/extension/page-changes.ts');
  return { default: { runtime: { onMessage } } };
});
/** A call by its time: `12:30`. */
const entry = (id: string) => ({ id, call: { createdAt: timeOf(id) } }) as HistoryEntry;
const timeOf = (id: string) => `2026-05-04T${id}`;
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: (_type: string, fields: Sent['fields']) =>
    new Promise((resolve) =>
      sent.push({
        fields,
        reply: (ids, next) =>
          settled(() => resolve({ ok: true, value: { entries: ids.map(entry), ...(next && { next }) } })),
        fail: () => settled(() => resolve({ ok: false, error: { code: 'internal' } })),
      }),
    ),
}));
/** Makes a change, and waits until the requests that follow from it are sent. */
async function settled(change: () => void): Promise<void> {
  await act(change);
  await act(() => new Promise<void>((resolve) => setTimeout(resolve)));
}
const { useHistory } = await import('./use-history.ts');

// Effects at once: a later one would meet a document that is gone.
options.requestAnimationFrame = queueMicrotask;
const root = document.createElement('div');
let history: ReturnType<typeof useHistory>;
function History({ search, recent = [] }: { search: string; recent?: readonly string[] }) {
  history = useHistory(recent.map(entry), search === '' ? {} : { search });
  return null;
}
const show = (search: string, recent?: readonly string[]) =>
  settled(() => render(<History search={search} recent={recent ?? []} />, root));
const more = () => settled(() => void history.more());
const changed = () => settled(() => publishChange('calls'));
const shown = () => history.shown.map(({ id }) => id);

beforeEach(() => {
  render(null, root);
  sent.length = 0;
});

test('a late reply never overwrites the list without a search', async () => {
  await show('one');
  await show('', ['12']);
  await sent[0]!.reply(['one']);
  expect(shown()).toEqual(['12']);
});

test('of searches typed letter by letter, only the last is read behind the first', async () => {
  for (const typed of ['o', 'on', 'one']) await show(typed);
  expect(sent.map(({ fields }) => fields.search)).toEqual(['o']);
  await sent[0]!.reply(['other']);
  expect(sent.map(({ fields }) => fields.search)).toEqual(['o', 'one']);
  expect(shown()).toEqual([]);
  await sent[1]!.reply(['one']);
  expect(shown()).toEqual(['one']);
});

test('older calls of an earlier search never join the list of a newer one', async () => {
  await show('one');
  await sent[0]!.reply(['one'], '2026-05-01');
  await more();
  await show('two');
  await sent[1]!.reply(['older']);
  await sent[2]!.reply(['two']);
  expect(sent[1]!.fields).toEqual({ search: 'one', before: '2026-05-01' });
  expect(shown()).toEqual(['two']);
});

test('older calls never stay in the list after its search was cleared', async () => {
  await show('one');
  await sent[0]!.reply(['one'], '2026-05-01');
  await more();
  await show('');
  await sent[1]!.reply(['older']);
  expect(shown()).toEqual([]);
});

test('a search that failed is not one that found nothing', async () => {
  await show('one');
  expect(history).toMatchObject({ state: 'loading', shown: [] });
  await sent[0]!.fail();
  expect(history).toMatchObject({ state: 'failed', shown: [] });
  await settled(() => history.retry());
  expect(history.state).toBe('loading');
  await sent[1]!.reply([]);
  expect(history).toMatchObject({ state: 'read', shown: [] });
});

test('older calls that could not be read leave the list as it was', async () => {
  await show('one');
  await sent[0]!.reply(['one'], '2026-05-01');
  await more();
  await sent[1]!.fail();
  expect(history).toMatchObject({ state: 'failed', hasMore: true });
  expect(shown()).toEqual(['one']);
  await more();
  await sent[2]!.reply(['older']);
  expect(history.state).toBe('read');
  expect(shown()).toEqual(['one', 'older']);
});

test('a failed search leaves nothing of itself once it was cleared', async () => {
  await show('one');
  await sent[0]!.fail();
  await show('');
  expect(history.state).toBe('read');
});

test('a new call leaves no gap before the older calls', async () => {
  await show('', ['12', '11']);
  await more();
  await sent[0]!.reply(['12', '11', '10'], timeOf('10'));
  await show('', ['13', '12']);
  expect(shown()).toEqual(['13', '12', '11', '10']);
  await changed();
  await sent[1]!.reply(['13', '12', '11'], timeOf('11'));
  await sent[2]!.reply(['10', '09']);
  expect(sent.map(({ fields }) => fields.before)).toEqual([undefined, undefined, timeOf('11')]);
  expect(shown()).toEqual(['13', '12', '11', '10', '09']);
});

test('calls that were removed from the history leave the list', async () => {
  await show('', ['12', '11']);
  await more();
  await sent[0]!.reply(['12', '11', '10'], timeOf('10'));
  await more();
  await sent[1]!.reply(['09', '08']);
  await show('', []);
  await changed();
  await sent[2]!.reply([]);
  expect(shown()).toEqual([]);
  expect(sent).toHaveLength(3);
});

test('older calls of a search stay in the list when a call changes', async () => {
  await show('one');
  await sent[0]!.reply(['12', '11'], timeOf('11'));
  await more();
  await sent[1]!.reply(['10', '09'], timeOf('09'));
  await changed();
  await sent[2]!.reply(['12', '11'], timeOf('11'));
  await sent[3]!.reply(['10', '09'], timeOf('09'));
  expect(shown()).toEqual(['12', '11', '10', '09']);
  expect(history.hasMore).toBe(true);
});

test('older calls join the list when a call changes while they are read', async () => {
  await show('', ['12', '11']);
  await more();
  await changed();
  await sent[0]!.reply(['12', '11', '10']);
  await sent[1]!.reply(['12', '11', '10']);
  expect(shown()).toEqual(['12', '11', '10']);
});

test('a second press on older calls reads nothing after the oldest call', async () => {
  await show('one');
  await sent[0]!.reply(['12', '11'], timeOf('11'));
  await settled(() => {
    void history.more();
    void history.more();
  });
  await sent[1]!.reply(['10']);
  expect(sent).toHaveLength(2);
  expect(shown()).toEqual(['12', '11', '10']);
  expect(history.hasMore).toBe(false);
});

test('a list that could not be read again stays, with the problem', async () => {
  await show('', ['12', '11']);
  await more();
  await sent[0]!.reply(['12', '11', '10']);
  await changed();
  await sent[1]!.fail();
  expect(history.state).toBe('failed');
  expect(shown()).toEqual(['12', '11', '10']);
});

test('nothing is read on a change while the newest calls alone are shown', async () => {
  await show('', ['12', '11']);
  await changed();
  expect(sent).toEqual([]);
  expect(history).toMatchObject({ state: 'read' });
});
