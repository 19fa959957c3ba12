import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newCallId } from '../../shared/call/call.ts';
import {
  hangup,
  newClick,
  readEvents,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { answerTrying, type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';
import { StoreError } from '../store/store.ts';

let provider: FakeProvider;
let relay: TestRelay;
let agent: string;

beforeAll(async () => {
  provider = await startFakeProvider();
  relay = await startTestRelay({
    PROVIDER_URL: provider.url,
    PROVIDER_TOKEN: 'service-token',
    STREAM_SECONDS: '600',
  });
  agent = await relay.agent('1105');
});
afterAll(async () => {
  await relay.stop();
  await provider.close();
});
beforeEach(() => {
  provider.received.length = 0;
  provider.answer = (_call, response) => answerTrying(response);
});

const encode = (text: string, write: (code: number) => string): string =>
  [...text].map((each) => write(each.charCodeAt(0))).join('');

const place = (body: Record<string, unknown>, as = agent, headers: Record<string, string> = newClick()) =>
  relay.ask('/v1/calls', { as, body, headers });

describe('placing a call', () => {
  it('sends one /call with a capability as returnurl, then answers 201 with the Call', async () => {
    const { status, body } = await place({ to: '4833224455', timeout: 20 });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      from: '1105',
      to: '4833224455',
      state: 'callingCaller',
      callid: 'provider-1',
    });
    expect(provider.received).toHaveLength(1);
    expect(provider.received[0]).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer service-token' },
      fields: { from: '1105', to: '4833224455', timeout: 20 },
    });
    expect(provider.received[0]!.fields.returnurl).toMatch(`${relay.url}/h/v1/`);
  });

  it('repeats neither the return address nor the token where a refusal quotes them', async () => {
    provider.answer = ({ fields, headers }, response) =>
      void response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          message: `no ${fields.returnurl}, ${`${fields.returnurl}`.slice(0, -20)}…, ${headers.authorization}`,
        }),
      );
    const { body } = await place({ to: '4833224455' });
    const { pathname } = new URL(String(provider.received[0]!.fields.returnurl));
    const [, , signature] = pathname.split('.');
    const message = `no ${relay.url}/h/v1/[removed], ${relay.url}/h/v1/[removed]…, Bearer [removed]`;
    expect(body).toMatchObject({ state: 'failed', error: { code: 'refusedByProvider', message } });
    const { body: kept } = await relay.ask(`/v1/calls/${body.id}`, { as: agent });
    expect(kept.error.message).toBe(message);
    expect(JSON.stringify(kept)).not.toContain(signature);
  });

  it.each([
    ['percent-encoded', (text: string) => encode(text, (code) => `%${code.toString(16)}`)],
    ['escaped', (text: string) => encode(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`)],
    ['as it is', (text: string) => text],
  ])('keeps neither token nor capability of a notification that quotes them %s', async (_name, hide) => {
    const { body } = await place({ to: '4833224455' });
    const { pathname } = new URL(String(provider.received[0]!.fields.returnurl));
    const capability = pathname.split('/').at(-1)!;
    const secrets = `${hide(capability)} ${hide('service-token')}`;
    const notification = {
      ...hangup(),
      audio_url: `https://files.example/${hide(capability)}?t=${hide('service-token')}`,
      route: secrets,
      mainchannel: secrets,
      uniqueid: secrets,
      callflow: { [secrets]: { channel: secrets, exten: secrets, calleridname: secrets } },
    };
    expect((await relay.ask(pathname, { body: notification })).status).toBe(200);
    const { body: kept } = await relay.ask(`/v1/calls/${body.id}`, { as: agent });
    expect(kept).toMatchObject({ state: 'disconnected', route: '[removed] [removed]' });
    expect(kept.legs[0]).toMatchObject({ id: '[removed] [removed]', callerName: '[removed] [removed]' });
    for (const secret of [capability, 'service-token']) {
      expect(JSON.stringify(kept)).not.toContain(hide(secret));
      expect(decodeURIComponent(kept.recordingUrl)).not.toContain(secret);
    }
  });

  it('dials once for simultaneous requests with the same Idempotency-Key', async () => {
    const click = newClick();
    const answers = await Promise.all([1, 2, 3].map(() => place({ to: '4833224455' }, agent, click)));
    answers.push(await place({ to: '4833224455' }, agent, click));
    for (const answer of answers) {
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ id: answers[0]!.body.id, state: 'callingCaller' });
    }
    expect(provider.received).toHaveLength(1);
  });

  it('takes an Idempotency-Key of 22 base64url characters as the id of the Call', async () => {
    const click = { 'idempotency-key': newCallId() };
    const answers = await Promise.all([1, 2, 3].map(() => place({ to: '4833224455' }, agent, click)));
    for (const { status, body } of answers)
      expect([status, body.id, body.state]).toEqual([201, click['idempotency-key'], 'callingCaller']);
    expect(provider.received).toHaveLength(1);
    expect((await place({ to: '4833224456' }, agent, click)).status).toBe(422);
  });

  it('makes a fresh id when the Idempotency-Key is the id of another agent’s Call', async () => {
    const mine = await place({ to: '4833224455' }, agent, { 'idempotency-key': newCallId() });
    const other = await relay.agent('1106');
    const click = { 'idempotency-key': mine.body.id };
    const [first, again] = [await place({ to: '99' }, other, click), await place({ to: '99' }, other, click)];
    expect(first).toMatchObject({ status: 201, body: { from: '1106', to: '99' } });
    expect(first.body.id).not.toBe(mine.body.id);
    expect(again.body).toEqual(first.body);
    expect((await relay.ask(`/v1/calls/${mine.body.id}`, { as: other })).status).toBe(404);
    expect((await relay.ask(`/v1/calls/${mine.body.id}`, { as: agent })).body).toEqual(mine.body);
  });

  it('answers with the provider’s outcome where the store fails after the dial', async () => {
    const { apply } = relay.store.calls;
    provider.answer = (_call, response) => {
      relay.store.calls.apply = () => Promise.reject(new StoreError('disk full', 'ENOSPC'));
      answerTrying(response);
    };
    const answer = await place({ to: '4833224455' });
    relay.store.calls.apply = apply;
    expect(answer).toMatchObject({ status: 201, body: { state: 'callingCaller', callid: 'provider-1' } });
    expect(provider.received).toHaveLength(1);
  });

  it.each([500, 520, 524])('says that a call may have rung after a %i with JSON', async (status) => {
    provider.answer = (_call, response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"oops"}');
    const { status: answered, body } = await place({ to: '4833224455' });
    expect([answered, body.state, body.reason]).toEqual([201, 'unknown', 'notAnswered']);
  });

  it('rejects the Idempotency-Key of another request with 422', async () => {
    const click = newClick();
    await place({ to: '4833224455' }, agent, click);
    const other = await place({ to: '4833224456' }, agent, click);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotencyKeyReused' } });
    expect(provider.received).toHaveLength(1);
  });

  it('rejects a request without an Idempotency-Key', async () => {
    const answer = await place({ to: '4833224455' }, agent, {});
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotencyKeyMissing' } });
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(provider.received).toHaveLength(0);
  });

  it('reports every field that is wrong', async () => {
    const answer = await place({ to: '+48 33', timeout: 0, surprise: 1 });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalidFields' } });
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual(
      expect.arrayContaining(['to', 'timeout']),
    );
  });

  it('rejects a caller of another key with 403', async () => {
    expect(await place({ to: '4833224455', from: '1106' })).toMatchObject({
      status: 403,
      body: { code: 'callerNotYours' },
    });
    expect(provider.received).toHaveLength(0);
  });

  it('names the callers of a key for several, where the request names none', async () => {
    const forTwo = await relay.agent('1105', '1106');
    expect(await place({ to: '4833224455' }, forTwo)).toMatchObject({
      status: 400,
      body: { code: 'invalidFields', callers: ['1105', '1106'] },
    });
    expect((await relay.ask('/v1/calls', { as: forTwo })).body.callers).toEqual(['1105', '1106']);
    expect(provider.received).toHaveLength(0);
  });

  it('answers 201 with a failed Call when the service rejects it', async () => {
    provider.answer = (_call, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"bad token"}');
    };
    expect(await place({ to: '4833224455' })).toMatchObject({
      status: 201,
      body: { state: 'failed', reason: 'refused', error: { code: 'wrongToken' } },
    });
  });

  it('never dials an emergency number', async () => {
    expect(await place({ to: '112' })).toMatchObject({ status: 403, body: { code: 'numberNotAllowed' } });
    expect(provider.received).toHaveLength(0);
  });
});

