import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { newCallId } from '../../../shared/call/call.ts';
import browser, { alarms, session } from '../../../testing/extension/browser-api.ts';
import type { SecretName } from '../../messages/pages.ts';
import { Settings } from '../../settings.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');
const sessionRules = vi.fn(async (_rules: unknown) => {});
vi.stubGlobal('chrome', { declarativeNetRequest: { updateSessionRules: sessionRules } });

const { placeCall, resumeCalls } = await import('./place-call.ts');
const { defaultRules } = await import('../../../shared/protocol/rules.ts');
const { keepRules } = await import('./team-rules.ts');
const { followOpenCalls } = await import('./follow-calls.ts');
const { resolve } = await import('../../../shared/numbers/dial/resolve.ts');
const { getCall, pastCalls } = await import('./call-store.ts');
const { storeCall } = await import('../../../testing/extension/store-call.ts');
const { database } = await import('../database.ts');
const { forgetReadings } = await import('../numbers/chosen-readings.ts');
const { sendOnceDirectly } = await import('./send-once-directly.ts');
const { chooseRoute, routeDigest, forgetReachable } = await import('./route.ts');
const { readSettings, updateSettings } = await import('../settings/settings-store.ts');
const { writeSecret } = await import('../settings/secrets.ts');

/** What went over the network, and what each address answers. The boundary at which these tests stop. */
interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown> | undefined;
}
let sent: Sent[] = [];
let answer: (request: Sent) => Response | Promise<Response>;
vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
  const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
  const request = {
    method: init.method ?? 'GET',
    url,
    headers: (init.headers ?? {}) as Record<string, string>,
    body,
  };
  if (url.endsWith('/v1/events')) return new Promise<Response>(() => {});
  sent.push(request);
  return answer(request);
});

const json = (value: unknown, status = 200) => Response.json(value, { status });
/** The relay's answer to `request`: a Call under the id of the click. */
const relayCall = (request: Sent, fields: object = {}) => ({
  id: request.headers['idempotency-key'] ?? /calls\/([^/]+)/.exec(request.url)?.[1],
  from: '1105',
  to: request.body?.to ?? '4833224455',
  state: 'callingCaller',
  createdAt: '2026-11-21T10:00:00Z',
  acceptedAt: new Date().toISOString(),
  revision: 1,
  ...fields,
});
const trying = () => json({ status: 'OK', callstatus: 'Trying', message: 'Call in Progress', callid: 'c1' });

function click(input = '(48) 3322-4455', fields: object = {}) {
  return { id: newCallId(), source: { kind: 'typed' as const, text: input }, ...fields };
}

const saveSecret = async (name: SecretName, value: string) =>
  writeSecret(name, value, (await readSettings()).settings);

/** Saves settings as an agent does: with the secrets for these addresses. */
async function configure(connection: object, agent: object = {}) {
  await updateSettings(() => Settings.parse({ connection, agent: { from: '1105', ...agent } }));
  await saveSecret('agentKey', 'agent-key');
  await saveSecret('serviceToken', 'service-token');
}
const throughRelay = () => configure({ relayUrl: 'https://relay.example' });
const directly = (direct: object = {}, more: object = {}) =>
  configure({ mode: 'direct', direct: { primaryUrl: 'https://one.example/api', ...direct }, ...more });
const calls = () => sent.filter(({ url }) => new URL(url).pathname.endsWith('/call'));

beforeEach(async () => {
  const db = await database();
  await Promise.all([db.clear('calls'), db.clear('settings'), forgetReadings()]);
  await saveSecret('agentKey', 'agent-key');
  await saveSecret('serviceToken', 'service-token');
  sent = [];
  session.clear();
  alarms.clear();
  sessionRules.mockClear();
});

test('requests a click from the relay once, under its own id', async () => {
  await throughRelay();
  answer = (request) => json(relayCall(request), 201);
  const one = click();
  const reply = await placeCall(one);
  expect(reply).toMatchObject({ ok: true, value: { id: one.id, state: 'callingCaller' } });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    method: 'POST',
    url: 'https://relay.example/v1/calls',
    headers: { authorization: 'Bearer agent-key', 'idempotency-key': one.id },
    body: { to: '4833224455', from: '1105' },
  });
  expect(alarms).toContain('follow');
});

test('says that the phone may ring where the disk fills up after the request was sent', async () => {
  await throughRelay();
  const one = click();
  answer = (request) => {
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('the disk is full', 'QuotaExceededError');
    });
    return json(relayCall(request), 201);
  };
  vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    expect(await placeCall(one)).toEqual({ ok: false, error: { code: 'callNotStored' } });
  } finally {
    vi.restoreAllMocks();
  }
  expect(sent.map(({ method }) => method)).toEqual(['POST']);
});

