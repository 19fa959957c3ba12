import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeLog } from '../../shared/server/log.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { forgetNumber } from '../../testing/relay/forget-number.ts';
import { type RelayProcess, runRelayCommand, startRelayProcess } from '../../testing/relay/relay-process.ts';
import {
  type AskOptions,
  announce,
  ask,
  hangup,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { type RedisServer, startRedis } from '../../testing/servers/redis-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/servers/webhook-receiver.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { openStore } from '../store/open-store.ts';

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const [current, previous] = [makeSecret(), makeSecret()];
const number = '48999998888';
let folder: TemporaryFolder;
let redis: RedisServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  folder = await temporaryFolder();
  redis = await startRedis(true);
});
afterAll(async () => {
  await redis.stop();
  await folder.remove();
});
beforeEach(async () => {
  receiver = await startWebhookReceiver(current, previous);
});

const cleaning: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
  await receiver.close();
});

const environment = (more: Record<string, string> = {}) => ({
  FORWARD_URL: receiver.url,
  FORWARD_SECRET: `${current},${previous}`,
  ...more,
});
const startRelay = async (more: Record<string, string> = {}, log?: Parameters<typeof startTestRelay>[1]) => {
  const relay = await startTestRelay(environment(more), log);
  cleaning.push(relay.stop);
  return relay;
};
const startProcess = async (settings: Record<string, string>): Promise<RelayProcess> => {
  const relay = await startRelayProcess(settings);
  cleaning.push(() => relay.stop());
  return relay;
};
const post = (returnUrl: string, text: string) =>
  fetch(returnUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
const untilEmpty = (relay: Pick<TestRelay, 'store'>) =>
  until(
    async () => (await relay.store.forwards.list(10)).every(({ dead }) => dead),
    'the forwarded messages',
  );

describe('a forwarded notification', () => {
  it('is what came, without the capability, signed with both secrets', async () => {
    const relay = await startRelay();
    const agent = await relay.agent('1105');
    const {
      call: { id: callId },
      returnUrl,
    } = await announce(relay.url, agent, number);
    const sent = hangup({
      to: number,
      request: { returnurl: returnUrl, from: '1105' },
      note: `see ${returnUrl}`,
    });
    expect((await relay.ask(returnUrl, { body: sent })).status).toBe(200);
    const [hook] = await receiver.until(1);
    expect(hook).toMatchObject({ id: `msg_${callId}_hungUp`, signedWith: [0, 1] });
    expect(JSON.parse(hook!.text)).toEqual({
      ...sent,
      request: { from: '1105' },
      note: expect.stringContaining('[removed]'),
      placedBy: 'client',
    });
    const capability = new URL(returnUrl).pathname.split('/').pop()!;
    for (const part of [hook!.text, JSON.stringify(hook!.headers)]) expect(part).not.toContain(capability);

    await relay.ask(returnUrl, { body: sent });
    await relay.ask(returnUrl, { body: { ...sent, billsec: '1' } });
    const other = await announce(relay.url, agent, number);
    await relay.ask(other.returnUrl, { body: hangup() });
    await receiver.until(2);
    await untilEmpty(relay);
    expect(receiver.received.map(({ id }) => id)).toEqual([hook!.id, `msg_${other.call.id}_hungUp`]);
  });

  it('has the names of the provider’s map, or those of the operator’s', async () => {
    const settings = { PROVIDER_MAP: 'callid:external_id,request:echo' };
    for (const [more, expected] of [
      [{}, { event: 'hangup', external_id: 'p1', duration: 3, echo: {} }],
      [{ FORWARD_MAP: 'duration:seconds' }, { event: 'hangup', callid: 'p1', seconds: 3, request: {} }],
    ] as const) {
      const relay = await startRelay({ ...settings, ...more });
      const { returnUrl } = await announce(relay.url, await relay.agent('1105'), number);
      receiver.received.length = 0;
      const body = { event: 'hangup', external_id: 'p1', duration: 3, echo: { returnurl: returnUrl } };
      await relay.ask(returnUrl, { body });
      expect(JSON.parse((await receiver.until(1))[0]!.text)).toEqual({ ...expected, placedBy: 'client' });
    }
  });

  it('is equal to the largest body that is accepted, however hostile', async () => {
    const relay = await startRelay();
    const { returnUrl } = await announce(relay.url, await relay.agent('1105'), number);
    const nested = `${'['.repeat(15)}${']'.repeat(15)}`;
    const start = `{"event":"hangup","duration":1,"__proto__":{"constructor":null},"nested":${nested},"odd":"\\ud800 \\u0000 / é \u2028 </script>","fill":"`;
    const text = `${start}${'\\"'.repeat(Math.floor((65_536 - Buffer.byteLength(start) - 2) / 2))}"}`;
    expect(Buffer.byteLength(text)).toBeGreaterThan(65_533);
    expect((await post(returnUrl, text)).status).toBe(200);
    const [hook] = await receiver.until(1);
    expect(hook!.text).toBe(`${text.slice(0, -1)},"placedBy":"client"}`);
    expect(hook!.signedWith).toEqual([0, 1]);
  });

  it('is not made from a refused body', async () => {
    const relay = await startRelay();
    const { returnUrl } = await announce(relay.url, await relay.agent('1105'), number);
    for (const text of ['[]', '"x"', '{"event":"dance"}', '{', '{"event":"hangup"}x'])
      expect((await post(returnUrl, text)).status).toBeGreaterThanOrEqual(400);
    const forged = returnUrl.slice(0, -1) + (returnUrl.endsWith('_') ? '-' : '_');
    expect((await post(forged, '{"event":"hangup"}')).status).toBe(404);
    expect(await relay.store.forwards.list(10)).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  it('is deleted with its number, having been counted', async () => {
    receiver.answer = (_hook, response) => void response.writeHead(410).end();
    const relay = await startRelay();
    const { returnUrl } = await announce(relay.url, await relay.agent('1105'), number);
    await relay.ask(returnUrl, { body: hangup({ to: number }) });
    await receiver.until(1);
    await untilEmpty(relay);
    expect(await relay.store.forwards.list(10)).toMatchObject([{ dead: true, to: number }]);
    const metrics = (await relay.ask('/metrics')).text;
    expect(metrics).toContain('dialmark_forwards_total{outcome="dead"} 1');
    expect(metrics).toMatch(/dialmark_forwards_pending \d/);
    expect(await forgetNumber(relay.store, number)).toBe(1);
    expect(await relay.store.forwards.list(10)).toEqual([]);
  });

  it('leaves no secret, address or whole number in the log, whatever its outcome', async () => {
    let logged = '';
    const destination = new PassThrough();
    destination.on('data', (chunk) => {
      logged += chunk;
    });
    const relay = await startRelay({}, makeLog('debug', destination));
    const agent = await relay.agent('1105');
    for (const status of [200, 410, 500]) {
      receiver.answer = (_hook, response) => void response.writeHead(status).end();
      const { returnUrl } = await announce(relay.url, agent, number);
      // It may be forwarded before the relay's own answer is read.
      const forwarded = receiver.until(receiver.received.length + 1);
      await relay.ask(returnUrl, { body: hangup({ to: number, request: { returnurl: returnUrl } }) });
      await forwarded;
      const isAttempted = async () =>
        (await relay.store.forwards.list(10)).every(({ dead, note }) => dead || note !== '');
      await until(isAttempted, 'the end of the attempt');
    }
    await relay.stop();
    for (const message of ['was forwarded', 'kept as dead', 'not be forwarded yet', 'HTTP 500'])
      expect(logged).toContain(message);
    for (const secret of [current, previous]) expect(logged).not.toContain(secret.slice(6, 30));
    for (const { headers } of receiver.received)
      for (const signature of String(headers['webhook-signature']).split(' '))
        expect(logged).not.toContain(signature.slice(3, 23));
    expect(logged).not.toContain('/hook');
    expect(logged).not.toContain(number);
  });
});

describe('the queue of a relay that is killed', () => {
  it('continues under the same id after a kill before the receiver’s reply', async () => {
    const settings = environment({ STORE: `sqlite:${folder.file('killed.db')}` });
    const agent = (
      await runRelayCommand(['key', 'add', '--from', '1105', '--client-calls', '--create'], settings)
    ).stdout.trim();
    const relay = await startProcess(settings);
    const at = { ask: (path: string, options?: AskOptions) => ask(relay.url, path, options) };
    const {
      call: { id: callId },
      returnUrl,
    } = await announce(relay.url, agent, number);
    // The receiver reads, and never answers.
    receiver.answer = () => {};
    const body = hangup({ request: { returnurl: returnUrl } });
    expect((await at.ask(returnUrl, { body })).status).toBe(200);
    await receiver.until(1);
    await relay.stop('SIGKILL');
    receiver.answer = (_hook, response) => void response.writeHead(204).end();
    await startProcess(settings);
    const [first, second] = await receiver.until(2);
    expect(second!.id).toBe(`msg_${callId}_hungUp`);
    expect([second!.id, second!.text]).toEqual([first!.id, first!.text]);
    expect(second!.signedWith).toEqual([0, 1]);
  });

  it('continues after a kill before the first attempt', async () => {
    const store = `sqlite:${folder.file('committed.db')}`;
    const opened = await openStore({ store });
    const intent = clientIntent('1105', { to: number });
    const { call, now } = intent;
    await opened.calls.place(intent);
    const forward = { id: 'msg_kept', body: '{"event":"hangup"}' };
    const arrival = { event: 'hungUp', digest: 'd', forward };
    await opened.calls.apply({
      callId: call.id,
      fact: { kind: 'hungUp', at: call.createdAt, details: {} },
      arrival,
      now,
    });
    await opened.close();
    await startProcess(environment({ STORE: store }));
    expect(await receiver.until(1)).toMatchObject([
      { id: 'msg_kept', text: forward.body, signedWith: [0, 1] },
    ]);
  });
});

describe.each(['sqlite', 'redis'])('the command line on %s', (engine) => {
  it('lists, retries or drops what could not be forwarded while the relay runs', async () => {
    const store = engine === 'redis' ? redis.url : `sqlite:${folder.file('dead.db')}`;
    const settings = environment({ STORE: store, SECRET: 'a secret that two processes of one store share' });
    const run = (...args: string[]) => runRelayCommand(['forward', ...args], settings);
    const relay = await startRelay({
      STORE: store,
      SECRET: 'a secret that two processes of one store share',
    });
    const agent = await relay.agent('1105');
    receiver.answer = (_hook, response) => void response.writeHead(410).end();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const {
        call: { id: callId },
        returnUrl,
      } = await announce(relay.url, agent, number);
      await relay.ask(returnUrl, { body: hangup({ to: number }) });
      ids.push(`msg_${callId}_hungUp`);
    }
    await receiver.until(3);
    await untilEmpty(relay);

    const { stdout } = await run('list');
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(3);
    for (const id of ids)
      expect(lines.find((line) => line.startsWith(id))).toMatch(
        /\tdead\t\d{4}-\S+Z\t1 attempt\t1105\t\*{9}88\tHTTP 410$/,
      );
    expect(stdout).not.toContain(number);

    receiver.answer = (_hook, response) => void response.writeHead(200).end();
    expect(await run('retry', ids[0]!)).toMatchObject({ code: 0, stdout: '1 to be forwarded again\n' });
    expect((await receiver.until(4))[3]!.id).toBe(ids[0]);
    expect(await run('drop', ids[1]!)).toMatchObject({ code: 0, stdout: `${ids[1]} dropped\n` });
    expect(await run('retry', 'all')).toMatchObject({ code: 0, stdout: '1 to be forwarded again\n' });
    expect((await receiver.until(5))[4]!.id).toBe(ids[2]);
    await untilEmpty(relay);
    expect((await run('list')).stdout).toBe('');
    expect((await relay.store.rules.audit('1970-01-01T00:00:00Z', 9)).records).toEqual(
      [
        ['forward.retry', 'all'],
        ['forward.drop', ids[1]],
        ['forward.retry', ids[0]],
      ].map(([action, about]) => ({ at: expect.any(String), action, by: 'operator', about })),
    );
    for (const command of ['retry', 'drop'])
      expect(await run(command, 'msg_none')).toMatchObject({
        ...{ code: 1, stdout: '' },
        stderr: expect.stringContaining('forward list'),
      });
  });
});

describe('two relays on one Redis', () => {
  it('send each notification once between them', async () => {
    const settings = { STORE: redis.url, SECRET: 'a secret that two relays of one Redis share' };
    const relays = [await startRelay(settings), await startRelay(settings)];
    const agent = await relays[0]!.agent('1105');
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const {
          call: { id: callId },
          returnUrl,
        } = await announce(relays[0]!.url, agent, number);
        const path = new URL(returnUrl).pathname;
        expect((await relays[n % 2]!.ask(path, { body: hangup() })).status).toBe(200);
        return `msg_${callId}_hungUp`;
      }),
    );
    await receiver.until(20);
    await untilEmpty(relays[0]!);
    expect(receiver.received.map(({ id }) => id).sort()).toEqual(ids.sort());
  });
});
