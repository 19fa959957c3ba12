/** A calling service that reports ringing and answers, and hangs up: what the relay makes of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../shared/call/call.ts';
import {
  type AskOptions,
  announce,
  hangup,
  newClick,
  readEvents,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { answerTrying, type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';

const ours = { status: 'ok', events: ['hangup', 'all'], hangUp: true };
let health: object | undefined = ours;
let provider: FakeProvider;
let relay: TestRelay;
let agent: string;

const start = (more: Record<string, string> = {}) =>
  startTestRelay({ PROVIDER_URL: provider.url, PROVIDER_TOKEN: 'service-token', ...more });

beforeAll(async () => {
  provider = await startFakeProvider(() => health);
  relay = await start({ PROVIDER_EVENTS: 'all' });
  agent = await relay.agent('1105');
});
afterAll(async () => {
  await relay.stop();
  await provider.close();
});
beforeEach(() => {
  provider.received.length = 0;
  health = ours;
  provider.answer = (_call, response) => answerTrying(response);
});

interface Placed {
  call: Call;
  notify(body: Record<string, unknown>): Promise<number>;
}

async function place(on = relay, as = agent): Promise<Placed> {
  const answer = await on.ask('/v1/calls', { as, body: { to: '4833224455' }, headers: newClick() });
  expect(answer.status).toBe(201);
  const { returnurl } = provider.received.at(-1)!.fields as { returnurl: string };
  return {
    call: answer.body,
    notify: async (body) => (await on.ask(new URL(returnurl).pathname, { body })).status,
  };
}
const event = (name: string, party?: string) => ({
  event: name,
  ...(party && { party }),
  eventdate: '2026-11-21T10:00:05.000Z',
  callid: 'provider-1',
});
const read = async ({ call }: Placed, options: AskOptions = {}) =>
  (await relay.ask(`/v1/calls/${call.id}`, { as: agent, ...options })).body as Call;
const remove = (call: Pick<Call, 'id'>, as = agent) =>
  relay.ask(`/v1/calls/${call.id}`, { as, method: 'DELETE' });

describe('notifications of what comes before the end', () => {
  it('are asked for where the service announces them', async () => {
    await place();
    expect(provider.received[0]!.fields.events).toBe('all');
  });

  it.each([
    ['no health route', undefined],
    ['a health route of its own', { status: 'ok' }],
    ['events but no hang-up', { ...ours, hangUp: false }],
    ['the end alone', { ...ours, events: ['hangup'] }],
  ])('are not asked for at a service with %s', async (_name, announced) => {
    health = announced;
    const cloud = await start({ PROVIDER_EVENTS: 'all' });
    const { call } = await place(cloud, await cloud.agent('1105'));
    expect(provider.received[0]!.fields).not.toHaveProperty('events');
    expect(call).not.toHaveProperty('canHangUp');
    await cloud.stop();
  });

  it('are not asked for against the setting', async () => {
    const cloud = await start({ PROVIDER_EVENTS: 'hangup' });
    await place(cloud, await cloud.agent('1105'));
    expect(provider.received[0]!.fields).not.toHaveProperty('events');
    await cloud.stop();
  });

  it('move the Call to callingCallee, connected, its end, each as one event', async () => {
    const placed = await place();
    const stream = await readEvents(relay.url, agent);
    for (const body of [event('ringing', 'caller'), event('answer', 'caller'), event('ringing', 'callee')])
      expect(await placed.notify(body)).toBe(200);
    expect(await read(placed)).toMatchObject({ state: 'callingCallee', canHangUp: true });
    expect(await placed.notify(event('answer', 'callee'))).toBe(200);
    expect(await read(placed)).toMatchObject({ state: 'connected', connectedAt: '2026-11-21T10:00:05.000Z' });
    await placed.notify({ ...hangup(), reason: 'hangUp', ended_by: 'callee' });
    const ended = await read(placed);
    expect(ended).toMatchObject({ state: 'disconnected', endedBy: 'callee', talkSeconds: 48 });
    expect(ended).not.toHaveProperty('canHangUp');
    const mine = () =>
      stream.frames.filter(({ call }) => call.id === placed.call.id).map(({ call }) => call.state);
    await expect.poll(mine).toEqual(['callingCaller', 'callingCallee', 'connected', 'disconnected']);
    stream.close();
  });

  it('give the same Call in reverse order, each twice', async () => {
    const placed = await place();
    const bodies = [
      event('ringing', 'caller'),
      event('answer', 'caller'),
      event('ringing', 'callee'),
      event('answer', 'callee'),
      { ...hangup(), ended_by: 'caller' },
    ];
    for (const body of [...bodies.reverse(), ...bodies]) expect(await placed.notify(body)).toBe(200);
    expect(await read(placed)).toMatchObject({
      state: 'disconnected',
      connectedAt: '2026-11-21T10:00:05.000Z',
      endedBy: 'caller',
    });
  });

  it('go on with a call whose answer was lost', async () => {
    provider.answer = (_call, response) => void response.socket?.destroy();
    const placed = await place();
    expect(placed.call).toMatchObject({ state: 'unknown', reason: 'notAnswered' });
    await placed.notify(event('ringing', 'caller'));
    expect(await read(placed)).toMatchObject({ state: 'callingCaller', callid: 'provider-1' });
    const year = 366 * 24 * 3_600_000;
    const overdue = await relay.store.calls.listOverdue(Date.now() + year, 100);
    expect(overdue.map(({ callId }) => callId)).toContain(placed.call.id);
  });

  it('leave a call unknown that the service lost', async () => {
    const placed = await place();
    await placed.notify(event('answer', 'callee'));
    await placed.notify(event('unknown'));
    expect(await read(placed)).toMatchObject({ state: 'unknown', reason: 'other' });
  });

  it('are refused with 422 without a party', async () => {
    expect(await (await place()).notify(event('ringing'))).toBe(422);
  });
});

describe('DELETE /v1/calls/{id}', () => {
  const hangUps = () => provider.received.filter(({ method }) => method === 'DELETE');
  const answerHangUp = (status: number) => {
    provider.answer = ({ method }, response) =>
      method === 'DELETE' ? void response.writeHead(status).end('{}') : answerTrying(response);
  };
  beforeEach(() => answerHangUp(202));

  it('asks the service, then answers 202, also when asked twice', async () => {
    const { call } = await place();
    expect(call.canHangUp).toBe(true);
    for (const _ of [1, 2]) expect(await remove(call)).toMatchObject({ status: 202, body: { id: call.id } });
    expect(hangUps()).toHaveLength(2);
    expect(hangUps()[0]!.headers.authorization).toBe('Bearer service-token');
  });

  it('names the agent who asked for the end, where the service reports it as its own', async () => {
    answerHangUp(202);
    const placed = await place();
    await remove(placed.call);
    await placed.notify(hangup({ ended_by: 'system' }));
    const { body } = await relay.ask(`/v1/calls/${placed.call.id}`, { as: agent });
    expect(body).toMatchObject({ state: 'disconnected', endedBy: 'caller' });
  });

  it('answers 409 for a call that is over, without asking the service', async () => {
    const placed = await place();
    await placed.notify(hangup());
    expect(await remove(placed.call)).toMatchObject({ status: 409, body: { code: 'callFinished' } });
    expect(hangUps()).toHaveLength(0);
  });

  it.each([
    [409, 409, 'callFinished'],
    [404, 409, 'cannotHangUp'],
    [500, 502, 'providerUnreachable'],
    [401, 502, 'providerUnreachable'],
  ])('turns the service’s %i into %i %s', async (theirs, status, code) => {
    const { call } = await place();
    answerHangUp(theirs);
    const { status: answered, body } = await remove(call);
    expect([answered, body.code, body.call.id]).toEqual([status, code, call.id]);
    // The service may have ended it before it failed.
    if (status === 502) expect(body.detail).toMatch(/may go on/);
  });

  it('asks the second address where the first does not know the call', async () => {
    const second = await startFakeProvider(() => ours);
    second.answer = (_call, response) => void response.writeHead(202).end();
    const two = await start({ PROVIDER_EVENTS: 'all', PROVIDER_SECONDARY_URL: second.url });
    const key = await two.agent('1105');
    answerHangUp(404);
    const { call } = await place(two, key);
    expect((await two.ask(`/v1/calls/${call.id}`, { as: key, method: 'DELETE' })).status).toBe(202);
    expect(second.received).toHaveLength(1);
    await two.stop();
    await second.close();
  });

  it('answers 409 where the service cannot, or for a call that a client placed', async () => {
    const cloud = await start();
    const key = await cloud.agent('1105');
    const { call } = await place(cloud, key);
    expect(call).not.toHaveProperty('canHangUp');
    const answer = await cloud.ask(`/v1/calls/${call.id}`, { as: key, method: 'DELETE' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'cannotHangUp' } });
    await cloud.stop();
    const announced = await announce(relay.url, agent);
    expect((await remove(announced.call)).status).toBe(409);
    expect(hangUps()).toHaveLength(0);
  });

  it('needs the key of the caller, or a ticket with the right "hangup"', async () => {
    const { call } = await place();
    expect((await remove(call, await relay.agent('1106'))).status).toBe(404);
    const { key } = await relay.site('https://crm.example', '1105', '1106');
    expect((await remove(call, key)).status).toBe(403);
    const ticket = async (from: string, rights: string[]) =>
      (await relay.ask('/v1/tickets', { as: key, body: { from, rights } })).body.ticket as string;
    expect((await remove(call, await ticket('1105', ['watch', 'dial']))).status).toBe(403);
    expect((await remove(call, await ticket('1106', ['hangup']))).status).toBe(404);
    expect(hangUps()).toHaveLength(0);
    expect((await remove(call, await ticket('1105', ['hangup']))).status).toBe(202);
    expect((await relay.ask(`/v1/calls/${call.id}`, { method: 'DELETE' })).status).toBe(401);
  });

  it('may be sent by the pages of a site', async () => {
    await relay.site('https://shop.example', '1105');
    const preflight = await relay.ask('/v1/calls/x', {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'DELETE' },
    });
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
  });
});