test('keeps the alarm that a click sets while following clears it', async () => {
  await throughRelay();
  let reply: ((response: Response) => void) | undefined;
  answer = () => new Promise((resolve) => (reply = resolve));
  const { clear } = browser.alarms;
  let placed: Promise<unknown> | undefined;
  vi.spyOn(browser.alarms, 'clear').mockImplementationOnce(async (name) => {
    placed = placeCall(click());
    await vi.waitUntil(() => alarms.has('follow'), { interval: 1, timeout: 60_000 });
    return clear(name);
  });
  await followOpenCalls();
  expect(alarms).toContain('follow');
  await vi.waitUntil(() => reply, { timeout: 60_000 });
  reply!(json(relayCall(sent[0]!), 201));
  expect(await placed).toMatchObject({ ok: true });
});

test('refuses a click on digits or a display other than what the judged number has now', async () => {
  await throughRelay();
  answer = (request) => json(relayCall(request), 201);
  const shown = { display: '+55 48 3322-4455', to: '4833224455' };
  for (const other of [{ to: '4833224456' }, { display: '+55 48 3322-4456' }])
    expect(await placeCall(click(undefined, { shown: { ...shown, ...other } }))).toEqual({
      ok: false,
      error: { code: 'numberChanged' },
    });
  expect(sent).toHaveLength(0);
  expect(await placeCall(click(undefined, { shown }))).toMatchObject({ ok: true });
});

describe('a number whose country is doubtful', () => {
  const onPage = (fields: object = {}) => ({
    id: newCallId(),
    source: { kind: 'page' as const, number: { text: '(415) 555-0132', contextWords: 'none' as const } },
    shown: { display: '+1 415-555-0132', to: '0014155550132' },
    ...fields,
  });
  const local = { display: '+55 41 5555-0132', to: '4155550132' };
  const readings = [
    { ...onPage().shown, place: 'United States' },
    { ...local, place: 'Brazil' },
  ];

  test('is asked about, never dialled unasked, with the local reading as the second choice', async () => {
    await throughRelay();
    answer = (request) => json(relayCall(request), 201);
    expect(await placeCall(onPage())).toMatchObject({ ok: false, error: { code: 'confirmFirst', readings } });
    const typed = { id: newCallId(), source: { kind: 'typed' as const, text: 'tel:02079460958' } };
    expect(await placeCall(typed)).toMatchObject({ error: { code: 'confirmFirst' } });
    expect(sent).toHaveLength(0);
  });

  test('is dialled as the reading that was chosen', async () => {
    await throughRelay();
    answer = (request) => json(relayCall(request), 201);
    expect(await placeCall(onPage({ shown: local, confirmed: true }))).toMatchObject({ ok: true });
    expect(sent[0]).toMatchObject({ body: { to: '4155550132' } });
  });

  test('is not asked about again, but another reading than the chosen one is', async () => {
    await throughRelay();
    answer = (request) => json(relayCall(request, { state: 'disconnected' }), 201);
    await placeCall(onPage({ shown: local, confirmed: true }));
    await (await database()).clear('calls');
    expect(await placeCall(onPage())).toMatchObject({
      error: { code: 'confirmFirst', readings: [local, readings[0]] },
    });
    expect(await placeCall(onPage({ shown: local }))).toMatchObject({ ok: true });
    await (await database()).clear('calls');
    await forgetReadings();
    expect(await placeCall(onPage())).toMatchObject({ error: { code: 'confirmFirst', readings } });
  });
});

test('places one call for the same click sent again, also at once', async () => {
  await throughRelay();
  answer = (request) => json(relayCall(request), 201);
  const one = click();
  const replies = await Promise.all([placeCall(one), placeCall(one)]);
  replies.push(await placeCall(one));
  expect(replies.every(({ ok }) => ok)).toBe(true);
  expect(sent).toHaveLength(1);
});

test('refuses a second click while the first is being placed', async () => {
  await throughRelay();
  answer = (request) => json(relayCall(request), 201);
  const replies = await Promise.all([placeCall(click()), placeCall(click())]);
  expect(replies[0]).toMatchObject({ ok: true });
  expect(replies[1]).toMatchObject({ ok: false, error: { code: 'callInProgress' } });
  expect(sent).toHaveLength(1);
});

