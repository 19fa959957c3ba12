import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../testing/temporary-folder.ts';
import { until } from '../../../testing/until.ts';
import { AmiClient } from '../ami/ami-client.ts';
import type { AmiPacket } from '../ami/ami-packets.ts';
import { PbxStore } from '../store/pbx-store.ts';
import { type ScriptedAsterisk, startScriptedAsterisk } from '../testing/scripted-asterisk.ts';
import { CallOriginator } from './call-originator.ts';
import { OpenCalls } from './open-calls.ts';

const request = {
  from: '1105',
  to: '5511999990000',
  events: 'all' as const,
  returnurl: 'http://127.0.0.1:1/n',
};
const log = pino({ level: 'silent' });

let folder: TemporaryFolder;
let clock: number;
let asterisk: ScriptedAsterisk;
let store: PbxStore;
let ami: AmiClient;
let openCalls: OpenCalls;
let originator: CallOriginator;

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = Date.now();
  asterisk = await startScriptedAsterisk();
  await start();
});
afterEach(async () => {
  end();
  await asterisk.close();
  await folder.remove();
});

/** What a start of the service does. */
async function start(actionTimeoutMs = 60_000, checkEveryMs?: number) {
  store = new PbxStore(folder.file('pbx.db'));
  const client: AmiClient = new AmiClient({
    host: '127.0.0.1',
    port: asterisk.port,
    username: 'u',
    secret: 's',
    onEvent: (event) => calls.handleEvent(event),
    onLogin: () => calls.reconcile(),
    onLost: () => calls.disconnected(),
    actionTimeoutMs,
    reconnectDelayMs: 20,
  });
  const calls = new OpenCalls({
    store,
    ami: client,
    recordingAddress: () => '',
    onNotification: () => {},
    log,
    now: () => clock,
    elapsed: () => clock,
    checkAfterMs: 50,
    checkEveryMs,
  });
  openCalls = calls;
  originator = new CallOriginator({
    store,
    ami: client,
    openCalls: calls,
    dialPlan: { agentChannel: 'PJSIP/{from}', context: 'from-internal', extension: '{to}', priority: 1 },
    defaultTimeoutSeconds: 12,
    log,
    now: () => clock,
  });
  ami = client;
  client.start();
  await until(() => client.isReady, 'the login');
}
function end() {
  ami.stop();
  store.close();
}

const place = (sent: typeof request, key: string | undefined) => originator.place(sent, 'token', key);
const named = (name: string) => asterisk.actions.filter(({ Action }) => Action === name);
const notified = () =>
  store.dueNotifications(clock + 1, 100).map(({ body }) => (JSON.parse(body) as { event: string }).event);
const channel = (callid: string, state = 'Ringing') => ({
  Channel: 'PJSIP/1105-00000001',
  ChannelStateDesc: state,
  Uniqueid: callid,
  Linkedid: callid,
});
const originated = (): AmiPacket => named('Originate').at(-1)!;

describe('place', () => {
  it('writes the call down before Originate is sent', async () => {
    let phase: string | undefined;
    asterisk.answers.Originate = (action, send) => {
      const other = new PbxStore(folder.file('pbx.db'));
      phase = other.call(action.ChannelId!)?.phase;
      other.close();
      send({ Response: 'Success' });
    };
    const placed = await place(request, undefined);
    expect([placed.kind, phase]).toEqual(['trying', 'sending']);
    expect(originated()).toMatchObject({
      Channel: 'PJSIP/1105',
      Exten: '5511999990000',
      Context: 'from-internal',
      Timeout: '12000',
      CallerID: '00001105',
      Async: 'true',
    });
  });

  it('refuses what Asterisk refuses, with the number named where the dialplan lacks it', async () => {
    asterisk.answers.Originate = (_action, send) =>
      send({ Response: 'Error', Message: 'Extension does not exist.' });
    expect(await place(request, 'k')).toMatchObject({
      kind: 'refused',
      code: 'number-unknown',
      message: expect.stringMatching(/from-internal .* 5511999990000; an Asterisk that is just starting/),
    });
    expect(await place(request, 'k')).toMatchObject({ kind: 'refused', code: 'pbx-refused' });
    expect([openCalls.size, named('Originate').length]).toEqual([0, 1]);
  });

  it('refuses calls without queueing them while Asterisk is away', async () => {
    await asterisk.close();
    await until(() => !ami.isReady, 'the loss');
    expect(await place(request, 'k')).toMatchObject({ code: 'pbx-unreachable' });
    expect(store.callOfKey('token', 'k')).toBeUndefined();
    asterisk = await startScriptedAsterisk();
  });

  it('refuses where the store cannot be written, sending nothing', async () => {
    store.close();
    expect(await place(request, undefined)).toMatchObject({ code: 'store-failed' });
    expect(named('Originate')).toEqual([]);
    store = new PbxStore(folder.file('pbx.db'));
  });

  it('sends one Originate for a key, however often it comes', async () => {
    const placed = await Promise.all(Array.from({ length: 20 }, () => place(request, 'k')));
    expect(new Set(placed.map((one) => JSON.stringify(one))).size).toBe(1);
    end();
    await start();
    await place(request, 'k');
    expect(await place({ ...request, to: '1' }, 'k')).toMatchObject({ code: 'key-reused' });
    expect(named('Originate')).toHaveLength(1);
  });
});

