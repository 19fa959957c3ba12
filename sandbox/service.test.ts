import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCallflow } from '../shared/service/callflow.ts';
import { readNotification } from '../shared/service/notification.ts';
import { readReply } from '../shared/service/reply.ts';
import { buildCall, type CallMethod, type CallRequest, type TokenPlace } from '../shared/service/request.ts';
import { type Receiver, startReceiver } from '../testing/servers/receiver.ts';
import { serveAsync } from '../testing/servers/serve-async.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { demoAccount } from './registration.ts';
import { numberFor, type ScenarioName } from './scenarios.ts';
import { type Sandbox, startSandbox } from './service.ts';

const token = 'a-token';
const at = '2026-11-20T12:00:00.000Z';

let sandbox: Sandbox;
let receiver: Receiver;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, token, speed: 200 });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

/** Sends with the request builder of the other parts, so that both sides of the contract meet here. */
async function place(
  request: CallRequest,
  { method = 'post', tokenIn = 'header' }: { method?: CallMethod; tokenIn?: TokenPlace } = {},
) {
  const { url, ...init } = buildCall(sandbox.url, request, { token, tokenIn }, method);
  const response = await fetch(url, init);
  return { status: response.status, body: await response.text() };
}

const to = (name: ScenarioName): CallRequest => ({
  from: '1105',
  to: numberFor(name),
  returnurl: receiver.url,
});
const journalOf = (callid: unknown) => sandbox.calls.find((call) => call.callid === callid);

/** As anyone might send it. */
async function post(fields: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof fields === 'string' ? fields : JSON.stringify(fields),
  });
  return {
    status: response.status,
    body: (await response.json()) as { message: string; errors: { field: string }[] },
  };
}

describe('an accepted call', () => {
  for (const method of ['post', 'get'] as const)
    for (const tokenIn of ['header', 'body', 'query'] as const)
      it(`is placed by ${method} with the token in the ${tokenIn}`, async () => {
        const reply = await place(
          { ...to('answered'), timeout: 20, callerid: '551140028922' },
          { method, tokenIn },
        );
        const body = JSON.parse(reply.body);
        expect(body).toEqual({
          status: 'OK',
          callstatus: 'Trying',
          message: 'Call in Progress',
          callid: expect.any(String),
        });
        expect(journalOf(body.callid)).toMatchObject({
          method: method.toUpperCase(),
          // A GET has no body to put the token into.
          tokenPlace: method === 'get' && tokenIn === 'body' ? 'query' : tokenIn,
          readWhole: true,
          status: 200,
          scenario: 'answered',
          fields: { from: '1105', to: numberFor('answered'), timeout: 20, callerid: '551140028922' },
        });
        expect(JSON.stringify(sandbox.calls)).not.toContain(token);
      });

  it("is notified with clock times, the recording's whole address, v2", async () => {
    await place({ ...to('longCall'), version: 'v2' });
    const { body } = await receiver.nth(1);
    expect(body).toMatchObject({ billsec: '00:01:30', duration: '00:01:32' });
    const recording = await fetch(body.audio_url as string);
    expect(recording.headers.get('content-type')).toBe('audio/wav');
    expect(
      Buffer.from(await recording.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('RIFF');
  });

  it('ends at once when it is hung up, with the talk there was', async () => {
    // So slow that the callee surely does not answer before.
    const slow = await startSandbox({ port: 0, token, speed: 0.01 });
    const response = await fetch(
      `${slow.url}/call?token=${token}&from=1105&to=551133504177&returnurl=${encodeURIComponent(receiver.url)}`,
    );
    const { callid } = (await response.json()) as { callid: string };
    expect(slow.hangUp(callid)).toBe(true);
    expect((await receiver.nth(1)).body).toMatchObject({ event: 'hangup', billsec: '0', audio_url: '' });
    expect(slow.hangUp(callid)).toBe(false);
    await slow.close();
  });
});

describe('the dialled ending chooses the fate', () => {
  const fact = (body: unknown) => readNotification(body, { version: 'v1', at });

  it('no answer or busy: no talk, no recording; only the callflow differs', async () => {
    for (const [name, state] of [
      ['noAnswer', 'Ringing'],
      ['busy', 'Busy'],
    ] as const) {
      const before = receiver.received.length;
      await place(to(name));
      const { body } = await receiver.nth(before + 1);
      expect(body).toMatchObject({ event: 'hangup', billsec: '0', audio_file: '', audio_url: '' });
      expect(readCallflow(body.callflow)?.map((leg) => leg.state)).toEqual(['Up', state]);
    }
  });

  it('lost call in the reply, held for the timeout', async () => {
    const reply = await place({ ...to('lostCallReply'), timeout: 2 });
    expect(readReply(reply, at).kind).toBe('lostCall');
  });

  it('lost call in the notification', async () => {
    const reply = await place(to('lostCallNotification'));
    expect(readReply(reply, at).kind).toBe('accepted');
    expect(fact((await receiver.nth(1)).body)).toMatchObject({ kind: 'lostCall' });
  });

  it('a transfer has four legs in order', async () => {
    await place(to('transfer'));
    const legs = readCallflow((await receiver.nth(1)).body.callflow);
    expect(legs?.map((leg) => leg.callerNumber)).toEqual([
      '00001105',
      numberFor('transfer'),
      '00001105',
      '2201',
    ]);
  });

  it('the notification is there before the reply', async () => {
    const reply = await place(to('notificationFirst'));
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]!.body.callid).toBe(JSON.parse(reply.body).callid);
  });

  it('the same notification twice', async () => {
    await place(to('notificationTwice'));
    expect((await receiver.nth(2)).body).toEqual((await receiver.nth(1)).body);
  });

  it('no notification', async () => {
    const silent = await place(to('noNotification'));
    await place({ ...to('longCall') });
    // The long call began later and takes longer: when its end is notified, the silent one's would have been.
    await receiver.nth(1);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]!.body.callid).not.toBe(JSON.parse(silent.body).callid);
  });

  it('a slow reply is a reply', async () => {
    expect(readReply(await place(to('slowReply')), at).kind).toBe('accepted');
    await receiver.nth(1);
  });

  it('a reset connection: no reply, one call with its end', async () => {
    await expect(place(to('reset'))).rejects.toThrow();
    const { body } = await receiver.nth(1);
    expect(journalOf(body.callid)).toMatchObject({ readWhole: true, status: 0, scenario: 'reset' });
  });

  it('an HTML page instead of the service', async () => {
    const reply = await place(to('htmlPage'));
    expect(reply.status).toBe(502);
    expect(readReply(reply, at)).toMatchObject({ kind: 'notAnswered', error: { code: 'notJson' } });
  });

  it('a text that is not JSON, then the end of the call it did place', async () => {
    expect(readReply(await place(to('notJson')), at)).toMatchObject({
      kind: 'notAnswered',
      error: { code: 'unreadableReply' },
    });
    await receiver.nth(1);
  });

  it('a refusal in JSON', async () => {
    expect(readReply(await place(to('refused')), at)).toMatchObject({
      kind: 'refused',
      error: { message: expect.stringContaining('not allowed') },
    });
  });
});