test('refuses a click right after another that ended at once, also after one that was not placed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await throughRelay();
    answer = () =>
      json({ type: 't', title: 'A valid key is needed', status: 401, code: 'unauthorized' }, 401);
    expect(await placeCall(click())).toMatchObject({ ok: false, error: { code: 'wrongKey' } });
    answer = (request) => json(relayCall(request), 201);
    expect(await placeCall(click())).toMatchObject({ ok: false, error: { code: 'coolDown' } });
    vi.setSystemTime(Date.now() + 2_000);
    expect(await placeCall(click())).toMatchObject({ ok: true });
  } finally {
    vi.useRealTimers();
  }
});

test('repeats a request without an answer under the same id; its call stays unknown', async () => {
  await throughRelay();
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  const one = click();
  expect(await placeCall(one)).toMatchObject({ ok: true, value: { id: one.id, state: 'unknown' } });
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([one.id]));
  expect((await getCall(one.id))?.call).toMatchObject({ state: 'unknown', reason: 'notAnswered' });
});

test.each([
  [json({ type: 't', title: 'A valid key is needed', status: 401, code: 'unauthorized' }, 401), 'wrongKey'],
  // The password that a proxy before the relay asks for is not the key.
  [new Response('<h1>401 Authorization Required</h1>', { status: 401 }), 'relayRefused'],
  [
    json({ type: 't', title: 'No', status: 403, code: 'numberNotAllowed', detail: 'Not abroad.' }, 403),
    'relayRefused',
  ],
  [
    json({ type: 't', title: 'No', status: 400, code: 'invalidFields', callers: ['1105', '1106'] }, 400),
    'chooseExtension',
  ],
])('returns the refusal of the relay as the reason, with nothing placed (%#)', async (response, code) => {
  await throughRelay();
  answer = () => response.clone();
  const one = click();
  expect(await placeCall(one)).toMatchObject({ ok: false, error: { code } });
  expect((await getCall(one.id))?.call).toMatchObject({ state: 'failed', reason: 'notSent' });
  expect((await getCall(one.id))?.open).toBe(0);
});

test('a direct call probes without the token, then sends one request with the documented fields', async () => {
  await directly({}, {});
  answer = ({ method }) => (method === 'HEAD' ? new Response(null, { status: 404 }) : trying());
  expect(await placeCall(click())).toMatchObject({ ok: true, value: { state: 'callingCaller' } });
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'HEAD https://one.example/api',
    'POST https://one.example/api/call',
  ]);
  expect(JSON.stringify(sent[0])).not.toContain('service-token');
  expect(sent[1]).toMatchObject({
    headers: { authorization: 'Bearer service-token', 'content-type': 'application/json' },
    body: { from: '1105', to: '4833224455' },
  });
  expect(Object.keys(sent[1]!.body!).sort()).toEqual(['from', 'to']);
});

test('demands a fresh connection before a direct call is sent, once for each address', async () => {
  const inForce = new Map<number, RegExp>();
  sessionRules.mockImplementation(async (change) => {
    const { removeRuleIds, addRules } = change as {
      removeRuleIds: number[];
      addRules: { id: number; condition: { regexFilter: string } }[];
    };
    for (const id of removeRuleIds) inForce.delete(id);
    for (const { id, condition } of addRules) inForce.set(id, new RegExp(condition.regexFilter));
  });
  const isFresh = (url: string) => [...inForce.values()].some((rule) => rule.test(url));
  const place = async (primaryUrl: string) => {
    await (await database()).clear('calls');
    await directly({ primaryUrl });
    await placeCall(click());
    expect(calls().at(-1)!.url).toBe(`${primaryUrl}/call`);
  };
  answer = ({ method, url }) => {
    if (method !== 'HEAD') expect(isFresh(url)).toBe(true);
    return method === 'HEAD' ? new Response() : trying();
  };
  await place('https://three.example/api');
  await place('https://three.example/api');
  expect(sessionRules).toHaveBeenCalledTimes(1);
  expect(isFresh('https://three.example/api/call?token=x')).toBe(true);
  expect(isFresh('https://threeXexample/api/call')).toBe(false);
  await place('https://four.example');
  // A call to the first address may still be on its way.
  expect(isFresh('https://three.example/api/call')).toBe(true);
  await place('https://three.example/api');
  expect(sessionRules).toHaveBeenCalledTimes(2);
});

test('sends nothing where the browser refuses the rule for a fresh connection, then or later', async () => {
  await directly({ primaryUrl: 'https://five.example' });
  answer = ({ method }) => (method === 'HEAD' ? new Response() : trying());
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const one of [click(), click()]) {
    sessionRules.mockRejectedValueOnce(new Error('refused'));
    await placeCall(one);
    expect((await getCall(one.id))?.call).toMatchObject({ state: 'failed', reason: 'notSent' });
    await (await database()).clear('calls');
  }
  expect(log).toHaveBeenCalledTimes(2);
  log.mockRestore();
  expect(calls()).toEqual([]);
});

