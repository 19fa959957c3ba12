/** A body of a notification as a provider may write it, byte by byte. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { announce, hangup, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';

let relay: TestRelay;
let agent: string;
const logged: string[] = [];

beforeAll(async () => {
  relay = await startTestRelay({}, pino({}, { write: (line) => void logged.push(line) }));
  agent = await relay.agent('1105');
});
afterAll(() => relay.stop());

const json = JSON.stringify(hangup({ callflow: { one: { event: 'Newchannel', calleridname: 'José' } } }));

async function notify(body: Buffer, type = 'application/json') {
  const { call, path } = await announce(relay.url, agent);
  const { status } = await fetch(relay.url + path, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(body),
  });
  const { state } = (await relay.ask(`/v1/calls/${call.id}`, { as: agent })).body;
  return { status, state };
}

it.each([
  ['a byte order mark', Buffer.from(`\uFEFF${json}`)],
  ['a byte that is not UTF-8', Buffer.from(json, 'latin1')],
  ['both', Buffer.concat([Buffer.from('\uFEFF'), Buffer.from(json, 'latin1')])],
])('ends the call by a notification with %s', async (_name, body) => {
  expect(await notify(body)).toMatchObject({ status: 200, state: 'disconnected' });
});

it.each([
  ['is not JSON', Buffer.from(json.slice(1)), 400],
  ['is UTF-16', Buffer.from(json, 'utf16le'), 400],
  ['is empty', Buffer.from(''), 400],
  ['is too large', Buffer.alloc(65 * 1024, ' '), 413],
])('refuses a notification whose body %s, which is logged', async (_name, body, status) => {
  const before = logged.length;
  expect((await notify(body)).status).toBe(status);
  expect(logged.slice(before).join()).toContain('a notification was refused');
});

it('refuses a notification of another type with 415', async () => {
  expect((await notify(Buffer.from(json), 'text/plain')).status).toBe(415);
});

it('logs which call a refused notification was about, without its body', async () => {
  const { call, path } = await announce(relay.url, agent);
  const type = 'application/x-www-form-urlencoded';
  const body = 'event=hangup&token=secret';
  const { status } = await fetch(relay.url + path, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  expect(status).toBe(415);
  const line = logged.find((each) => each.includes(call.id));
  expect(JSON.parse(line!)).toMatchObject({ level: 40, type, msg: 'a notification was refused' });
  expect(logged.join()).not.toContain('token=secret');
});

it('refuses a request of an agent whose body is not UTF-8', async () => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${agent}` };
  for (const body of [Buffer.from('{"numbers":["é"]}', 'latin1'), Buffer.from('\uFEFF{"numbers":[]}')]) {
    const url = `${relay.url}/v1/numbers/status`;
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
    expect(answer.status).toBe(400);
  }
});