describe('a call that the client places itself', () => {
  const announce = async (to = '4833224455') => (await place({ to, placedBy: 'client' })).body;

  it('is announced with a return address without being dialled', async () => {
    const { call, returnUrl } = await announce();
    expect(call).toMatchObject({ state: 'initiating', to: '4833224455' });
    expect(returnUrl).toMatch(`${relay.url}/h/v1/`);
    expect(provider.received).toHaveLength(0);
  });

  it('takes over the service’s reply from the client', async () => {
    const { call } = await announce();
    const answer = await relay.ask(`/v1/calls/${call.id}/reply`, {
      as: agent,
      body: { reply: { status: 'OK', callstatus: 'Trying', callid: 'x9' } },
    });
    expect(answer).toMatchObject({ status: 200, body: { state: 'callingCaller', callid: 'x9' } });
  });

  it('is unknown after an error that proves nothing', async () => {
    const { call } = await announce();
    const answer = await relay.ask(`/v1/calls/${call.id}/reply`, {
      as: agent,
      body: { error: { code: 'connectionLost', message: 'broken' } },
    });
    expect(answer.body).toMatchObject({ state: 'unknown', reason: 'notAnswered' });
  });

  it('takes no report from another key', async () => {
    const { call } = await announce();
    const other = await relay.agent('1199');
    expect(
      await relay.ask(`/v1/calls/${call.id}/reply`, { as: other, body: { reply: { status: 'OK' } } }),
    ).toMatchObject({ status: 404 });
  });
});

