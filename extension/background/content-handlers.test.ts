import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';

vi.mock('webextension-polyfill', () => import('../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');

const { contentHandlers } = await import('./content-handlers.ts');
const { applyNamesEvent, forgetKnownNumbers } = await import('./numbers/known-numbers.ts');
const { readSettings, updateSettings } = await import('./settings/settings-store.ts');
const { writeSecret } = await import('./settings/secrets.ts');

let asked: string[] = [];
vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
  const { numbers } = JSON.parse(body as string) as { numbers: string[] };
  asked.push(...numbers);
  const names = [{ name: 'Ana Prado', source: 'crm' }];
  return Response.json({ epoch: '1', numbers: numbers.map((number) => ({ number, names, count: 1 })) });
});

beforeEach(async () => {
  const relayUrl = 'http://127.0.0.1:8787';
  await updateSettings((own) => ({ ...own, connection: { ...own.connection, relayUrl } }));
  await writeSecret('agentKey', 'dmk_agent', (await readSettings()).settings);
  forgetKnownNumbers();
  asked = [];
});

const numberAt = (n: number) => `+55 48 3222-${1000 + n}`;
const tip = async (n: number, tabId: number, frameId = 0) => {
  const sender = { tabId, frameId, url: 'https://crm.example/' };
  const reply = await contentHandlers['content.tip']({ display: numberAt(n) }, sender);
  return reply.ok && reply.value.words;
};

test('replies at once with a name that a new lease leaves right, then with the rest', async () => {
  expect(await tip(0, 9)).toBe('Ana Prado');
  applyNamesEvent({ epoch: '2', leasesOnly: true });
  const sender = { tabId: 9, frameId: 0, url: 'https://crm.example/' };
  const first = await contentHandlers['content.tip']({ display: numberAt(0) }, sender);
  expect(first).toEqual({ ok: true, value: { words: 'Ana Prado', isPartial: true } });
  expect(asked).toHaveLength(1);
  const rest = await contentHandlers['content.tip']({ display: numberAt(0), isNameShown: true }, sender);
  expect(rest).toEqual({ ok: true, value: { words: 'Ana Prado' } });
  expect(asked).toHaveLength(2);
});

test('asks for sixty numbers of a tab in a minute, whatever frame wants more', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  for (let n = 0; n < 60; n++) expect(await tip(n, 1)).toBe('Ana Prado');
  expect(await tip(60, 1)).toBe('');
  expect(await tip(61, 1, 7)).toBe('');
  expect(asked).toHaveLength(60);
  expect(await tip(3, 1)).toBe('Ana Prado');
  // Another form of a number is the same number.
  const sender = { tabId: 1, frameId: 0, url: 'https://crm.example/' };
  const other = await contentHandlers['content.tip']({ display: '+554832221004' }, sender);
  expect(other).toEqual({ ok: true, value: { words: 'Ana Prado' } });
  expect(await tip(62, 2)).toBe('Ana Prado');
  vi.advanceTimersByTime(60_000);
  expect(await tip(60, 1)).toBe('Ana Prado');
  vi.useRealTimers();
});