test('the secondary address is used only when the primary does not answer the probe', async () => {
  await directly({ secondaryUrl: 'https://two.example' });
  answer = ({ method, url }) => {
    if (url.startsWith('https://one.example')) return Promise.reject(new TypeError('Failed to fetch'));
    return method === 'HEAD' ? new Response() : trying();
  };
  await placeCall(click());
  expect(calls().map(({ url }) => url)).toEqual(['https://two.example/call']);
});

test('sends no direct call where the computer slept during the probe', async () => {
  await directly({ secondaryUrl: 'https://two.example' });
  const now = vi.spyOn(Date, 'now');
  answer = ({ method, url }) => {
    if (method !== 'HEAD') return trying();
    if (!url.startsWith('https://one.example')) return new Response();
    now.mockReturnValue(Date.now() + 3600_000);
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  const reply = await placeCall(click());
  now.mockRestore();
  expect(reply).toMatchObject({ ok: true, value: { state: 'failed' } });
  expect(calls()).toEqual([]);
});

test('sends a direct request whose answer is lost only once, to one address', async () => {
  await directly({ secondaryUrl: 'https://two.example' });
  answer = ({ method }) =>
    method === 'HEAD' ? new Response() : Promise.reject(new TypeError('Failed to fetch'));
  const one = click();
  expect(await placeCall(one)).toMatchObject({ ok: true, value: { state: 'unknown' } });
  await resumeCalls();
  expect(calls()).toHaveLength(1);
});

test('sends a direct call once when it is resumed while being placed', async () => {
  await directly();
  answer = ({ method }) => (method === 'HEAD' ? new Response() : trying());
  const one = click();
  const placed = placeCall(one);
  while (!(await getCall(one.id))) await Promise.resolve();
  await Promise.all([placed, resumeCalls(), resumeCalls()]);
  const left = (await getCall(one.id))!;
  const { settings } = await readSettings();
  const route = await chooseRoute(settings);
  if (!route.ok || route.value.mode !== 'direct') throw new Error('expected a direct route');
  // Two runs that both believe that it is theirs to send.
  const id = await leftBehind('preparing', 0);
  const twice = { ...left, id, phase: 'preparing' as const };
  await Promise.all([
    sendOnceDirectly(twice, route.value, settings),
    sendOnceDirectly(twice, route.value, settings),
  ]);
  expect(calls()).toHaveLength(2);
});

test('marks the call as not sent when no address answers the probe', async () => {
  await directly();
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  const reply = await placeCall(click());
  expect(reply).toMatchObject({ ok: true, value: { state: 'failed' } });
  expect(calls()).toHaveLength(0);
});

test('plain http to another machine needs the deliberate yes; https never falls back to it', async () => {
  answer = ({ method }) => (method === 'HEAD' ? new Response() : trying());
  await directly({ primaryUrl: 'http://pbx.example:3000' });
  expect(await placeCall(click())).toEqual({
    ok: false,
    error: { code: 'insecure', detail: 'http://pbx.example:3000' },
  });
  expect(sent).toEqual([]);

  await directly({ secondaryUrl: 'http://two.example' });
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await placeCall(click());
  expect(sent.map(({ url }) => url)).toEqual(['https://one.example/api']);
});

test('a direct call with a relay is announced first, with its reply reported after', async () => {
  await directly({}, { relayUrl: 'https://relay.example' });
  const order: string[] = [];
  answer = (request) => {
    const { method, url, body } = request;
    order.push(`${method} ${url}`);
    if (url.endsWith('/v1/calls')) {
      expect(body).toEqual({ to: '4833224455', from: '1105', placedBy: 'client' });
      return json(
        {
          call: relayCall(request, { state: 'initiating', acceptedAt: undefined, revision: 0 }),
          returnUrl: 'https://relay.example/h/v1/x',
        },
        201,
      );
    }
    if (url.endsWith('/reply')) {
      expect(body).toMatchObject({ reply: { status: 'OK', callid: 'c1' }, httpStatus: 200 });
      return json(relayCall(request, { callid: 'c1' }));
    }
    if (method === 'HEAD') return new Response();
    expect(body).toMatchObject({ returnurl: 'https://relay.example/h/v1/x' });
    return trying();
  };
  const one = click();
  expect(await placeCall(one)).toMatchObject({ ok: true, value: { state: 'callingCaller' } });
  expect(order).toEqual([
    'POST https://relay.example/v1/calls',
    'HEAD https://one.example/api',
    'POST https://one.example/api/call',
    `POST https://relay.example/v1/calls/${one.id}/reply`,
  ]);
  expect(await getCall(one.id)).toMatchObject({ followed: 'relay', open: 1 });
});

test('writes twice before a direct call is sent: its intent, then its sending', async () => {
  await directly({}, { relayUrl: 'https://relay.example' });
  const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction');
  const one = click();
  let writes: unknown[] = [];
  answer = async (request) => {
    const { method, url } = request;
    if (url.endsWith('/reply')) return json(relayCall(request));
    if (url.endsWith('/v1/calls'))
      return json({ call: relayCall(request, { revision: 0 }), returnUrl: 'https://relay.example/h/v1/x' });
    if (method === 'HEAD') return new Response();
    writes = transactions.mock.calls.filter(([, mode]) => mode === 'readwrite');
    expect(await getCall(one.id)).toMatchObject({ phase: 'sending', followed: 'relay', relayRevision: 0 });
    return trying();
  };
  await placeCall(one);
  transactions.mockRestore();
  expect(writes).toEqual([
    ['calls', 'readwrite', { durability: 'relaxed' }],
    ['calls', 'readwrite', { durability: 'strict' }],
  ]);
});

test('reports to the relay that an announced call was not sent when no address answers the probe', async () => {
  await directly({}, { relayUrl: 'https://relay.example' });
  const reports: unknown[] = [];
  answer = (request) => {
    const { method, url, body } = request;
    if (method === 'HEAD') return Promise.reject(new TypeError('Failed to fetch'));
    if (!url.endsWith('/reply'))
      return json({ call: relayCall(request, { revision: 0 }), returnUrl: 'https://relay.example/h/v1/x' });
    reports.push(body);
    return json(relayCall(request, { state: 'failed', reason: 'notSent', revision: 1 }));
  };
  const one = click();
  await placeCall(one);
  expect(reports).toEqual([{ error: { kind: 'notSent', code: 'unreachable', message: expect.any(String) } }]);
  expect(await getCall(one.id)).toMatchObject({ followed: 'relay', relayRevision: 1, open: 0 });
  expect(calls()).toEqual([]);
});

test('reports an end again that the relay did not get', async () => {
  await directly({}, { relayUrl: 'https://relay.example' });
  let reports = 0;
  answer = (request) => {
    const isReport = request.url.endsWith('/reply');
    if (request.method === 'HEAD' || (isReport && ++reports === 1))
      return Promise.reject(new TypeError('Failed to fetch'));
    const call = relayCall(request, { revision: 0 });
    if (!isReport) return json({ call, returnUrl: 'https://relay.example/h/v1/x' });
    return json({ ...call, state: 'failed', reason: 'notSent', revision: 1 });
  };
  const one = click();
  await placeCall(one);
  expect(await getCall(one.id)).toMatchObject({ open: 1, call: { state: 'failed' } });
  await resumeCalls();
  expect(reports).toBe(2);
  expect(await getCall(one.id)).toMatchObject({ open: 0, call: { state: 'failed' } });
});

test('requests a click once that a starting background resumes meanwhile', async () => {
  await throughRelay();
  let releaseReply!: () => void;
  const isAnswered = new Promise<void>((resolve) => (releaseReply = resolve));
  answer = (request) => isAnswered.then(() => json(relayCall(request), 201));
  let releaseClick!: (value: undefined) => void;
  const isHeld = new Promise<undefined>((resolve) => (releaseClick = resolve));
  vi.spyOn(browser.alarms, 'create').mockImplementationOnce(() => isHeld);
  const one = click();
  const placed = placeCall(one);
  await vi.waitUntil(() => getCall(one.id), { interval: 1, timeout: 60_000 });
  const resumed = resumeCalls();
  await vi.waitUntil(() => sent.length > 0, { interval: 1, timeout: 60_000 });
  releaseClick(undefined);
  // The click goes on.
  await new Promise((resolve) => setTimeout(resolve));
  releaseReply();
  expect(await placed).toMatchObject({ ok: true, value: { state: 'callingCaller' } });
  await resumed;
  expect(sent).toHaveLength(1);
});

test('places no direct call that the relay cannot followOpenCalls, unless the settings allow it', async () => {
  answer = ({ method, url }) => {
    if (url.includes('relay.example')) return Promise.reject(new TypeError('Failed to fetch'));
    return method === 'HEAD' ? new Response() : trying();
  };
  await directly({}, { relayUrl: 'https://relay.example' });
  expect(await placeCall(click())).toEqual({ ok: false, error: { code: 'relayUnreachable' } });
  expect(calls()).toHaveLength(0);

  await directly({ placeWithoutRelay: true }, { relayUrl: 'https://relay.example' });
  await (await database()).clear('calls');
  const one = click();
  const reply = await placeCall(one);
  expect(reply).toMatchObject({ ok: true, value: { state: 'callingCaller' } });
  expect(reply.ok && reply.value.sentence).toContain('will not be known');
  expect((await getCall(one.id))?.followed).toBe('none');
  expect(calls()).toHaveLength(1);
});

test('places no direct call that the relay refused, whatever the settings allow', async () => {
  const problem = { type: 'about:blank', title: 'Do not call', status: 403, code: 'doNotCall' };
  answer = ({ url }) => (url.includes('relay.example') ? json(problem, 403) : trying());
  await directly({ placeWithoutRelay: true }, { relayUrl: 'https://relay.example' });
  expect(await placeCall(click())).toMatchObject({ ok: false, error: { code: 'relayRefused' } });
  expect(calls()).toHaveLength(0);
});

test.each([
  ['relay', undefined, false],
  ['relay', true, true],
  ['direct', true, true],
] as const)('offers to override a rule of the team (%s, right: %s)', async (mode, right, isOffered) => {
  const problem = { type: 'about:blank', title: 'Do not call', status: 403, code: 'doNotCall' };
  const toRelay = { relayUrl: 'https://relay.example' };
  await (mode === 'relay' ? throughRelay() : directly({}, toRelay));
  await keepRules('https://relay.example', { ...defaultRules, mayOverride: right });
  answer = (request) => {
    if (!request.url.includes('relay.example')) return request.method === 'HEAD' ? new Response() : trying();
    if (!request.body?.override) return json(problem, 403);
    const call = relayCall(request);
    return json(mode === 'relay' ? call : { call, returnUrl: 'https://relay.example/h/v1/x' }, 201);
  };
  const refused = await placeCall(click());
  expect(refused.error?.mayOverride).toBe(isOffered || undefined);
  await (await database()).clear('calls');
  const reply = await placeCall(click(undefined, { override: { reason: 'asked by mail' } }));
  expect(reply.ok).toBe(true);
  const [asked] = sent.filter(({ body }) => body?.override);
  expect(asked!.body).toMatchObject({ to: '4833224455', override: { reason: 'asked by mail' } });
});

test('places no direct call of a sheet that the relay was not asked about, whatever is set', async () => {
  answer = ({ method, url }) => {
    if (url.includes('relay.example')) return Promise.reject(new TypeError('Failed to fetch'));
    return method === 'HEAD' ? new Response() : trying();
  };
  const item = { sheet: 'A'.repeat(22), id: 1 };
  for (const relay of [{ relayUrl: 'https://relay.example' }, {}]) {
    await directly({ placeWithoutRelay: true }, relay);
    await (await database()).clear('calls');
    expect((await placeCall(click(undefined, { item }))).ok).toBe(false);
  }
  expect(calls()).toHaveLength(0);
});

test('sends the fields set for every call, or those of one call where it has them', async () => {
  await configure(
    {
      mode: 'direct',
      direct: {
        primaryUrl: 'https://one.example',
        version: 'v2',
        map: 'callid:external_id',
        returnTo: 'own',
        ownReturnUrl: 'https://mine.example/hook',
      },
    },
    { timeout: 20, callerid: '4830001000', forceFrom: true },
  );
  answer = ({ method }) => (method === 'HEAD' ? new Response() : trying());
  await placeCall(click('(48) 3322-4455', { callerid: '4830002000', forceFrom: false }));
  expect(calls()[0]!.body).toEqual({
    from: '1105',
    to: '4833224455',
    timeout: 20,
    callerid: '4830002000',
    map: 'callid:external_id',
    version: 'v2',
    returnurl: 'https://mine.example/hook',
  });
});

test('dials no emergency number, no text without a number, nothing abroad unconfirmed', async () => {
  await throughRelay();
  answer = (request) => json(relayCall(request), 201);
  expect(await placeCall(click('190'))).toMatchObject({ ok: false, error: { code: 'refusedByGuard' } });
  expect(await placeCall(click('12'))).toMatchObject({ ok: false, error: { code: 'notANumber' } });
  const abroad = click('+49 30 901820');
  expect(await placeCall(abroad)).toMatchObject({ ok: false, error: { code: 'confirmFirst' } });
  expect(sent).toEqual([]);
  expect(await placeCall({ ...abroad, confirmed: true })).toMatchObject({ ok: true });
  expect(sent).toHaveLength(1);
});

test.each([
  ['the same number', '(48) 3322-4455'],
  ['another number', '(48) 3322-4456'],
])('asks before a call to %s while one is open', async (_which, number) => {
  await throughRelay();
  answer = (request) => json(relayCall(request, { state: 'connected' }), 201);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await placeCall(click());
    vi.setSystemTime(Date.now() + 70_000);
    const second = click(number);
    expect(await placeCall(second)).toEqual({
      ok: false,
      error: { code: 'confirmFirst', detail: 'Your call with +55 48 3322-4455 is still open.' },
    });
    expect(sent).toHaveLength(1);
    expect(await placeCall({ ...second, confirmed: true })).toMatchObject({ ok: true });
  } finally {
    vi.useRealTimers();
  }
});