describe('the notification', () => {
  it('ends the call once, however often it is repeated', async () => {
    const { call, returnUrl } = (await place({ to: '4833224455', placedBy: 'client' })).body;
    expect(await relay.ask(returnUrl, { body: hangup() })).toMatchObject({ status: 200 });
    const ended = await relay.ask(`/v1/calls/${call.id}`, { as: agent });
    expect(ended.body).toMatchObject({
      state: 'disconnected',
      reason: 'hangUp',
      talkSeconds: 48,
      totalSeconds: 62,
    });
    expect(await relay.ask(returnUrl, { body: hangup() })).toMatchObject({ status: 200 });
    expect(await relay.ask(returnUrl, { body: hangup({ billsec: '49' }) })).toMatchObject({ status: 200 });
    expect((await relay.ask(`/v1/calls/${call.id}`, { as: agent })).body).toEqual(ended.body);
  });

  it('is accepted before the reply of the service', async () => {
    provider.answer = async (call, response) => {
      await relay.ask(String(call.fields.returnurl), { body: hangup() });
      answerTrying(response);
    };
    expect((await place({ to: '4833224455' })).body).toMatchObject({
      state: 'disconnected',
      talkSeconds: 48,
    });
  });

  it.each([
    ['text/plain', '{"event":"hangup"}', 415],
    ['application/json', 'not json', 400],
    ['application/json', '', 400],
    ['application/json', '"hangup"', 422],
    ['application/json', '{"event":"ringing"}', 422],
    ['application/json', `{"event":"hangup","x":"${'x'.repeat(66_000)}"}`, 413],
    ['application/json', `{"event":"hangup","x":${'['.repeat(50)}${']'.repeat(50)}}`, 400],
    ['application/problem+json', '{"event":"hangup"}', 200],
  ])('as %s: %s is answered %i', async (type, body, status) => {
    const { returnUrl } = (await place({ to: '4833224455', placedBy: 'client' })).body;
    const response = await fetch(returnUrl, { method: 'POST', headers: { 'content-type': type }, body });
    expect(response.status).toBe(status);
  });
});