describe('an Originate without an answer', () => {
  beforeEach(async () => {
    end();
    await start(500);
  });

  it.each([
    ['in time', () => {}],
    ['before the connection broke', () => asterisk.cut()],
  ])('%s is unknown, never sent again', async (_name, answer) => {
    asterisk.answers.Originate = answer;
    expect((await place(request, 'k')).kind).toBe('unknown');
    await until(() => ami.isReady, 'the connection');
    clock += 11_000;
    await until(() => openCalls.size === 0, 'the end');
    expect(notified()).toEqual(['unknown']);
    expect((await place(request, 'k')).kind).toBe('unknown');
    expect(named('Originate')).toHaveLength(1);
  });

  it('is followed as any other where Asterisk carries it out', async () => {
    asterisk.answers.Originate = () => asterisk.cut();
    const placed = await place(request, undefined);
    const { callid } = placed as { callid: string };
    asterisk.channels = [channel(callid)];
    await until(() => store.call(callid)?.phase === 'placed', 'the call');
    expect(notified()).toEqual(['ringing']);
  });

  it('ends alone, while a call that Asterisk began goes on', async () => {
    const { callid } = (await place(request, undefined)) as { callid: string };
    asterisk.event({ Event: 'Newchannel', ...channel(callid) });
    asterisk.answers.Originate = () => {};
    expect((await place(request, undefined)).kind).toBe('unknown');
    clock += 11_000;
    await until(() => openCalls.size === 1, 'the end of the other');
    expect(store.call(callid)?.phase).toBe('placed');
  });

  it('ends although Asterisk, which waits to stop, once refuses to list its channels', async () => {
    const list = asterisk.answers.Status!;
    asterisk.answers.Originate = () => {};
    await place(request, undefined);
    asterisk.answers.Status = (_action, send) => {
      asterisk.answers.Status = list;
      send({ Response: 'Error', Message: 'Asterisk is shutting down' });
    };
    clock += 11_000;
    await until(() => openCalls.size === 0, 'the end');
    expect(notified()).toEqual(['unknown']);
  });

  it.each([
    ['late is hung up', 'Ringing', '1', 'unknown', 1],
    ['in time rings on', 'Ringing', '11', 'placed', 0],
    ['late goes on once the agent has answered', 'Up', '1', 'placed', 0],
  ])(
    'that Asterisk carries out %s, where the connection was lost',
    async (_what, state, Seconds, phase, hangUps) => {
      asterisk.answers.Originate = (action) => {
        clock += 12_000;
        asterisk.channels = [{ ...channel(action.ChannelId!, state), Seconds }];
        asterisk.cut();
      };
      const { callid } = (await place(request, undefined)) as { callid: string };
      await until(() => ami.isReady && store.call(callid)?.phase === phase, 'the connection');
      await ami.action({ Action: 'Ping' });
      expect(named('Hangup')).toHaveLength(hangUps);
    },
  );

  it('is hung up where Asterisk carries it out late', async () => {
    asterisk.answers.Originate = () => {};
    const { callid } = (await place(request, undefined)) as { callid: string };
    clock += 11_000;
    await until(() => openCalls.size === 0, 'the end');
    asterisk.event({ Event: 'Newchannel', ...channel(callid, 'Down') });
    await until(() => named('Hangup').length > 0, 'the hang-up');
    expect(named('Hangup')[0]).toMatchObject({ Channel: callid });
  });

  it.each([
    ['is hung up where Asterisk, whose clock is an hour behind, carries it out late', -3600, 1],
    ['is not hung up where this process reads late that it began in time', 1, 0],
  ])('%s', async (_what, seconds, hangUps) => {
    const { callid } = (await place(request, undefined)) as { callid: string };
    const Timestamp = String(clock / 1000 + seconds);
    clock += 11_000;
    asterisk.event({ Event: 'Newchannel', ...channel(callid, 'Down'), Timestamp });
    await ami.action({ Action: 'Ping' });
    await ami.action({ Action: 'Ping' });
    expect(named('Hangup')).toHaveLength(hangUps);
  });
});

