/** Firefox asks each question of the guard on our own page, which must know what the marked page knew. */
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { newCallId } from '../../shared/call/call.ts';
import browser from '../../testing/extension/browser-api.ts';
import { readAsked } from '../asked-number.ts';
import { Settings } from '../settings.ts';

vi.mock('webextension-polyfill', () => import('../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'firefox');
Object.assign(browser, {
  action: { setBadgeText() {}, setBadgeBackgroundColor() {}, setTitle() {} },
});
/** What each page of ours that opened asks to call. */
const asked: ReturnType<typeof readAsked>[] = [];
Object.assign(browser.tabs, {
  create: async ({ url }: { url: string }) => {
    asked.push(readAsked(url.slice(url.indexOf('?'))));
    return { id: 2 };
  },
});
vi.stubGlobal('fetch', async (url: string, { method, headers, body }: RequestInit = {}) => {
  if (url.endsWith('/v1/events')) return new Promise<Response>(() => {});
  if (method !== 'POST') return Response.json({ calls: [] });
  const { to } = JSON.parse(String(body));
  const id = new Headers(headers).get('idempotency-key');
  const ended = { state: 'disconnected', reason: 'hangUp', createdAt: '2026-11-21T10:00:00Z', revision: 1 };
  return Response.json({ id, from: '1105', to, ...ended }, { status: 201 });
});
const { contentHandlers } = await import('./content-handlers.ts');
const { pageHandlers } = await import('./page-handlers.ts');
const { database } = await import('./database.ts');
const { readSettings, updateSettings } = await import('./settings/settings-store.ts');
const { writeSecret } = await import('./settings/secrets.ts');

beforeEach(async () => {
  asked.length = 0;
  const stored = await database();
  await Promise.all([stored.clear('calls'), stored.clear('readings')]);
  await updateSettings(() =>
    Settings.parse({
      connection: { relayUrl: 'https://relay.example' },
      agent: { from: '1105', askAgainSeconds: 0 },
      numbers: { country: 'BR', areaCode: '48', extensions: [], dialRules: [] },
    }),
  );
  await writeSecret('agentKey', 'agent-key', (await readSettings()).settings);
});

const sender = { tabId: 1, frameId: 0, url: 'https://crm.example/' };

async function findOn(written: string) {
  const found = await contentHandlers['content.find']({ texts: [`Telefone: ${written}`] }, sender);
  return found.ok ? found.value[0]! : [];
}

/** A click on a number of a page. @returns the code of its refusal, where it was refused. */
async function clickOn(written: string, isAskedElsewhere = false): Promise<string | undefined> {
  const [found] = await findOn(written);
  const { source, number } = found!;
  const shown = { display: number.display, to: number.to };
  const request = { click: newCallId(), source, shown, name: 'Ana', isAskedElsewhere };
  const reply = await contentHandlers['content.dial'](request, sender);
  return reply.ok ? undefined : reply.error.code;
}

async function judgedOnOurPage() {
  const { input, onPage } = asked.at(-1)!;
  const judged = await pageHandlers['page.judge']({ input, onPage });
  return judged.ok ? judged.value : undefined;
}

test('the answer about a number without an area code is remembered', async () => {
  expect(await clickOn('3322-4455')).toBe('confirmElsewhere');
  const { input, onPage, name } = asked[0]!;
  expect(name).toBe('Ana');
  const { display, to, reason } = (await judgedOnOurPage())!;
  const placed = await pageHandlers['page.dial']({
    ...{ click: newCallId(), input, onPage },
    ...{ shown: { display, to }, confirmedReason: reason },
  });
  expect(placed).toMatchObject({ ok: true, value: { display: '+55 48 3322-4455' } });
  await (await database()).clear('calls');
  expect(await clickOn('3322-4455')).toBeUndefined();
});

test('both readings of a doubtful number are offered', async () => {
  expect(await clickOn('(415) 555-0132')).toBe('confirmElsewhere');
  expect(await judgedOnOurPage()).toMatchObject({ isDoubtful: true });
});

test('the extension behind a number is kept', async () => {
  expect(await clickOn('(48) 3222-1000 ramal 227', true)).toBe('confirmElsewhere');
  expect(await judgedOnOurPage()).toMatchObject({ display: '+55 48 3222-1000', extension: '227' });
});