describe('wrong input is refused with the field, the expected form, the value', () => {
  const call = { from: '1105', to: '551133504177' };
  const wrong: [string, unknown, string][] = [
    ['no `from`', { to: call.to }, 'from: expected a string: code of an agent or extension, got nothing'],
    ['`from` as a number', { ...call, from: 1105 }, 'from: expected'],
    ['no `to`', { from: '1105' }, 'to: expected a string of 1 to 32 digits, got nothing'],
    ['a plus in `to`', { ...call, to: '+551133504177' }, 'got "+551133504177"'],
    ['spaces in `to`', { ...call, to: '55 11 3350' }, 'to: expected'],
    ['a fraction in `to`', { ...call, to: 1.5 }, 'to: expected'],
    [
      '`timeout` as a text',
      { ...call, timeout: '12' },
      'timeout: expected an integer, seconds from 1 to 600, got "12"',
    ],
    ['`timeout` 0', { ...call, timeout: 0 }, 'timeout: expected'],
    ['`force_from` true', { ...call, force_from: true }, 'force_from: expected "yes" or "no", got true'],
    ['a relative `returnurl`', { ...call, returnurl: '/ended' }, 'returnurl: expected an address'],
    ['an ftp `returnurl`', { ...call, returnurl: 'ftp://x/y' }, 'returnurl: expected an address'],
    ['letters in `callerid`', { ...call, callerid: 'me' }, 'callerid: expected'],
    ['`map` that is no pairs', { ...call, map: 'callid' }, 'map: expected pairs'],
    ['`map` of an unknown field', { ...call, map: 'colour:x' }, '"colour" is not a field'],
    ['an empty `map`', { ...call, map: '' }, 'map: expected pairs'],
    ['`version` v3', { ...call, version: 'v3' }, 'version: expected "v1" or "v2", got "v3"'],
    ['an unknown field', { ...call, colour: 'red' }, 'colour: expected no field but token, from'],
    ['a list', [call], 'body: expected a JSON object'],
    ['text that is no JSON', '{', 'body: expected a JSON object, got text that is not JSON'],
  ];
  for (const [what, fields, message] of wrong)
    it(what, async () => {
      const { status, body } = await post(fields);
      expect(status).toBe(400);
      expect(body.message).toContain(message);
      expect(body.errors.length).toBeGreaterThan(0);
      expect(sandbox.calls.at(-1)).toMatchObject({ status: 400, readWhole: true });
      expect(sandbox.calls.at(-1)).not.toHaveProperty('callid');
    });

  it('names every wrong field at once', async () => {
    const { body } = await post({ from: '', to: 'x', timeout: -1 });
    expect(body.errors.map(({ field }) => field)).toEqual(['from', 'to', 'timeout']);
  });

  it('a POST whose content type is not JSON', async () => {
    const { status, body } = await post(call, { 'content-type': 'text/plain' });
    expect(status).toBe(415);
    expect(body.message).toBe('content-type: expected application/json, got "text/plain"');
  });

  it('fields of a POST in its query', async () => {
    const response = await fetch(`${sandbox.url}/call?to=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    expect(await response.json()).toMatchObject({
      message: 'to: expected in the JSON body of a POST, got in the query',
    });
  });

  it('a query parameter twice', async () => {
    const response = await fetch(`${sandbox.url}/call?token=${token}&from=1105&to=1&to=2`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: 'to: expected once in the query, got several times',
    });
  });

  it('a body of more than 64 KiB', async () => {
    const { status, body } = await post({ ...call, colour: 'x'.repeat(70_000) });
    expect(status).toBe(413);
    expect(body.message).toContain('at most 65536 bytes');
  });

  it('another method or path', async () => {
    const put = await fetch(`${sandbox.url}/call`, { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST, GET']);
    for (const path of ['/calls', '//', '//x:y']) expect((await fetch(sandbox.url + path)).status).toBe(404);
  });

  it('a target that is not a path', async () => {
    const socket = connect(sandbox.port, '127.0.0.1');
    socket.write('GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toContain('404 Not Found');
  });
});

describe('the token', () => {
  const call = { from: '1105', to: '551133504177' };
  const send = (headers: Record<string, string>, fields: object, query = '') =>
    fetch(`${sandbox.url}/call${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(fields),
    });

  it('is asked for where there is none', async () => {
    const response = await send({}, call);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({
      code: 'missing-token',
      message: expect.stringContaining('Authorization: Bearer'),
    });
  });

  for (const [place, sent] of [
    ['header', () => send({ authorization: 'Bearer other' }, call)],
    ['header', () => send({ authorization: token }, call)],
    ['body', () => send({}, { ...call, token: 'other' })],
    ['body', () => send({}, { ...call, token: 7 })],
    ['query', () => send({}, call, '?token=other')],
  ] as const)
    it(`is refused where it is wrong in the ${place}`, async () => {
      const response = await sent();
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({
        code: 'wrong-token',
        message: `token: the one sent in the ${place} is not this service's token`,
      });
      expect(sandbox.calls.at(-1)).toMatchObject({ status: 401, tokenPlace: place });
    });

  it('is refused in two places, since which wins is not defined', async () => {
    const response = await send({ authorization: `Bearer ${token}` }, { ...call, token });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('header and body') });
  });
});