describe('after a crash', () => {
  /** Leaves the call as a kill would. */
  async function crash(): Promise<string> {
    asterisk.answers.Originate = () => {};
    const placing = place(request, 'k');
    await until(() => named('Originate').length === 1, 'the Originate');
    end();
    await placing;
    return originated().ChannelId!;
  }

  it('takes a call up whose channel lives', async () => {
    const callid = await crash();
    asterisk.channels = [channel(callid, 'Up')];
    await start();
    await until(() => store.call(callid)?.phase === 'placed', 'the call');
    asterisk.event({ Event: 'Newstate', ...channel('callee', 'Up'), Linkedid: callid });
    for (const id of ['callee', callid])
      asterisk.event({ Event: 'Hangup', ...channel(id), Linkedid: callid, Cause: '16' });
    // Whether there was another callee before, is not known.
    await until(() => openCalls.size === 0, 'the end');
    expect(named('Originate')).toHaveLength(1);
  });

  it('ends a call as unknown whose last event comes before the list of channels', async () => {
    const callid = await crash();
    asterisk.answers.Login = (_action, send) => {
      send({ Response: 'Success' });
      asterisk.event({ Event: 'Hangup', ...channel(callid, 'Up'), Cause: '16' });
    };
    await start();
    expect(store.call(callid)?.phase).toBe('unknown');
  });

  it('ends a call as unknown whose channel is gone', async () => {
    const callid = await crash();
    clock += 11_000;
    await start();
    expect(store.call(callid)?.phase).toBe('unknown');
    expect(notified()).toEqual(['unknown']);
    expect(await place(request, 'k')).toEqual({ kind: 'unknown', callid });
    expect(named('Originate')).toHaveLength(1);
  });

  it('waits a moment for a channel that Asterisk has not made yet', async () => {
    const callid = await crash();
    await start();
    expect(store.call(callid)?.phase).toBe('sending');
    asterisk.event({ Event: 'Newchannel', ...channel(callid) });
    asterisk.event({ Event: 'Newstate', ...channel(callid) });
    await until(() => notified().includes('ringing'), 'the ringing');
  });
});

describe('a call whose end is not reported', () => {
  beforeEach(async () => {
    end();
    await start(60_000, 50);
  });

  it('ends as unknown where Asterisk lists none of its channels for half a minute', async () => {
    const { callid } = (await place(request, undefined)) as { callid: string };
    asterisk.channels = [channel(callid, 'Up')];
    asterisk.event({ Event: 'Newchannel', ...channel(callid, 'Up') });
    const isChecked = (times: number) => until(() => named('Status').length >= times, 'the checks');
    clock += 60_000;
    await isChecked(named('Status').length + 2);
    asterisk.channels = [];
    await isChecked(named('Status').length + 2);
    expect(openCalls.size).toBe(1);
    clock += 30_000;
    await until(() => openCalls.size === 0, 'the end');
    expect([store.call(callid)?.phase, notified()]).toEqual(['unknown', ['unknown']]);
  });

  it('ends as unknown where Asterisk reports neither its beginning nor its end', async () => {
    const { callid } = (await place(request, undefined)) as { callid: string };
    clock += 60_000;
    await until(() => openCalls.size === 0, 'the end');
    expect([store.call(callid)?.phase, notified()]).toEqual(['unknown', ['unknown']]);
  });
});

