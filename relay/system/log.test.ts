import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLog } from '../../shared/server/log.ts';
import { ask, hangup, newClick, readEvents, startTestRelay } from '../../testing/relay/test-relay.ts';
import { startFakeProvider } from '../../testing/servers/fake-provider.ts';

const number = '48999998888';
const callerNumber = '4832214455';
const serviceToken = 'tok-3f9a77c1d2';
const relaySecret = 'a secret of the relay that no log may hold';
let logged = '';
const secrets: string[] = [];

beforeAll(async () => {
  const destination = new PassThrough();
  destination.on('data', (chunk) => {
    logged += chunk;
  });
  const provider = await startFakeProvider();
  const relay = await startTestRelay(
    {
      PROVIDER_URL: provider.url,
      PROVIDER_TOKEN: serviceToken,
      PROVIDER_TOKEN_IN: 'query',
      SECRET: relaySecret,
    },
    makeLog('debug', destination),
  );
  const agent = await relay.agent('1105', callerNumber);
  const site = await relay.site('https://crm.example', '1105');
  const place = (body: Record<string, unknown>, as = agent) =>
    relay.ask('/v1/calls', { as, body: { from: '1105', ...body }, headers: newClick() });

  // Every path through the relay, failures included.
  const reader = await readEvents(relay.url, agent);
  await place({ to: number, callerid: number });
  await place({ to: number, from: callerNumber });
  const capability = String(provider.received[0]!.fields.returnurl);
  await relay.ask(capability, { body: hangup({ to: number, request: { returnurl: capability } }) });
  await relay.ask(capability, { body: hangup({ billsec: '1', to: number }) });
  await relay.ask(capability.slice(0, -1), { body: hangup() });
  await relay.ask(`${capability}/x`, { body: hangup() });
  await relay.ask(capability);
  await relay.ask(capability, { body: `${number} is no object` });
  provider.answer = (_call, response) => {
    response
      .writeHead(403, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message: `token ${serviceToken} may not call ${number}` }));
  };
  const refused = await place({ to: number });
  provider.answer = (_call, response) => void response.destroy();
  await place({ to: number });
  const { ticket } = (
    await relay.ask('/v1/tickets', { as: site.key, body: { from: '1105', rights: ['watch', 'dial'] } })
  ).body;
  await relay.ask(`/v1/calls?ticket=${ticket}&before=${number}`, { as: ticket });
  await relay.ask(`/v1/events?since=${number}`, { as: ticket, headers: { accept: 'application/json' } });
  await relay.ask(`/nowhere/${ticket}/${number}?key=${agent}`, { as: agent });
  await relay.ask('/v1/calls', { as: `${agent.slice(0, -1)}x` });
  await relay.ask('/v1/calls', { as: agent, body: { to: `+${number}` }, headers: newClick() });
  await ask(relay.url, `/%ZZ/${ticket}`, { as: agent }).catch(() => {});
  await relay.ask(`/v1/calls/${refused.body.id}`, { as: ticket });
  await relay.store.close();
  await place({ to: number });
  await relay.ask(capability, { body: hangup() });
  reader.close();
  await relay.stop().catch(() => {});
  await provider.close();
  secrets.push(agent, site.key, ticket, capability, new URL(capability).pathname.split('/').pop()!);
});
afterAll(() => {
  secrets.length = 0;
});

describe('the log of a full run', () => {
  it('has a message with its time for each event', () => {
    for (const message of ['dialled', 'request', 'contradicts', 'the store rejected'])
      expect(logged).toMatch(message);
    for (const line of logged.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('time');
  });

  it('holds no token, key, ticket, capability or secret, nor a recognisable part of one', () => {
    for (const secret of [...secrets, serviceToken, relaySecret]) {
      expect(logged).not.toContain(secret);
      expect(logged).not.toContain(secret.slice(-16));
    }
    expect(logged).not.toMatch(/dm[ast]_/);
  });

  it('holds no whole phone number', () => {
    for (const whole of [number, callerNumber, number.slice(2)]) expect(logged).not.toContain(whole);
    expect(logged).toMatch(/\*{9}88/);
  });
});
