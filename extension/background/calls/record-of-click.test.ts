import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Runtime } from 'webextension-polyfill';
import { newCallId } from '../../../shared/call/call.ts';
import { defaultRules } from '../../../shared/protocol/rules.ts';
import { alarms, session } from '../../../testing/extension/browser-api.ts';
import { Settings } from '../../settings.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('../ui/menus.ts', () => ({}));
vi.stubGlobal('__BROWSER__', 'chrome');
vi.stubGlobal('chrome', { declarativeNetRequest: { updateSessionRules: async () => {} } });

interface Sent {
  path: string;
  body: Record<string, unknown>;
  id: string;
}
let sent: Sent[] = [];
let answer: (request: Sent) => Response;
vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
  if (url.endsWith('/v1/events')) return new Promise<Response>(() => {});
  const headers = init.headers as Record<string, string>;
  const body = JSON.parse(String(init.body ?? '{}'));
  const request = { path: new URL(url).pathname, body, id: headers['idempotency-key'] ?? '' };
  sent.push(request);
  return answer(request);
});

const { contentHandlers } = await import('../content-handlers.ts');
const { contentSender } = await import('../senders.ts');
const { pageHandlers } = await import('../page-handlers.ts');
const { redialChoices } = await import('../../pages/parts/redial-input.ts');
const { toHistoryEntry } = await import('./call-words.ts');
const { getCall } = await import('./call-store.ts');
const { keepRules, recordAtAddress, refreshRules, teamRules } = await import('./team-rules.ts');
const { database } = await import('../database.ts');
const { readSettings, updateSettings } = await import('../settings/settings-store.ts');
const { writeSecret } = await import('../settings/secrets.ts');

const relay = 'https://relay.example';
const origin = 'https://crm.example';
const templates = [{ system: 'rt', origin, pattern: '/tickets/{id}', kind: 'ticket' }];
const ticket = (id: string) => ({ system: 'rt', kind: 'ticket', id });
const shown = { display: '+55 48 3322-4455', to: '4833224455' };
const source = { text: '(48) 3322-4455', contextWords: 'none' as const };

const configure = async (connection: object) => {
  const sites = { enabled: ['crm.example', 'mail.example'] };
  await updateSettings(() => Settings.parse({ connection, agent: { from: '1105' }, sites }));
  const { settings } = await readSettings();
  await writeSecret('agentKey', 'agent-key', settings);
  await writeSecret('serviceToken', 'service-token', settings);
};
const callFor = ({ id, body }: Sent, fields: object = {}) => ({
  id,
  from: '1105',
  to: body.to,
  state: 'disconnected',
  createdAt: '2026-11-21T10:00:00Z',
  revision: 1,
  ...fields,
});

/** Of the frame at `url` in a tab that shows `page`. */
async function senderOf(page: string | undefined, url = page) {
  const sender = { id: 'own', tab: { id: 1, url: page }, url, frameId: url === page ? 0 : 3 };
  return (await contentSender(sender as unknown as Runtime.MessageSender))!;
}
const dial = async (page: string, fields: object = {}) =>
  contentHandlers['content.dial']({ click: newCallId(), source, shown, ...fields }, await senderOf(page));
const placed = (reply: Awaited<ReturnType<typeof dial>>) => (reply.ok ? reply.value : expect.unreachable());
const shownAt = async (page: string | undefined, url = page, links?: string[]) => {
  const { value } = (await contentHandlers['content.record']({ links }, await senderOf(page, url))) as {
    value: { label: string };
  };
  return value.label;
};

beforeEach(async () => {
  await (await database()).clear('calls');
  session.clear();
  alarms.clear();
  await configure({ relayUrl: relay });
  await keepRules(relay, { ...defaultRules, templates });
  sent = [];
  answer = (request) => Response.json(callFor(request), { status: 201 });
});

