import { once } from 'node:events';
import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  runServerCommand,
  type ServerProcess,
  startBuiltServer,
} from '../../testing/servers/built-server.ts';
import { type DiskFailure, failDisk } from '../../testing/servers/failing-disk.ts';
import { type Receiver, startReceiver } from '../../testing/servers/receiver.ts';
import { withSettableClock } from '../../testing/servers/settable-clock.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { type ScriptedAsterisk, startScriptedAsterisk } from './testing/scripted-asterisk.ts';

const built = { part: 'pbx', prefix: 'DIALMARK_PBX_' } as const;

let folder: TemporaryFolder;
let asterisk: ScriptedAsterisk;
let receiver: Receiver;
let service: ServerProcess;
let token: string;

const file = () => folder.file('pbx.db');
const environment = () => ({
  STORE: file(),
  AMI: `127.0.0.1:${asterisk.port}`,
  AMI_USER: 'u',
  AMI_SECRET: 's',
  RETURN_HOSTS: new URL(receiver.url).host,
});

beforeEach(async () => {
  folder = await temporaryFolder();
  asterisk = await startScriptedAsterisk();
  receiver = await startReceiver();
  const made = await runServerCommand(built, ['token', 'add'], environment());
  token = made.stdout.trim();
  service = await withSettableClock(() => startBuiltServer(built, environment()));
  await until(() => fetch(`${service.url}/readyz`).then(({ ok }) => ok), 'the login');
});
afterEach(async () => {
  await service.stop();
  await receiver.close();
  await asterisk.close();
  await folder.remove();
});

