// @vitest-environment jsdom
import { options, render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import type { HistoryEntry } from '../../messages/views.ts';

interface Sent {
  fields: { search?: string; before?: string };
  reply(entries: readonly string[], next?: string): Promise<void>;
  fail(): Promise<void>;
}
const sent = vi.hoisted((): Sent[] => []);
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { onMessage: { addListener() {}, removeListener() {} } } },
}));
const entry = (id: string) =>
  ({ id, call: { createdAt: `2026-05-04T0${id.length}:00:00Z` } }) as HistoryEntry;
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: (_type: string, fields: Sent['fields']) =>
    new Promise((resolve) =>
      sent.push({
        fields,
        reply: (ids, next) =>
          act(async () => resolve({ ok: true, value: { entries: ids.map(entry), ...(next && { next }) } })),
        fail: () => act(async () => resolve({ ok: false, error: { code: 'internal' } })),
      }),
    ),
}));
const { useHistory } = await import('./use-history.ts');

// Effects at once: a later one would meet a document that is gone.
options.requestAnimationFrame = queueMicrotask;
const root = document.createElement('div');
let history: ReturnType<typeof useHistory>;
function History({ search }: { search: string }) {
  history = useHistory([], search === '' ? {} : { search });
  return null;
}
const show = (search: string) => act(() => render(<History search={search} />, root));
const shown = () => history.shown.map(({ id }) => id);

beforeEach(() => {
  render(null, root);
  sent.length = 0;
});

test('a late reply never overwrites the list of a newer search', async () => {
  await show('one');
  await show('two');
  await sent[1]!.reply(['two']);
  await sent[0]!.reply(['one']);
  expect(shown()).toEqual(['two']);
});

test('older calls of an earlier search never join the list of a newer one', async () => {
  await show('one');
  await sent[0]!.reply(['one'], '2026-05-01');
  void history.more();
  await show('two');
  await sent[2]!.reply(['two']);
  await sent[1]!.reply(['older']);
  expect(sent[1]!.fields).toEqual({ search: 'one', before: '2026-05-01' });
  expect(shown()).toEqual(['two']);
});

test('older calls never stay in the list after its search was cleared', async () => {
  await show('one');
  await sent[0]!.reply(['one'], '2026-05-01');
  void history.more();
  await show('');
  await sent[1]!.reply(['older']);
  expect(shown()).toEqual([]);
});

test('a search that failed is not one that found nothing', async () => {
  await show('one');
  expect(history).toMatchObject({ state: 'loading', shown: [] });
  await sent[0]!.fail();
  expect(history).toMatchObject({ state: 'failed', shown: [] });
  await act(() => void history.retry());
  expect(history.state).toBe('loading');
  await sent[1]!.reply([]);
  expect(history).toMatchObject({ state: 'read', shown: [] });
});

test('older calls that could not be read leave the list as it was', async () => {
  await show('one');
  await sent[0]!.reply(['one'], '2026-05-01');
  void history.more();
  await sent[1]!.fail();
  expect(history).toMatchObject({ state: 'failed', hasMore: true });
  expect(shown()).toEqual(['one']);
  await act(() => void history.more());
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
