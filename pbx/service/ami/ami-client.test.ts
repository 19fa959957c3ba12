import dns from 'node:dns';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { stopProcess } from '../../../testing/stop-process.ts';
import { until } from '../../../testing/until.ts';
import { type ScriptedAsterisk, startScriptedAsterisk } from '../testing/scripted-asterisk.ts';
import { AmiClient, AmiLoginError } from './ami-client.ts';

let asterisk: ScriptedAsterisk;
let client: AmiClient;
let losses: Error[];
let events: string[];

beforeEach(async () => {
  asterisk = await startScriptedAsterisk();
  losses = [];
  events = [];
  client = clientOf('127.0.0.1', asterisk.port);
});
afterEach(async () => {
  client.stop();
  await asterisk.close();
});

const clientOf = (host: string, port: number) =>
  new AmiClient({
    host,
    port,
    username: 'u',
    secret: 's',
    onEvent: ({ Event }) => void events.push(Event!),
    onLogin: async () => {},
    onLost: (error) => void losses.push(error),
    actionTimeoutMs: 500,
    pingIntervalMs: 20,
  });

function lookUpBy(answer: (done: (...result: unknown[]) => void) => void) {
  const lookup = vi.spyOn(dns, 'lookup') as unknown as MockInstance<(...input: unknown[]) => void>;
  lookup.mockImplementation((...input) => answer(input.at(-1) as (...result: unknown[]) => void));
  onTestFinished(() => lookup.mockRestore());
  return lookup;
}

it('waits for one lookup of a host, however often it tries to connect', async () => {
  let fail = () => {};
  const lookup = lookUpBy((done) => {
    fail = () => done(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }));
  });
  client = clientOf('silent.example', 1);
  client.start();
  await until(() => losses.length > 2, 'three failures');
  expect(lookup).toHaveBeenCalledTimes(1);
  fail();
});

it('names each address of a host that does not answer', async () => {
  const found = ['127.0.0.1', '::1'].map((address, index) => ({ address, family: index === 0 ? 4 : 6 }));
  lookUpBy((done) => done(null, found));
  client = clientOf('pbx.example', 1);
  client.start();
  await until(() => losses.length > 0, 'the failure');
  expect(losses[0]?.message).toMatch(/^connect E\w+ 127\.0\.0\.1:1\b.*; connect E\w+ ::1:1\b/);
});

it('takes an answer that came while the process was stopped for longer than it may take', async () => {
  client.start();
  await until(() => client.isReady, 'the login');
  asterisk.answers.Originate = (_action, send) => {
    send({ Response: 'Success' });
    stopProcess(1000);
  };
  expect(await client.action({ Action: 'Originate' })).toMatchObject({ Response: 'Success' });
});

describe('an Asterisk that shuts down once its calls have ended', () => {
  const refuses = { Response: 'Error', Message: 'Asterisk is shutting down' };

  it('keeps its connection, which brings the ends of those calls', async () => {
    let pings = 0;
    asterisk.answers.Ping = (_action, send) => {
      pings += 1;
      send(refuses);
    };
    client.start();
    await until(() => pings > 2, 'three answers');
    asterisk.event({ Event: 'Hangup' });
    await until(() => events.includes('Hangup'), 'the end');
    expect(losses).toEqual([]);
  });

  it('is not taken for one that refuses the secret', async () => {
    asterisk.answers.Login = (_action, send) => send(refuses);
    client.start();
    await until(() => losses.length > 0, 'the refusal');
    expect(losses[0]).not.toBeInstanceOf(AmiLoginError);
    expect([losses[0]?.message, client.isLoginRefused]).toEqual([
      expect.stringContaining('shutting down'),
      false,
    ]);
  });
});
