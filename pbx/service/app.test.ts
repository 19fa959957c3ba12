import { symlink } from 'node:fs/promises';
import { connect } from 'node:net';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runServerCommand } from '../../testing/servers/built-server.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { readPbxSettings } from './settings.ts';
import { type RunningPbxService, startPbxService } from './start-pbx-service.ts';
import { type ScriptedAsterisk, startScriptedAsterisk } from './testing/scripted-asterisk.ts';
import { makeToken } from './token.ts';

const { token, stored } = makeToken('test', 1);
const other = makeToken('other', 1);
const log: string[] = [];
let folder: TemporaryFolder;
let asterisk: ScriptedAsterisk;
let service: RunningPbxService;

beforeAll(async () => {
  folder = await temporaryFolder();
  asterisk = await startScriptedAsterisk();
  service = await startPbxService(
    readPbxSettings({
      DIALMARK_PBX_LISTEN: '127.0.0.1:0',
      DIALMARK_PBX_STORE: folder.file('pbx.db'),
      DIALMARK_PBX_AMI: `127.0.0.1:${asterisk.port}`,
      DIALMARK_PBX_AMI_USER: 'u',
      DIALMARK_PBX_AMI_SECRET: 'the-ami-secret',
      DIALMARK_PBX_RETURN_HOSTS: 'relay.example',
    }),
    pino({ level: 'debug' }, { write: (line: string) => void log.push(line) }),
  );
  service.store.addToken(stored);
  service.store.addToken(other.stored);
  await until(() => fetch(`${service.url}/readyz`).then(({ ok }) => ok), 'the login');
});
beforeEach(() => {
  asterisk.actions.length = 0;
});
afterAll(async () => {
  await service.stop();
  await asterisk.close();
  await folder.remove();
});

const originates = () => asterisk.actions.filter(({ Action }) => Action === 'Originate');
const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('/call', () => {
  it('whatever is sent: no 5xx; an action of one number, one agent, no more lines', async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '1105',
        '5511',
        '1\r\nAction: Hangup',
        '1&SIP/2',
        '1,2',
        '$'.concat('{EXTEN}'),
        '__proto__',
      ),
      fc.jsonValue(),
    );
    const names = [
      'from',
      'to',
      'timeout',
      'force_from',
      'returnurl',
      'callerid',
      'map',
      'version',
      'events',
    ];
    const body = fc.oneof(
      fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 12 })), hostile),
      fc.record({ from: hostile, to: hostile }),
      fc.string({ maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const { status } = await post(sent);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
    for (const action of originates()) {
      expect(action.Channel).toMatch(/^PJSIP\/[A-Za-z0-9_.+#*-]{1,64}$/);
      expect(action.Exten).toMatch(/^\d{1,32}$/);
    }
    for (const { Action } of asterisk.actions) expect(['Originate', 'Ping']).toContain(Action);
  });

  it('whatever is in the query: no 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.webQueryParameters(), fc.boolean(), async (query, hasToken) => {
        const { status } = await fetch(`${service.url}/call?${hasToken ? `token=${token}&` : ''}${query}`);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });

  it('whatever bytes come instead of HTTP: the service goes on', async () => {
    const port = Number(new URL(service.url).port);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        await new Promise((resolve) => {
          socket.on('close', resolve).resume();
          socket.end(Buffer.from(bytes));
        });
      }),
      { numRuns: 30 },
    );
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });

  it('whatever events come from Asterisk: the service goes on, without an action of its own', async () => {
    const { callid } = (await (await post({ from: '1105', to: '5511999990000' })).json()) as {
      callid: string;
    };
    asterisk.actions.length = 0;
    const value = fc.oneof(
      fc.constantFrom(callid, `originate-${callid}`, 'Up', 'Ringing', '__proto__', '16', '', '1e999'),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
    );
    const name = fc.constantFrom(
      ...['Uniqueid', 'Linkedid', 'ActionID', 'Channel', 'ChannelStateDesc', 'Cause', 'Timestamp'],
      ...['Response', 'Reason', 'Variable', 'Value', 'Message', 'constructor'],
    );
    const event = fc.constantFrom(
      ...['Newchannel', 'Newstate', 'Hangup', 'HangupRequest', 'SoftHangupRequest', 'VarSet'],
      ...['OriginateResponse', 'Status', 'StatusComplete', 'Rename', 'toString'],
    );
    const lines = fc.array(fc.tuple(name, value), { maxLength: 8 });
    fc.assert(
      fc.property(event, lines, (named, fields) => {
        const text = [['Event', named], ...fields].map(([key, each]) => `${key}: ${each}`).join('\r\n');
        asterisk.write(`${text}\r\n\r\n`);
      }),
      { numRuns: 300 },
    );
    // What is written after all of it is read after all of it.
    await until(() => fetch(`${service.url}/readyz`).then(({ ok }) => ok), 'the connection');
    expect((await post({ from: '1106', to: '5511999990000' })).status).toBe(200);
    for (const { Action } of asterisk.actions)
      expect(['Originate', 'Ping', 'Login', 'Challenge', 'Events', 'Status']).toContain(Action);
    expect(originates()).toHaveLength(1);
  });

  it('places nothing by HEAD', async () => {
    const query = new URLSearchParams({ token, from: '1105', to: '5511999990000' });
    expect((await fetch(`${service.url}/call?${query}`, { method: 'HEAD' })).status).toBe(404);
    expect(originates()).toEqual([]);
  });

  it('refuses a returnurl of a host that is not on the list', async () => {
    const response = await post({ from: '1105', to: '1', returnurl: 'https://evil.example/' });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('RETURN_HOSTS')]);
    expect(originates()).toEqual([]);
  });

  it.each(['', 'a b', 'x'.repeat(201), 'é'])('refuses the Idempotency-Key %j', async (key) => {
    const response = await post({ from: '1105', to: '1' }, { 'idempotency-key': key });
    expect(response.status).toBe(400);
  });

  it('refuses a body of more than 64 KiB', async () => {
    expect((await post({ from: '1105', to: '1', map: 'x'.repeat(70_000) })).status).toBe(413);
  });
});