test('asks before a second call to the same number within a minute of the first', async () => {
  await throughRelay();
  answer = (request) => json(relayCall(request, { state: 'disconnected', reason: 'hangUp' }), 201);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    expect(await placeCall(click())).toMatchObject({ ok: true });
    vi.setSystemTime(Date.now() + 20_000);
    expect(await placeCall(click('(48) 3322-4456'))).toMatchObject({ ok: true });
    vi.setSystemTime(Date.now() + 2_000);
    const again = click('+55 48 3322-4455');
    expect(await placeCall(again)).toEqual({
      ok: false,
      error: { code: 'confirmFirst', detail: 'You called this number 22 s ago.' },
    });
    expect(sent).toHaveLength(2);
    vi.setSystemTime(Date.now() + 38_000);
    expect(await placeCall({ ...again, confirmed: true })).toMatchObject({ ok: true });
    // From the last one's start, not the first's.
    vi.setSystemTime(Date.now() + 59_000);
    expect(await placeCall(click())).toMatchObject({ error: { code: 'confirmFirst' } });
    vi.setSystemTime(Date.now() + 1_000);
    expect(await placeCall(click())).toMatchObject({ ok: true });
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  [
    'the relay refused it',
    () => json({ type: 't', title: 'No', status: 403, code: 'numberNotAllowed' }, 403),
  ],
  [
    'the service refused it',
    (request: Sent) => json(relayCall(request, { state: 'failed', reason: 'refused' }), 201),
  ],
])('asks nothing before a call to a number whose last call was not placed: %s', async (_why, refusing) => {
  await throughRelay();
  answer = refusing;
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await placeCall(click());
    vi.setSystemTime(Date.now() + 2_000);
    answer = (request) => json(relayCall(request), 201);
    expect(await placeCall(click())).toMatchObject({ ok: true });
  } finally {
    vi.useRealTimers();
  }
});