const place = async () => {
  const response = await fetch(`${service.url}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: '1105', to: '5511999990000', events: 'all', returnurl: receiver.url }),
  });
  const { callid = '' } = (await response.json()) as { callid?: string };
  return { status: response.status, callid };
};
const send = (callid: string, ...events: Record<string, string>[]) => {
  for (const event of events)
    asterisk.event({ Channel: 'PJSIP/1105-1', Uniqueid: callid, Linkedid: callid, ...event } as never);
};
const newChannel = { Event: 'Newchannel' };
const ringing = { Event: 'Newstate', ChannelStateDesc: 'Ringing' };
const hangup = { Event: 'Hangup', Cause: '19' };
const notified = (callid: string) =>
  receiver.received.filter(({ body }) => body.callid === callid).map(({ body }) => body.event);
const untilNotified = (callid: string, event: string) =>
  until(() => notified(callid).includes(event), `${event} of the call`);
/** @returns how long the answer took. */
const askHealth = async () => {
  const start = performance.now();
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  return performance.now() - start;
};
const refuseAll = () => {
  receiver.answer = (_one, response) => void response.writeHead(503).end();
};
const takeAll = () => {
  receiver.answer = (_one, response) => void response.writeHead(204).end();
};

describe('the calling service', () => {
  const failures: [string, DiskFailure][] = [
    ['is full', { calls: ['pwrite64'], error: 'ENOSPC' }],
    ['is read-only', { calls: ['pwrite64'], error: 'EROFS' }],
    ['cannot be synced', { calls: ['fsync', 'fdatasync'], error: 'EIO' }],
  ];
  it.each(failures)('ends the calls in progress on a disk that %s', async (_, failure) => {
    const { callid } = await place();
    send(callid, newChannel);
    refuseAll();
    const waiting = await place();
    send(waiting.callid, newChannel, hangup);
    await untilNotified(waiting.callid, 'lost-call');

    const disk = await failDisk(service.pid, failure);
    expect((await place()).status).toBe(507);
    send(callid, ringing, hangup);
    await until(
      () => service.output().includes('a delivery ended without a stored outcome'),
      'an attempt whose outcome cannot be written down',
    );
    await until(async () => (await fetch(`${service.url}/readyz`)).status === 503, 'the failing store');
    expect(await askHealth()).toBeLessThan(5000);
    await disk.heal();
    takeAll();

    await untilNotified(callid, 'lost-call');
    expect((await place()).status).toBe(200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  it('follows its calls while its store cannot be read', async () => {
    const { callid } = await place();
    send(callid, newChannel);
    // Another program's write: what was read before is not valid any more.
    await runServerCommand(built, ['token', 'add'], environment());
    const disk = await failDisk(service.pid, { calls: ['pread64'], error: 'EIO' });
    asterisk.event({ ...newChannel, Channel: 'PJSIP/1200-1', Uniqueid: 'foreign', Linkedid: 'foreign' });
    await until(() => service.output().includes('could not be looked up'), 'the failed look-up');
    send(callid, ringing, hangup);
    await until(() => service.output().includes('"outcome":"callerNoAnswer"'), 'the end of the call');
    await disk.heal();
    await untilNotified(callid, 'lost-call');
    expect(asterisk.actions.filter(({ Action }) => Action === 'Login')).toHaveLength(1);
  });

  it('reports a refused login once, however often it is tried', async () => {
    const logins = () => asterisk.actions.filter(({ Action }) => Action === 'Login').length;
    const reports = () =>
      service.output().match(/Asterisk refused the login of u: Authentication failed/g) ?? [];
    const before = logins();
    asterisk.answers.Login = (_action, answer) =>
      answer({ Response: 'Error', Message: 'Authentication failed' });
    asterisk.cut();
    await until(() => logins() >= before + 4, 'four logins');
    expect(reports()).toHaveLength(1);
    delete asterisk.answers.Login;
    await until(() => fetch(`${service.url}/readyz`).then(({ ok }) => ok), 'the login');
  });

  it('leaves calls alone that Asterisk began while the service was stopped for 11 s', async () => {
    const answers: (() => void)[] = [];
    const placed = await place();
    asterisk.answers.Originate = (_action, answer) => answers.push(() => answer({ Response: 'Success' }));
    const asked = place();
    await until(() => answers.length === 1, 'the second Originate');
    process.kill(service.pid, 'SIGSTOP');
    const begun = { ...newChannel, Timestamp: String(Date.now() / 1000) };
    send(placed.callid, begun);
    answers[0]!();
    // Longer than an Originate may take to be carried out.
    await pause(11_000);
    process.kill(service.pid, 'SIGCONT');
    expect(await asked).toMatchObject({ status: 200 });
    send(placed.callid, ringing, hangup);
    await untilNotified(placed.callid, 'lost-call');
    expect(asterisk.actions.filter(({ Action }) => Action === 'Hangup')).toEqual([]);
  });

  it('places only the calls whose clients still wait once it was stopped for 4 s', async () => {
    process.kill(service.pid, 'SIGSTOP');
    const { hostname, port } = new URL(service.url);
    const left = connect(Number(port), hostname);
    left.end(`GET /call?from=1105&to=5511999990001&token=${token} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    await once(left, 'finish');
    left.destroy();
    const waiting = place();
    await pause(4000);
    process.kill(service.pid, 'SIGCONT');
    expect(await waiting).toMatchObject({ status: 200 });
    const originated = () => asterisk.actions.filter(({ Action }) => Action === 'Originate');
    const isOver = () => originated().length > 1 || service.output().includes('its client gave up');
    await until(isOver, 'the end of the request given up');
    expect(originated().map(({ Exten }) => Exten)).toEqual(['5511999990000']);
  });

  it('answers while another program locks its store for 10 s', async () => {
    const { callid } = await place();
    const other = new DatabaseSync(file());
    const lockedAt = performance.now();
    other.exec('BEGIN IMMEDIATE');
    const [health, refused] = await Promise.all([askHealth(), place()]);
    expect(refused.status).toBe(507);
    send(callid, newChannel, ringing, hangup);
    const times = [health];
    await until(async () => {
      times.push(await askHealth());
      return performance.now() - lockedAt > 10_000;
    }, 'the end of the lock');
    expect(Math.max(...times)).toBeLessThan(2000);
    expect((await place()).status).toBe(507);
    expect(notified(callid)).toEqual([]);
    other.exec('ROLLBACK');
    other.close();
    await untilNotified(callid, 'lost-call');
    expect((await place()).status).toBe(200);
  });

  it('takes no call once its store was replaced, but ends those in progress', async () => {
    const { callid } = await place();
    await copyFile(file(), `${file()}.copy`);
    await rename(`${file()}.copy`, file());
    expect((await place()).status).toBe(507);
    expect(service.output()).toContain('replaced');
    send(callid, newChannel, hangup);
    await untilNotified(callid, 'lost-call');
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    await askHealth();
  });

  it('goes on when its store is corrupted', async () => {
    await writeFile(file(), 'x'.repeat(64 * 1024));
    await rm(`${file()}-wal`, { force: true });
    for (let tries = 0; tries < 3; tries += 1) {
      expect([200, 507]).toContain((await place()).status);
      await askHealth();
    }
  });

  it('does not start on a corrupted store, nor leaves anything running', async () => {
    await service.stop();
    await writeFile(file(), 'x'.repeat(5000));
    await rm(`${file()}-wal`, { force: true });
    const { code, stderr } = await service.run();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`DIALMARK_PBX_STORE: expected a store at ${file()}`),
    ]);
  });

  it('starts though old calls cannot be deleted', async () => {
    await service.stop();
    const other = new DatabaseSync(file());
    other.exec(`CREATE TRIGGER keep BEFORE DELETE ON call BEGIN SELECT RAISE(FAIL, 'kept'); END;
      INSERT INTO call (callid, token_id, fingerprint, request, created_at, phase, progress)
      VALUES ('old', 'token', 'f', '{}', 1, 'ended', '{}')`);
    other.close();
    await service.start();
    await askHealth();
    expect(service.output()).toContain('old calls could not be deleted');
  });

  it.each([
    ['forward', 'SIGUSR2'],
    ['back', 'SIGIO'],
  ] as const)('keeps its calls when the clock is set %s by a day', async (_, signal) => {
    refuseAll();
    const ended = await place();
    send(ended.callid, newChannel, hangup);
    await untilNotified(ended.callid, 'lost-call');
    const { callid } = await place();
    process.kill(service.pid, signal);
    send(callid, newChannel, ringing);
    await until(() => notified(callid).includes('ringing'), 'the ringing');
    takeAll();
    const attempts = notified(ended.callid).length;
    await until(() => notified(ended.callid).length > attempts, 'the end that waited');
    send(callid, hangup);
    await untilNotified(callid, 'lost-call');
    expect(asterisk.actions.filter(({ Action }) => Action === 'Hangup')).toEqual([]);
  });
});