test.each([
  ['the page of a ticket', `${origin}/tickets/4711?tab=2`, undefined, 'ticket 4711 · rt'],
  ['a list of tickets', `${origin}/tickets`, undefined, ''],
  ['a ticket of another host', 'https://mail.example/tickets/4711', undefined, ''],
  ['a frame in a ticket', `${origin}/tickets/4711`, 'https://mail.example/tickets/9', 'ticket 4711 · rt'],
  [
    'a ticket in a frame of a page that is not enabled',
    'https://portal.example/',
    `${origin}/tickets/4711`,
    'ticket 4711 · rt',
  ],
  ['a ticket in a frame whose page the browser hides', '', `${origin}/tickets/4711`, 'ticket 4711 · rt'],
])('%s names its record', async (_what, page, frame, label) => {
  expect(await shownAt(page || undefined, frame ?? page)).toBe(label);
});

test('a ticket at an address that policy adds is the record that the relay knows', async () => {
  const inside = 'http://crm.lan:3000';
  const added = { templates: [{ ...templates[0]!, origin: inside }], outcomes: [] };
  const sites = { enabled: ['crm.lan'] };
  await updateSettings((own) => ({ ...own, records: added, sites: { ...own.sites, ...sites } }));
  expect(await shownAt(`${inside}/tickets/4711`)).toBe('ticket 4711 · rt');
  await dial(`${inside}/tickets/4711`, { record: ticket('4711') });
  expect(sent.find(({ path }) => path === '/v1/calls')?.body.record).toEqual(ticket('4711'));
});

test('a ticket around a frame is no record where its page is not enabled', async () => {
  await updateSettings((own) => ({ ...own, sites: { ...own.sites, enabled: ['mail.example'] } }));
  expect(await shownAt(`${origin}/tickets/4711`, 'https://mail.example/')).toBe('');
});

const list = `${origin}/tickets`;
test.each([
  ['one record', list, [list, `${list}/7`], 'from the page: ticket 7 · rt'],
  ['one record twice', list, [`${list}/7`, `${list}/7?edit=1`], 'from the page: ticket 7 · rt'],
  ['two records', list, [`${list}/7`, `${list}/8`], ''],
  ['a record, in a frame of another origin', 'https://mail.example/', [`${list}/7`], ''],
  ['another record than its page', `${list}/4711`, [`${list}/7`], 'ticket 4711 · rt'],
])('a row that links to %s', async (_what, page, links, label) => {
  expect(await shownAt(page, page, links)).toBe(label);
});

test('a click in a list sends the record that its row links to', async () => {
  await dial(list, { links: [`${list}/7`], record: ticket('7') });
  expect(sent.map(({ body }) => body.record)).toEqual([ticket('7')]);
});

test('a click on a row that links to another record since is asked about', async () => {
  expect(await dial(list, { links: [`${list}/8`], record: ticket('7') })).toMatchObject({
    error: { code: 'confirmFirst', record: ticket('8') },
  });
  expect(await dial(list, { links: [`${list}/7`, `${list}/8`], record: ticket('7') })).toMatchObject({
    error: { code: 'confirmFirst', record: null },
  });
  expect(sent).toEqual([]);
});

test('a click sends the relay the record of its page', async () => {
  const { id } = placed(await dial(`${origin}/tickets/4711`, { record: ticket('4711') }));
  expect(sent.map(({ body }) => body.record)).toEqual([ticket('4711')]);
  expect((await getCall(id))?.record).toEqual(ticket('4711'));
});

test('a click before the record was shown is dialled, its record asked for after the call', async () => {
  const { id } = placed(await dial(`${origin}/tickets/4711`));
  expect(sent[0]?.body.record).toEqual({ choose: 'recordNotShown' });
  expect(toHistoryEntry((await getCall(id))!).formerRecord).toEqual(ticket('4711'));
});