test('takes the yes to a premium or satellite number from a page of ours alone', async () => {
  await throughRelay();
  answer = (request) => json(relayCall(request), 201);
  const opened = vi.spyOn(browser.tabs, 'create');
  const { contentHandlers } = await import('../content-handlers.ts');
  for (const [text, display, to] of [
    ['0900 123456', '0900 123456', '0900123456'],
    ['+870 776 123456', '+870 776123456', '00870776123456'],
  ] as const) {
    const shown = await shownOf(text);
    const dial = (confirmed: boolean) =>
      contentHandlers['content.dial'](
        { click: newCallId(), source: { text: `tel:${text}`, contextWords: 'phone' }, shown, confirmed },
        { tabId: 1, frameId: 0, url: 'https://crm.example/' },
      );
    for (const confirmed of [false, true])
      expect(await dial(confirmed), `${display} ${to}`).toEqual({
        ok: false,
        error: { code: 'confirmElsewhere' },
      });
    const { pathname, searchParams } = new URL(opened.mock.lastCall![0].url!);
    expect([pathname, searchParams.get('u')]).toEqual(['/extension/pages/call/index.html', shown.display]);
  }
  expect(sent).toEqual([]);
  // The card in the page is enough for another country.
  const abroad = await shownOf('+49 30 901820');
  expect(
    await contentHandlers['content.dial'](
      {
        click: newCallId(),
        source: { text: 'tel:+4930901820', contextWords: 'phone' },
        shown: abroad,
        confirmed: true,
      },
      { tabId: 1, frameId: 0, url: 'https://crm.example/' },
    ),
  ).toMatchObject({ ok: true });
  opened.mockClear();
  expect(await placeCall(click('0900 123456', { confirmed: true }))).not.toMatchObject({
    error: { code: 'confirmElsewhere' },
  });
});
/** What the tip shows of a linked number. */
async function shownOf(text: string): Promise<{ display: string; to: string }> {
  const { settings } = await readSettings();
  const resolved = resolve({ kind: 'typed', text }, settings, { now: new Date() });
  if ('why' in resolved) throw new Error(`${text}: ${resolved.why}`);
  return { display: resolved.number.display, to: resolved.digits.to };
}