describe('the journal', () => {
  it('has a call that was never read whole', async () => {
    const count = sandbox.calls.length;
    const notified = new Promise<void>((resolve) => {
      const stop = sandbox.listen((event) => {
        if (event.kind !== 'call') return;
        stop();
        resolve();
      });
    });
    const socket = connect(sandbox.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /call HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"from"', () =>
      socket.destroy(),
    );
    await notified;
    expect(sandbox.calls).toHaveLength(count + 1);
    expect(sandbox.calls.at(-1)).toMatchObject({ readWhole: false });
    expect(sandbox.calls.at(-1)).not.toHaveProperty('callid');
  });

  it('is readable over HTTP, without the addresses that could forge an end', async () => {
    await place({ ...to('answered'), map: 'request:echo' });
    await receiver.nth(1);
    const text = await (await fetch(`${sandbox.url}/sandbox/calls`)).text();
    expect(JSON.parse(text).calls.length).toBe(sandbox.calls.length);
    expect(text).not.toContain(receiver.url);
    expect(text).not.toContain(token);
  });
});

describe('recordings', () => {
  it('answer to the call id or the file name, by GET or HEAD', async () => {
    await place(to('answered'));
    const { callid, audio_file } = (await receiver.nth(1)).body as Record<string, string>;
    for (const id of [callid, audio_file!.replace('.wav', '')]) {
      const head = await fetch(`${sandbox.url}/recordings?id=${id}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '16044']);
    }
  });

  it('do not exist for calls without a conversation', async () => {
    await place(to('busy'));
    const { callid } = (await receiver.nth(1)).body;
    expect((await fetch(`${sandbox.url}/recordings?id=${callid}`)).status).toBe(404);
  });
});

describe('the registration login', () => {
  const device_uuid = '6f1a1c52-7d2f-4b0e-9a41-5f6a3c0d8e11';
  const logIn = async (body: unknown) => {
    const response = await fetch(`${sandbox.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };

  it('answers with keys, settings, also names with leading spaces', async () => {
    const { status, body } = await logIn({ device_uuid, ...demoAccount });
    expect(status).toBe(200);
    expect(body).toEqual({
      code: 200,
      status: 'Ok',
      details: {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        id: expect.any(Number),
        email: demoAccount.email,
        first_name: expect.any(String),
        last_name: expect.any(String),
        client_key: expect.any(String),
        api_key: expect.any(String),
        settings: expect.arrayContaining([
          {
            service: { id: 1, name: 'intercomunexao', '   name': 'intercomunexao' },
            key: expect.any(String),
            value: expect.any(String),
            id: expect.any(Number),
          },
        ]),
      },
    });
    // They fit the columns of a real PBX's record.
    expect(body.details.client_key.length).toBeLessThanOrEqual(60);
    expect(body.details.api_key.length).toBeLessThanOrEqual(72);
  });

  it('refuses a wrong password', async () => {
    expect(await logIn({ device_uuid, ...demoAccount, password: 'no' })).toMatchObject({
      status: 401,
      body: { code: 401 },
    });
  });

  it('says which field is wrong', async () => {
    expect(await logIn({ device_uuid: 'x', ...demoAccount })).toMatchObject({
      status: 400,
      body: { message: 'device_uuid: expected a UUID, got "x"' },
    });
    expect((await logIn({ ...demoAccount })).status).toBe(400);
    expect((await logIn({ device_uuid, ...demoAccount, colour: 1 })).status).toBe(400);
  });
});

describe('the CRM', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await writeFile(folder.file('index.html'), '<!doctype html><head><title>CRM</title></head>');
  });
  afterAll(() => folder.remove());

  it('embeds the widget, trading its site key for tickets on its own server alone', async () => {
    const asked: { authorization: string | undefined; body: unknown }[] = [];
    const relay = await serveAsync(async (request, response) => {
      asked.push({ authorization: request.headers.authorization, body: await json(request) });
      response.end(JSON.stringify({ ticket: 'a-ticket', expiresAt: at }));
    });
    const site = await startSandbox({
      port: 0,
      crm: folder.path,
      relay: { url: relay.url, siteKey: 'site-key', from: '1105' },
    });

    const page = await fetch(site.url);
    expect(page.url).toBe(`${site.url}/crm/`);
    expect(page.headers.get('content-security-policy')).toContain(`default-src 'self' ${relay.url};`);
    const html = await page.text();
    expect(html).toContain(`<script type="module" src="${relay.url}/widget.js">`);
    expect(html).not.toContain('site-key');

    const given = await fetch(`${site.url}/dialmark-ticket`, { method: 'POST' });
    expect(await given.json()).toEqual({ ticket: 'a-ticket', expiresAt: at });
    expect(asked).toEqual([
      { authorization: 'Bearer site-key', body: { from: '1105', rights: ['watch'], ttl: 300 } },
    ]);
    const foreign = await fetch(`${site.url}/dialmark-ticket`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.status).toBe(403);

    await relay.close();
    expect((await fetch(`${site.url}/dialmark-ticket`)).status).toBe(502);
    await site.close();
  });

  it('serves nothing from outside its folder', async () => {
    const site = await startSandbox({ port: 0, crm: folder.path });
    for (const name of ['..%2f..%2fetc/passwd', '%2e%2e/%2e%2e/package.json', 'missing.js'])
      expect((await fetch(`${site.url}/crm/${name}`)).status).toBe(404);
    expect(await (await fetch(`${site.url}/crm/`)).text()).not.toContain('widget.js');
    await site.close();
  });
});