describe('a call in progress', () => {
  it('ends although the times of its events cannot be named', async () => {
    const { callid } = (await place(request, undefined)) as { callid: string };
    const Timestamp = '99999999999999.5';
    for (const Event of ['Newchannel', 'Newstate', 'Hangup'])
      asterisk.event({ Event, ...channel(callid), Cause: '19', Timestamp });
    await until(() => openCalls.size === 0, 'the end');
    expect([store.call(callid)?.phase, notified()]).toEqual(['ended', ['ringing']]);
    expect(named('Login')).toHaveLength(1);
  });

  it('ends as unknown where a leg ended during a lost connection', async () => {
    const { callid } = (await place(request, undefined)) as { callid: string };
    for (const id of [callid, 'callee'])
      for (const Event of ['Newchannel', 'Newstate'])
        asterisk.event({ Event, ...channel(id, 'Up'), Linkedid: callid });
    await until(() => notified().filter((event) => event === 'answer').length > 0, 'the answer');
    asterisk.channels = [channel(callid, 'Up')];
    asterisk.cut();
    await until(() => named('Status').length === 2 && ami.isReady, 'the connection');
    asterisk.event({ Event: 'Hangup', ...channel(callid), Cause: '16' });
    await until(() => openCalls.size === 0, 'the end');
    expect(store.call(callid)?.phase).toBe('unknown');
  });

  it('ends after a transfer into an older call, whose linked id its channels then have', async () => {
    const { callid } = (await place(request, undefined)) as { callid: string };
    for (const id of [callid, 'callee'])
      for (const Event of ['Newchannel', 'Newstate'])
        asterisk.event({ Event, ...channel(id, 'Up'), Linkedid: callid });
    asterisk.channels = [callid, 'callee'].map((id) => ({ ...channel(id, 'Up'), Linkedid: 'older' }));
    asterisk.cut();
    await until(() => named('Status').length === 2 && ami.isReady, 'the connection');
    for (const id of [callid, 'callee'])
      asterisk.event({ Event: 'Hangup', ...channel(id), Linkedid: 'older', Cause: '16' });
    await until(() => openCalls.size === 0, 'the end');
    expect(store.call(callid)?.phase).toBe('ended');
  });

  it('ends also where it was joined to another call of the service, by a transfer', async () => {
    const [older, newer] = await Promise.all([place(request, 'first'), place(request, 'second')]);
    const ids = [older, newer].map((placed) => (placed as { callid: string }).callid) as [string, string];
    for (const callid of ids)
      for (const id of [callid, `callee-${callid}`])
        for (const Event of ['Newchannel', 'Newstate'])
          asterisk.event({ Event, ...channel(id, 'Up'), Linkedid: callid });
    for (const callid of ids.toReversed())
      for (const id of [callid, `callee-${callid}`])
        asterisk.event({ Event: 'Hangup', ...channel(id), Linkedid: ids[0], Cause: '16' });
    await until(() => openCalls.size === 0, 'both ends');
    for (const callid of ids) expect(Object.keys(store.call(callid)!.progress.channels)).toHaveLength(2);
  });

  it.each([
    ['of another caller', false],
    ['of the service', true],
  ])('names who ended the talk where the agent joined it to an older call %s', async (_whose, isOurs) => {
    const callids = [];
    for (const key of isOurs ? ['older', 'newer'] : ['newer'])
      callids.push(((await place(request, key)) as { callid: string }).callid);
    for (const callid of callids)
      for (const id of [callid, `callee-${callid}`])
        for (const Event of ['Newchannel', 'Newstate'])
          asterisk.event({ Event, ...channel(id, 'Up'), Linkedid: callid });
    const [newer, older = 'older'] = callids.toReversed() as [string, string?];
    const left = [older, newer] as const;
    for (const id of left) asterisk.event({ Event: 'HangupRequest', ...channel(id) });
    const [OrigTransfererUniqueid, SecondTransfererUniqueid] = left;
    const linked = { OrigTransfererLinkedid: older, SecondTransfererLinkedid: newer };
    asterisk.event({
      Event: 'AttendedTransfer',
      Result: 'Success',
      OrigTransfererUniqueid,
      SecondTransfererUniqueid,
      ...linked,
    });
    for (const id of left) asterisk.event({ Event: 'Hangup', ...channel(id), Cause: '16' });
    for (const Event of ['HangupRequest', 'Hangup'])
      for (const id of left)
        asterisk.event({ Event, ...channel(`callee-${id}`), Linkedid: older, Cause: '16' });
    await until(() => openCalls.size === 0, 'the end');
    for (const callid of callids)
      expect(store.call(callid)?.progress.end).toMatchObject({ endedBy: 'callee' });
  });

  it('is hung up as soon as its channel exists, where it was asked for before', async () => {
    asterisk.answers.Hangup = (_action, send) => send({ Response: 'Error', Message: 'No such channel' });
    const { callid } = (await place(request, undefined)) as { callid: string };
    expect(await openCalls.hangUp(callid, 'token')).toBe('asked');
    asterisk.event({ Event: 'Newchannel', ...channel(callid) });
    await until(() => named('Hangup').length === 2, 'the second hang-up');
    expect(await openCalls.hangUp('no-such-call', 'token')).toBe('unknownCall');
  });

  it('is hung up once its channel is listed, where it was asked for before a lost connection', async () => {
    asterisk.answers.Hangup = (_action, send) => send({ Response: 'Error', Message: 'No such channel' });
    const { callid } = (await place(request, undefined)) as { callid: string };
    expect(await openCalls.hangUp(callid, 'token')).toBe('asked');
    asterisk.channels = [channel(callid)];
    asterisk.cut();
    await until(() => store.call(callid)?.progress.channels[callid], 'the channel');
    await ami.action({ Action: 'Ping' });
    expect(named('Hangup')).toHaveLength(2);
  });
});