test.each([
  [{ mode: 'relay' }, {}],
  [{ mode: 'direct' }, {}],
  [{ mode: 'direct', direct: { primaryUrl: 'https://one.example' } }, { from: undefined }],
])('sends nothing while a required setting is missing (%#)', async (connection, agent) => {
  await configure(connection, agent);
  expect(await placeCall(click())).toEqual({ ok: false, error: { code: 'notConfigured' } });
  expect(sent).toEqual([]);
});

test('repeats the request under the same id after a restart, but not an hour later', async () => {
  await throughRelay();
  answer = (request) => json(relayCall(request), 201);
  const left = await leftBehind('asking', 0);
  await resumeCalls();
  expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual([left]);
  expect((await getCall(left))?.call.state).toBe('callingCaller');

  sent = [];
  const old = await leftBehind('asking', 3600_000);
  await resumeCalls();
  expect(sent).toEqual([]);
  expect((await getCall(old))?.call).toMatchObject({ state: 'unknown', reason: 'notAnswered' });
});

const elsewhere: Record<string, () => Promise<void>> = {
  'the relay has another address': () => configure({ relayUrl: 'https://other.example' }),
  'the key is another': () => saveSecret('agentKey', 'another-key'),
  'calls go directly': () => directly(),
};
test.each(Object.entries(elsewhere))('repeats no request after a restart when %s', async (_what, change) => {
  await throughRelay();
  const left = await leftBehind('asking', 0);
  await change();
  answer = (request) => json(relayCall(request), 201);
  await resumeCalls();
  expect(sent).toEqual([]);
  expect((await getCall(left))?.call).toMatchObject({ state: 'unknown', reason: 'notAnswered' });
});