describe('the event stream', () => {
  it('starts with the open calls, then sends every change', async () => {
    const key = await relay.agent('2001');
    const { call, returnUrl } = (await place({ to: '4833224455', placedBy: 'client' }, key)).body;
    const reader = await readEvents(relay.url, key);
    expect(await reader.until(1)).toMatchObject([
      { event: 'call', call: { id: call.id, state: 'initiating' } },
    ]);
    await relay.ask(returnUrl, { body: hangup() });
    expect((await reader.until(2))[1]).toMatchObject({ event: 'call', call: { state: 'disconnected' } });
    expect(reader.frames[1]!.id).toMatch(/^[0-9a-z]+-\d+$/);
    reader.close();
  });

  it('replays what came after the cursor, once, in order', async () => {
    const key = await relay.agent('2002');
    const calls = [];
    for (const to of ['4833220001', '4833220002', '4833220003'])
      calls.push((await place({ to, placedBy: 'client' }, key)).body);
    const first = await readEvents(relay.url, key);
    const [start] = await first.until(3);
    first.close();
    await relay.ask(calls[0].returnUrl, { body: hangup() });
    const second = await readEvents(relay.url, key, { cursor: start!.id });
    await relay.ask(calls[1].returnUrl, { body: hangup() });
    const frames = await second.until(4);
    expect(frames.map(({ call }) => [call.to, call.state])).toEqual([
      ['4833220002', 'initiating'],
      ['4833220003', 'initiating'],
      ['4833220001', 'disconnected'],
      ['4833220002', 'disconnected'],
    ]);
    second.close();
  });

  it.each(['nonsense', 'abcdef-1', '999999-99999999', '\u00ff', '9'.repeat(300)])(
    'answers the unknown cursor %s with a reset, then the open calls',
    async (cursor) => {
      const key = await relay.agent('2003');
      await place({ to: '4833224455', placedBy: 'client' }, key);
      const reader = await readEvents(relay.url, key, { cursor });
      const [reset, open] = await reader.until(2);
      expect(reset!.event).toBe('reset');
      expect(open).toMatchObject({ event: 'call', call: { state: 'initiating' } });
      reader.close();
    },
  );

  it('never shows the calls of another caller', async () => {
    const [mine, theirs] = [await relay.agent('2004'), await relay.agent('2005')];
    const reader = await readEvents(relay.url, mine);
    await place({ to: '4833224455', placedBy: 'client' }, theirs);
    await place({ to: '4833224466', placedBy: 'client' }, mine);
    expect(await reader.until(1)).toMatchObject([{ call: { from: '2004' } }]);
    reader.close();
  });

  it('sends the same as one page of JSON, waiting for it on request', async () => {
    const key = await relay.agent('2006');
    const page = (query: string) =>
      relay.ask(`/v1/events${query}`, { as: key, headers: { accept: 'application/json' } });
    const empty = await page('');
    expect(empty.body).toMatchObject({ reset: false, events: [] });
    const waiting = page(`?since=${empty.body.cursor}&wait=20`);
    await place({ to: '4833224455', placedBy: 'client' }, key);
    const came = await waiting;
    expect(came.body.events).toMatchObject([{ call: { state: 'initiating' } }]);
    expect((await page(`?since=${came.body.cursor}`)).body.events).toEqual([]);
    expect((await page('?since=lost-9')).body).toMatchObject({
      reset: true,
      events: [{ call: { from: '2006' } }],
    });
  });
});

describe('a page of events that waits', () => {
  it('ends at once where its key is revoked', async () => {
    const [key, other] = [await relay.agent('2008'), await relay.agent('2009')];
    const { id } = (await relay.store.keys.list()).find(({ callers }) => callers.includes('2008'))!;
    const page = (wait: number, as: string) =>
      relay.ask(`/v1/events?wait=${wait}`, { as, headers: { accept: 'application/json' } });
    const polls = [page(8, other), page(20, key)];
    await relay.ask('/v1/calls', { as: key });
    await relay.store.keys.revoke(id, new Date().toISOString());
    expect(await Promise.race(polls)).toMatchObject({ status: 401 });
    await place({ to: '4833224455', placedBy: 'client' }, other);
    expect(await polls[0]).toMatchObject({ status: 200 });
  });

  it('is refused to a key that was revoked meanwhile', async () => {
    const key = await relay.agent('2007');
    const { id } = (await relay.store.keys.list()).find(({ callers }) => callers.includes('2007'))!;
    const waiting = relay.ask('/v1/events?wait=20', { as: key, headers: { accept: 'application/json' } });
    // Its listener is there as soon as the relay has answered something that came later.
    await relay.ask('/v1/calls', { as: key });
    const other = await relay.agent('2007');
    await relay.store.keys.revoke(id, new Date().toISOString());
    await place({ to: '4833224455', placedBy: 'client' }, other);
    expect(await waiting).toMatchObject({ status: 401 });
  });
});

describe('history', () => {
  it('lists one’s own calls, newest first, in pages', async () => {
    const key = await relay.agent('3001');
    for (const to of ['1', '2', '3', '4', '5'])
      await place({ to: `483322000${to}`, placedBy: 'client' }, key);
    const first = await relay.ask('/v1/calls?limit=2', { as: key });
    expect(first.body.calls.map((call: { to: string }) => call.to)).toEqual(['4833220005', '4833220004']);
    const second = await relay.ask(`/v1/calls?limit=2&before=${first.body.next}`, { as: key });
    expect(second.body.calls.map((call: { to: string }) => call.to)).toEqual(['4833220003', '4833220002']);
    const last = await relay.ask(`/v1/calls?limit=2&before=${second.body.next}`, { as: key });
    expect(last.body.calls).toHaveLength(1);
    expect(last.body.next).toBeUndefined();
    const other = await relay.agent('3002');
    expect((await relay.ask('/v1/calls', { as: other })).body.calls).toEqual([]);
    expect(await relay.ask(`/v1/calls/${first.body.calls[0].id}`, { as: other })).toMatchObject({
      status: 404,
    });
  });
});