describe('hangUp', () => {
  const live = async () => {
    const { callid } = (await place(request, undefined)) as { callid: string };
    asterisk.event({ Event: 'Newchannel', ...channel(callid) });
    return callid;
  };

  it('reports what Asterisk refuses, but for a channel that is gone', async () => {
    asterisk.answers.Hangup = (_action, send) => send({ Response: 'Error', Message: 'Permission denied' });
    expect(await openCalls.hangUp(await live(), 'token')).toEqual({ refused: 'Permission denied' });
  });

  it('reports that Asterisk did not answer in time', async () => {
    end();
    await start(300);
    asterisk.answers.Hangup = () => {};
    expect(await openCalls.hangUp(await live(), 'token')).toBe('silent');
  });

  it('ends the talk that goes on after the agent has transferred the call', async () => {
    const callid = await live();
    const [callee, third] = ['callee', 'third'].map((id) => ({ ...channel(id, 'Up'), Linkedid: callid }));
    for (const each of [callee, third]) asterisk.event({ Event: 'Newchannel', ...each });
    asterisk.event({ Event: 'Hangup', ...channel(callid), Cause: '16' });
    asterisk.event({ Event: 'Newstate', ...callee });
    await until(() => notified().includes('answer'), 'the last event');
    expect(await openCalls.hangUp(callid, 'token')).toBe('asked');
    expect(named('Hangup').map(({ Channel }) => Channel)).toEqual(['callee']);
  });

  it('knows no call that another token placed', async () => {
    const callid = await live();
    expect(await openCalls.hangUp(callid, 'other')).toBe('unknownCall');
    expect(named('Hangup')).toEqual([]);
  });
});

it('sends an Originate for each of two tokens that use the same key', async () => {
  const first = await place(request, 'k');
  const second = await originator.place({ ...request, to: '1' }, 'other', 'k');
  expect([first.kind, second.kind, named('Originate').length]).toEqual(['trying', 'trying', 2]);
});

it('writes the end of a call once a failing store takes it', async () => {
  const { callid } = (await place(request, undefined)) as { callid: string };
  const { saveCall } = store;
  store.saveCall = () => {
    throw new Error('disk full');
  };
  asterisk.event({ Event: 'Newchannel', ...channel(callid) });
  asterisk.event({ Event: 'Newstate', ...channel(callid) });
  asterisk.event({ Event: 'Hangup', ...channel(callid), Cause: '19' });
  await until(() => openCalls.size === 0, 'the end');
  expect([openCalls.isStoreBehind, notified()]).toEqual([true, []]);
  store.saveCall = saveCall;
  await until(() => !openCalls.isStoreBehind, 'the store');
  expect(notified()).toEqual(['ringing']);
  store.removeNotification(1);
  expect(notified()).toEqual(['lost-call']);
  expect(named('Login')).toHaveLength(1);
});

it('whatever Asterisk sends: no crash, nothing sent twice', async () => {
  const { callid } = (await place(request, undefined)) as { callid: string };
  const value = fc.oneof(
    fc.constantFrom(callid, `originate-${callid}`, '', '16', '-1', 'Up', 'Ringing', '__proto__', 'x: y'),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[\u0000-\u001f\u007f]/g, '')),
  );
  const names = ['Uniqueid', 'Linkedid', 'ActionID', 'ChannelStateDesc', 'Cause', 'Response', 'Reason'];
  const event = fc.dictionary(fc.constantFrom(...names, 'Timestamp', 'Variable', 'Value', 'Message'), value);
  const kinds = ['Newchannel', 'Newstate', 'Hangup', 'HangupRequest', 'OriginateResponse', 'VarSet', 'X'];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...kinds), event), { maxLength: 8 }), async (sent) => {
      for (const [Event, fields] of sent) asterisk.event({ Event, ...fields });
      await ami.action({ Action: 'Ping' });
    }),
    { numRuns: 100 },
  );
  expect(named('Originate')).toHaveLength(1);
  expect(named('Login')).toHaveLength(1);
});

it('replaces a connection that speaks something else', async () => {
  asterisk.write('x'.repeat(300 * 1024));
  await until(() => named('Login').length === 2 && ami.isReady, 'the next connection');
});