test.each([
  [
    'another record',
    `${origin}/tickets/4712`,
    ticket('4711'),
    'Before: ticket 4711 · rt. Now: ticket 4712 · rt.',
  ],
  ['no record any more', `${origin}/tickets`, ticket('4711'), 'Before: ticket 4711 · rt. Now: –.'],
  ['a record where none was', `${origin}/tickets/4712`, null, 'Before: –. Now: ticket 4712 · rt.'],
])(
  'a page that shows %s since is asked about, whatever the script says',
  async (_what, page, record, names) => {
    const now = (await recordAtAddress(page)) ?? null;
    for (const confirmed of [false, true])
      expect(await dial(page, { record, confirmed })).toMatchObject({
        error: { code: 'confirmFirst', detail: expect.stringContaining(names), record: now },
      });
    expect(sent).toEqual([]);
    expect(await dial(page, { record: now, confirmed: true })).toMatchObject({ ok: true });
    expect(sent.map(({ body }) => body.record ?? null)).toEqual([now]);
  },
);

test('a record that the relay no longer knows is chosen by the agent after the call', async () => {
  answer = (request) =>
    Object.hasOwn(request.body.record ?? {}, 'system')
      ? Response.json({ type: 't', title: 't', status: 422, code: 'recordUnknown' }, { status: 422 })
      : Response.json(callFor(request), { status: 201 });
  expect(await dial(`${origin}/tickets/4711`, { record: ticket('4711') })).toMatchObject({ ok: true });
  expect(sent.map(({ body }) => body.record)).toEqual([ticket('4711'), { choose: 'recordUnknown' }]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
});

test('a redial is about the record of the call that it repeats', async () => {
  answer = (request) => {
    const record = request.body.record && { ...ticket('4711'), url: `${origin}/tickets/4711` };
    return Response.json(callFor(request, { record }), { status: 201 });
  };
  const { id } = placed(await dial(`${origin}/tickets/4711`, { record: ticket('4711') }));
  const choices = redialChoices(toHistoryEntry((await getCall(id))!));
  await (await database()).clear('calls');
  await pageHandlers['page.dial']({ click: newCallId(), input: shown.display, ...choices });
  expect(sent[1]?.body.record).toEqual(ticket('4711'));
});

const direct = { mode: 'direct', direct: { primaryUrl: 'https://one.example/api', returnTo: 'relay' } };
const trying = { status: 'OK', callstatus: 'Trying', message: 'Call in Progress', callid: 'c1' };

test('a call that is announced to the relay has its record', async () => {
  await configure({ relayUrl: relay, ...direct });
  answer = (request) =>
    request.path === '/v1/calls'
      ? Response.json(
          { call: callFor(request, { state: 'initiating' }), returnUrl: `${relay}/v1/return/x` },
          { status: 201 },
        )
      : Response.json(trying);
  await dial(`${origin}/tickets/4711`, { record: ticket('4711') });
  expect(sent.find(({ path }) => path === '/v1/calls')?.body.record).toEqual(ticket('4711'));
});

test('a call without a relay has no record', async () => {
  await configure(direct);
  answer = () => Response.json(trying);
  expect(await shownAt(`${origin}/tickets/4711`)).toBe('');
  const { id } = placed(await dial(`${origin}/tickets/4711`));
  expect((await getCall(id))?.record).toBeUndefined();
});

test('the rules of a relay are kept while it does not answer', async () => {
  const rules = { ...defaultRules, templates: [{ ...templates[0]!, pattern: '/t/{id}' }] };
  answer = () => Response.json(rules);
  await refreshRules();
  expect(sent.map(({ path }) => path)).toEqual(['/v1/rules']);
  expect(await teamRules()).toEqual(rules);
  answer = () => new Response('busy', { status: 503 });
  await refreshRules();
  expect(await teamRules()).toEqual(rules);
});

test('the rules of another relay than the one that is set are not used', async () => {
  await configure({ relayUrl: 'https://other.example' });
  expect(await teamRules()).toBeUndefined();
});