describe('tickets', () => {
  it('let a widget watch or dial for one caller only', async () => {
    const { key } = await relay.site('https://crm.example', '4001', '4002');
    const made = await relay.ask('/v1/tickets', {
      as: key,
      body: { from: '4001', rights: ['watch', 'dial'], ttl: 60 },
    });
    expect(made.status).toBe(201);
    expect(Date.parse(made.body.expiresAt)).toBeGreaterThan(Date.now());
    const { ticket } = made.body;
    expect((await place({ to: '4833224455' }, ticket)).body).toMatchObject({
      from: '4001',
      state: 'callingCaller',
    });
    expect(await place({ to: '4833224455', from: '4002' }, ticket)).toMatchObject({ status: 403 });
    expect(await place({ to: '4833224455', placedBy: 'client' }, ticket)).toMatchObject({ status: 403 });
    expect((await relay.ask('/v1/calls', { as: ticket })).body.calls).toHaveLength(1);
  });

  it('allow only the rights that they name', async () => {
    const { key } = await relay.site('https://crm.example', '4003');
    const ticket = async (right: string) =>
      (await relay.ask('/v1/tickets', { as: key, body: { from: '4003', rights: [right] } })).body.ticket;
    expect(await place({ to: '4833224455' }, await ticket('watch'))).toMatchObject({ status: 403 });
    expect(await relay.ask('/v1/calls', { as: await ticket('dial') })).toMatchObject({ status: 403 });
  });

  it('allow nothing on a page of another site', async () => {
    const { key } = await relay.site('https://crm.example', '4005');
    const body = { from: '4005', rights: ['watch'] };
    const { ticket } = (await relay.ask('/v1/tickets', { as: key, body })).body;
    const onPageOf = async (origin: string) =>
      (await relay.ask('/v1/calls', { as: ticket, headers: { origin } })).status;
    expect(await onPageOf('https://crm.example')).toBe(200);
    expect(await onPageOf('https://other.example')).toBe(403);
  });

  it('are made by site keys, which allow nothing else', async () => {
    const { key } = await relay.site('https://crm.example', '4004');
    expect(
      await relay.ask('/v1/tickets', { as: agent, body: { from: '1105', rights: ['watch'] } }),
    ).toMatchObject({ status: 403 });
    expect(await relay.ask('/v1/calls', { as: key })).toMatchObject({ status: 403 });
    expect(await place({ to: '4833224455', from: '4004' }, key)).toMatchObject({ status: 403 });
  });
});

describe('everything else', () => {
  it('answers a forged notification address as one that is none', async () => {
    const body = { event: 'hangup' };
    const forged = await relay.ask(`/h/v1/${'x'.repeat(6)}.${'y'.repeat(22)}.zzzz.${'m'.repeat(43)}`, {
      body,
    });
    expect(forged).toMatchObject({ status: 404, body: { code: 'notFound' } });
  });

  it.each([undefined, '', 'nonsense', `dma_${'x'.repeat(43)}`, 'dmt_a.b.c'])(
    'answers 401 to the credential %s',
    async (credential) => {
      const answer = await relay.ask('/v1/calls', { as: credential });
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      expect(answer.headers.get('www-authenticate')).toMatch('Bearer');
    },
  );

  it('serves health, readiness, metrics', async () => {
    expect(await relay.ask('/healthz')).toMatchObject({ status: 200 });
    expect(await relay.ask('/readyz')).toMatchObject({ status: 200 });
    const metrics = await relay.ask('/metrics');
    expect(metrics.text).toMatch('dialmark_calls_total{state="callingCaller",reason="none"}');
  });

  it('answers a HEAD of the stream with 404, without opening one', async () => {
    expect((await relay.ask('/v1/events', { as: agent, method: 'HEAD' })).status).toBe(404);
    expect((await relay.ask('/healthz', { method: 'HEAD' })).status).toBe(200);
  });

  it('answers an unknown path with a problem document', async () => {
    expect(await relay.ask('/nowhere')).toMatchObject({
      status: 404,
      body: { status: 404, code: 'notFound' },
    });
  });

  it('allows only the origins of sites or extensions in a preflight', async () => {
    await relay.site('https://cors.example', '5001');
    const preflight = (origin: string) =>
      fetch(`${relay.url}/v1/events`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization,last-event-id',
        },
      });
    for (const origin of [
      'https://cors.example',
      'chrome-extension://abcdefghijklmnop',
      'moz-extension://a-b-c',
    ]) {
      const response = await preflight(origin);
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toMatch('last-event-id');
    }
    for (const origin of ['https://evil.example', 'null', 'https://cors.example.evil'])
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
  });
});