it('hangs up nothing without a token', async () => {
  expect((await fetch(`${service.url}/call/x`, { method: 'DELETE' })).status).toBe(401);
});

describe('a token', () => {
  const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
  const hangUp = async (callid: string, by: { token: string }) => {
    const response = await fetch(`${service.url}/call/${callid}`, { method: 'DELETE', headers: as(by) });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const place = async (by: { token: string }, key: string) =>
    (await (await post({ from: '1105', to: '1' }, { ...as(by), 'idempotency-key': key })).json()) as {
      callid: string;
    };

  it('hangs up no call that another token placed', async () => {
    const { callid } = await place({ token }, 'mine');
    expect(await hangUp(callid, other)).toMatchObject({ status: 404, body: { code: 'unknown-call' } });
    expect(asterisk.actions.filter(({ Action }) => Action === 'Hangup')).toEqual([]);
    expect((await hangUp(callid, { token })).status).toBe(202);
  });

  it('has Idempotency-Keys of its own', async () => {
    const [mine, theirs] = [await place({ token }, 'same'), await place(other, 'same')];
    expect(mine.callid).not.toBe(theirs.callid);
    expect(await place(other, 'same')).toEqual(theirs);
  });

  it('gets the reason where Asterisk refuses to hang up', async () => {
    const { callid } = await place({ token }, 'denied');
    asterisk.answers.Hangup = (_action, send) => send({ Response: 'Error', Message: 'Permission denied' });
    const { status, body } = await hangUp(callid, { token });
    delete asterisk.answers.Hangup;
    expect([status, body.code, body.message]).toEqual([
      422,
      'pbx-refused',
      'Asterisk refused to hang up: Permission denied',
    ]);
  });

  it('learns that a call may go on when Asterisk does not answer a hang-up', async () => {
    const { callid } = await place({ token }, 'silent');
    asterisk.answers.Hangup = () => {};
    const { status, body } = await hangUp(callid, { token });
    delete asterisk.answers.Hangup;
    expect([status, body.message]).toEqual([504, 'Asterisk did not answer in time; the call may go on.']);
  });

  it('is served however often wrong ones came from its address', async () => {
    const wrong = async () => (await hangUp('x', { token: 'dmp_guess' })).status;
    const statuses = new Set<number>();
    for (let tries = 0; tries < 120; tries += 1) statuses.add(await wrong());
    expect(statuses).toContain(429);
    expect((await hangUp('x', { token })).status).toBe(404);
  });
});

describe('what operators need', () => {
  it('answers liveness apart from readiness', async () => {
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  it('counts calls for Prometheus beside connections', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).toMatch(/^dialmark_pbx_asterisk_up 1$/m);
  });

  it.each([
    ['its path', 'pbx.db'],
    ['a symlink', 'link.db'],
  ])('keeps a second service away from its store reached by %s', async (_, name) => {
    if (name === 'link.db') await symlink(folder.file('pbx.db'), folder.file(name));
    const { code, stderr } = await runServerCommand({ part: 'pbx', prefix: 'DIALMARK_PBX_' }, [], {
      STORE: folder.file(name),
      AMI: `127.0.0.1:${asterisk.port}`,
      AMI_USER: 'u',
      AMI_SECRET: 'the-ami-secret',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('DIALMARK_PBX_STORE')]);
    expect(stderr).toContain(folder.file('pbx.db'));
  });

  it('writes neither token nor secret nor number into its log', async () => {
    await post({ from: '551133334444', to: '5511987654321' });
    const all = log.join('');
    expect(all).toContain('a call was asked for');
    for (const secret of [token, 'the-ami-secret', '5511987654321', '551133334444'])
      expect(all).not.toContain(secret);
  });
});
