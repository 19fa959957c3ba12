/** What the sandbox imitates of our service on Asterisk: `events: "all"` and `DELETE /call/{callid}`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../testing/servers/receiver.ts';
import { until } from '../testing/until.ts';
import { numberFor, type ScenarioName } from './scenarios.ts';
import { demoToken, type Sandbox, startSandbox } from './service.ts';

let sandbox: Sandbox;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startSandbox({ port: 0, speed: 20 });
});
afterAll(async () => {
  await sandbox.close();
  await receiver.close();
});

const authorization = `Bearer ${demoToken}`;
async function place(scenario: ScenarioName, fields: Record<string, unknown> = { events: 'all' }) {
  const response = await fetch(`${sandbox.url}/call`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ from: '1105', to: numberFor(scenario), returnurl: receiver.url, ...fields }),
  });
  const { callid } = (await response.json()) as { callid: string };
  return { status: response.status, callid };
}
const received = (callid: string) => receiver.received.filter(({ body }) => body.callid === callid);
const ended = (callid: string) =>
  until(
    () => received(callid).find(({ body }) => ['hangup', 'lost-call'].includes(String(body.event)))?.body,
    'the end',
  );
const events = (callid: string) =>
  received(callid).map(({ body: { event, party } }) => (party ? `${event} ${party}` : event));
const remove = async (callid: string, headers: Record<string, string> = { authorization }) =>
  (await fetch(`${sandbox.url}/call/${callid}`, { method: 'DELETE', headers })).status;

describe('a call with events "all"', () => {
  it.each([
    ['answered', ['ringing callee', 'answer callee', 'hangup'], 'hangUp', 'callee'],
    ['noAnswer', ['ringing callee', 'hangup'], 'calleeNoAnswer', 'system'],
    ['busy', ['hangup'], 'calleeBusy', 'callee'],
    ['declined', ['ringing callee', 'hangup'], 'calleeRefused', 'callee'],
    ['unknownNumber', ['hangup'], 'calleeUnknown', 'callee'],
  ] as const)('notifies of each step in order: %s', async (scenario, steps, reason, endedBy) => {
    const { callid } = await place(scenario);
    expect(await ended(callid)).toMatchObject({ reason, ended_by: endedBy });
    expect(events(callid)).toEqual(['ringing caller', 'answer caller', ...steps]);
  });

  it('renames fields of each notification by `map`', async () => {
    const { callid } = await place('busy', { events: 'all', map: 'callid:external_id' });
    await until(() => receiver.received.some(({ body }) => body.external_id === callid), 'a notification');
  });

  it('is refused where events is neither hangup nor all', async () => {
    expect((await place('busy', { events: 'some' })).status).toBe(400);
  });
});

it('notifies of the end alone, without reason, where events is not "all"', async () => {
  const { callid } = await place('answered', {});
  expect(await ended(callid)).not.toHaveProperty('reason');
  expect(events(callid)).toEqual(['hangup']);
});

describe('DELETE /call/{callid}', () => {
  it('ends a running call, asked once or twice, then answers 409', async () => {
    const { callid } = await place('longCall');
    expect([await remove(callid), [202, 409].includes(await remove(callid))]).toEqual([202, true]);
    expect(await ended(callid)).toMatchObject({ event: 'hangup', reason: 'hangUp', ended_by: 'system' });
    expect(await remove(callid)).toBe(409);
    expect(received(callid).filter(({ body }) => body.event === 'hangup')).toHaveLength(1);
  });

  it('needs the token, knowing only its own calls', async () => {
    const { callid } = await place('longCall');
    expect(await remove(callid, {})).toBe(401);
    expect(await remove('unknown')).toBe(404);
    await remove(callid);
  });
});
