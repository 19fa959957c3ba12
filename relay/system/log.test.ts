import { writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLog } from '../../shared/server/log.ts';
import { type CrmFault, startFakeRedmine } from '../../testing/crm/fake-redmine.ts';
import { ask, hangup, newClick, readEvents, startTestRelay } from '../../testing/relay/test-relay.ts';
import { startFakeProvider } from '../../testing/servers/fake-provider.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';

const number = '48999998888';
const callerNumber = '4832214455';
const serviceToken = 'tok-3f9a77c1d2';
const crmToken = 'crm-5be21f0a94';
const note = 'Wants the blue one, asks for Ana';
const relaySecret = 'a secret of the relay that no log may hold';
let logged = '';
const secrets: string[] = [];

beforeAll(async () => {
  const destination = new PassThrough();
  destination.on('data', (chunk) => {
    logged += chunk;
  });
  const provider = await startFakeProvider();
  const crm = await startFakeRedmine('1', '2', '3', '4');
  const folder = await temporaryFolder();
  const template = { preset: 'redmine', system: 'crm', origin: crm.url };
  await writeFile(folder.file('rules.json'), JSON.stringify({ templates: [template] }));
  const relay = await startTestRelay(
    {
      PROVIDER_URL: provider.url,
      PROVIDER_TOKEN: serviceToken,
      PROVIDER_TOKEN_IN: 'query',
      SECRET: relaySecret,
      RULES_FILE: folder.file('rules.json'),
      CRM_CRM_KIND: 'redmine',
      CRM_CRM_URL: crm.url,
      CRM_CRM_TOKEN: crmToken,
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
  for (const [index, fault] of [undefined, 'forbidden', 'login', 'error500Before'].entries()) {
    if (fault) crm.failNext(fault as CrmFault);
    const body = {
      from: '1105',
      to: number,
      placedBy: 'client',
      record: { system: 'crm', kind: 'issue', id: String(index + 1) },
    };
    const { call, returnUrl } = (await relay.ask('/v1/calls', { as: agent, body, headers: newClick() })).body;
    const saved = {
      as: agent,
      method: 'PATCH',
      body: { outcome: 'reached', note },
      headers: { 'if-match': '0' },
    };
    await relay.ask(`/v1/calls/${call.id}/wrap-up`, saved);
    await relay.ask(new URL(returnUrl).pathname, { body: hangup({ to: number }) });
    const shown = async () => (await relay.store.calls.find(call.id))!.call.entry;
    await until(
      async () => (await shown())?.state === 'done' || (await shown())?.reason !== undefined,
      'its entry',
    );
    secrets.push(new URL(returnUrl).pathname.split('/').pop()!);
  }
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
  await crm.stop();
  await folder.remove();
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
    for (const secret of [...secrets, serviceToken, relaySecret, crmToken]) {
      expect(logged).not.toContain(secret);
      expect(logged).not.toContain(secret.slice(-16));
    }
    expect(logged).not.toMatch(/dm[ast]_/);
  });

  it("names a call's entry, never its note", () => {
    for (const message of ['a call was logged', 'a call is not logged yet'])
      expect(logged).toContain(message);
    for (const word of note.split(/[ ,]+/).filter(({ length }) => length > 3))
      expect(logged).not.toContain(word);
  });

  it('holds no whole phone number', () => {
    for (const whole of [number, callerNumber, number.slice(2)]) expect(logged).not.toContain(whole);
    expect(logged).toMatch(/\*{9}88/);
  });
});