test('sends a prepared direct call to no other service after a restart', async () => {
  await directly();
  const left = await leftBehind('preparing', 0);
  await directly({ primaryUrl: 'https://other.example' });
  answer = ({ method }) => (method === 'HEAD' ? new Response() : trying());
  await resumeCalls();
  expect(sent).toEqual([]);
  expect((await getCall(left))?.call).toMatchObject({ state: 'failed', reason: 'notSent' });
});

test('requests nothing from a relay that the browser may not reach', async () => {
  await throughRelay();
  forgetReachable();
  vi.spyOn(browser.permissions, 'contains').mockResolvedValueOnce(false);
  expect(await placeCall(click())).toEqual({
    ok: false,
    error: { code: 'noPermission', detail: 'relay.example' },
  });
  expect(sent).toEqual([]);
});

test('never repeats a direct request after a restart', async () => {
  await directly();
  answer = ({ method }) => (method === 'HEAD' ? new Response() : trying());
  const left = await leftBehind('sending', 0);
  await resumeCalls();
  expect(calls()).toEqual([]);
  expect(await getCall(left)).toMatchObject({
    phase: 'placed',
    call: { state: 'unknown', reason: 'notAnswered', error: { code: 'interrupted' } },
  });
});

test('sends a prepared direct call after a restart, or marks it as not sent an hour later', async () => {
  await directly();
  answer = ({ method }) => (method === 'HEAD' ? new Response() : trying());
  await leftBehind('preparing', 0);
  await resumeCalls();
  expect(calls()).toHaveLength(1);

  const old = await leftBehind('preparing', 3600_000);
  await resumeCalls();
  expect(calls()).toHaveLength(1);
  expect((await getCall(old))?.call).toMatchObject({ state: 'failed', reason: 'notSent' });
});

test('keeps no secret in the record of a call', async () => {
  await directly({ tokenIn: 'body' });
  answer = ({ method }) => (method === 'HEAD' ? new Response() : trying());
  await placeCall(click());
  const kept = JSON.stringify(await pastCalls({ limit: 10 }));
  expect(kept).not.toContain('service-token');
  expect(kept).not.toContain('agent-key');
});

/** A record as a killed background leaves it. */
async function leftBehind(phase: 'asking' | 'preparing' | 'sending', ageMs: number): Promise<string> {
  const id = newCallId();
  const createdAt = new Date(Date.now() - ageMs).toISOString();
  const route = await chooseRoute((await readSettings()).settings);
  if (!route.ok) throw new Error('expected a route');
  await storeCall({
    id,
    call: { id, from: '1105', to: '4833224455', state: 'initiating', createdAt, revision: 0 },
    phase,
    destination: await routeDigest(route.value),
    open: 1,
    followed: phase === 'asking' ? 'relay' : 'none',
    followUntil: Date.now() + 3600_000,
    request: { from: '1105', to: '4833224455' },
    display: '(48) 3322-4455',
    note: '',
    createdAt,
    changedAt: createdAt,
  });
  return id;
}
