/** Every way a call can go, from `/call` to the notification, with a real Asterisk and phones that ring. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { unregisteredAgent } from '../../testing/asterisk/asterisk-configuration.ts';
import { openPhoneLab, type PhoneLab } from '../../testing/asterisk/phone-lab.ts';
import { tonePower } from '../../testing/asterisk/tone-power.ts';
import { until } from '../../testing/until.ts';

let lab: PhoneLab;
beforeAll(async () => {
  lab = await openPhoneLab(['1105', '1106']);
});
afterEach(() => lab.reset());
afterAll(() => lab?.close());

const events = () =>
  lab.notified().map(({ event, party }) => (party === undefined ? event : `${event} ${party}`));

describe('a call at real phones', () => {
  it.each([
    {
      name: 'the callee hangs up',
      far: { talkMs: 2000 },
      wanted: { event: 'hangup', reason: 'hangUp', ended_by: 'callee', billsec: '2' },
      seen: ['ringing caller', 'answer caller', 'ringing callee', 'answer callee', 'hangup'],
    },
    {
      name: 'the caller hangs up',
      agent: { talkMs: 2500 },
      wanted: { event: 'hangup', reason: 'hangUp', ended_by: 'caller' },
      seen: ['ringing caller', 'answer caller', 'ringing callee', 'answer callee', 'hangup'],
    },
    {
      name: 'the caller gives up while the callee rings',
      agent: { talkMs: 1500 },
      far: { answer: 'never' as const },
      wanted: { event: 'hangup', reason: 'hangUp', ended_by: 'caller', billsec: '0' },
      seen: ['ringing caller', 'answer caller', 'ringing callee', 'hangup'],
    },
    {
      name: 'the callee is busy',
      far: { answer: 'busy' as const },
      wanted: { event: 'hangup', reason: 'calleeBusy', billsec: '0' },
    },
    {
      name: 'the callee declines',
      far: { answer: 'decline' as const },
      wanted: { event: 'hangup', reason: 'calleeRefused', billsec: '0' },
    },
    {
      name: 'the number is unknown',
      far: { answer: 'unknown' as const },
      wanted: { event: 'hangup', reason: 'calleeUnknown', billsec: '0' },
    },
    {
      name: 'the caller does not answer',
      agent: { answer: 'never' as const },
      wanted: { event: 'lost-call', reason: 'callerNoAnswer', billsec: '0' },
      seen: ['ringing caller', 'lost-call'],
      invites: [1, 0],
    },
    {
      name: 'the caller is busy',
      agent: { answer: 'busy' as const },
      wanted: { event: 'lost-call', reason: 'callerBusy' },
      invites: [1, 0],
    },
    {
      name: 'the caller declines',
      agent: { answer: 'decline' as const },
      wanted: { event: 'lost-call', reason: 'callerRefused' },
      invites: [1, 0],
    },
  ])('reports that $name', async ({ agent, far, wanted, seen, invites = [1, 1] }) => {
    const agentPhone = await lab.phone('agent', agent);
    const farPhone = await lab.phone('far', far);
    const { status, body } = await lab.call();
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'OK', callstatus: 'Trying' } });
    const ended = await lab.end(body.callid);
    expect(ended, (await farPhone.messages()).join('\n')).toMatchObject({
      ...wanted,
      action: 'click-to-call',
      from: '00001105',
      to: '5511999990000',
    });
    if (seen) expect(events()).toEqual(seen);
    expect([await agentPhone.invites(), await farPhone.invites()]).toEqual(invites);
  });

  it('reports unknown where the phone of the agent redirects the call', async () => {
    await lab.phone('agent', { answer: 'redirect' });
    const farPhone = await lab.phone('far', { talkMs: 2000 });
    const { body } = await lab.call({ events: 'all' });
    expect(await lab.end(body.callid)).toMatchObject({ event: 'unknown' });
    await until(async () => (await farPhone.invites()) === 2, 'the other phone, then the callee');
  });

  it('reports an agent who is not registered as a lost call', async () => {
    const { body } = await lab.call({ from: unregisteredAgent });
    expect(await lab.end(body.callid)).toMatchObject({ event: 'lost-call', reason: 'callerFailure' });
  });

  it('refuses a number that the dialplan does not have, without ringing the agent', async () => {
    const agentPhone = await lab.phone('agent');
    const { status, body } = await lab.call({ to: '5' });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'number-unknown' });
    expect(await agentPhone.invites()).toBe(0);
    expect(lab.notified()).toEqual([]);
  });

  it('hangs up at both phones when asked; says that it is over when asked again', async () => {
    await lab.phone('agent');
    const farPhone = await lab.phone('far');
    const { body } = await lab.call();
    await until(
      () => lab.notified().some(({ event, party }) => event === 'answer' && party === 'callee'),
      'the callee',
    );
    const hangUp = () =>
      fetch(`${lab.service.url}/call/${body.callid}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${lab.service.token}` },
      });
    expect((await hangUp()).status).toBe(202);
    expect(await lab.end(body.callid)).toMatchObject({ event: 'hangup', ended_by: 'system' });
    expect((await hangUp()).status).toBe(409);
    expect((await farPhone.messages()).some((line) => line.startsWith('< BYE'))).toBe(true);
  });

  it('rings once for the same Idempotency-Key, at once or after the end', async () => {
    const agentPhone = await lab.phone('agent', { answer: 'busy' });
    const key = 'one-click';
    const replies = await Promise.all(Array.from({ length: 5 }, () => lab.call({}, key)));
    const callids = new Set(replies.map(({ body }) => body.callid));
    expect(callids.size).toBe(1);
    await lab.end([...callids][0]);
    expect((await lab.call({}, key)).body.callid).toBe([...callids][0]);
    expect((await lab.call({ to: '5511999990001' }, key)).status).toBe(422);
    expect(await agentPhone.invites()).toBe(1);
  });

  it('serves a recording with both voices by a signed address, also with a range or a v1 id', async () => {
    await lab.phone('agent', { toneHz: 440 });
    await lab.phone('far', { toneHz: 800, talkMs: 2500 });
    const { body } = await lab.call();
    const { audio_url: address, audio_file: file } = (await lab.end(body.callid)) as unknown as Record<
      string,
      string
    >;
    const whole = await fetch(`${address}&id=${body.callid}`);
    expect(whole.status).toBe(200);
    const sound = Buffer.from(await whole.arrayBuffer());
    expect(tonePower(sound, 440)).toBeGreaterThan(20 * tonePower(sound, 600));
    expect(tonePower(sound, 800)).toBeGreaterThan(20 * tonePower(sound, 600));
    const part = await fetch(address!, { headers: { range: 'bytes=0-43' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 44]);
    for (const wrong of [
      address!.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`),
      address!.replace(/expires=\d/, 'expires=2'),
      address!.replace(file!, '..%2Fetc%2Fmanager.conf'),
    ])
      expect((await fetch(wrong)).status).toBe(404);
    expect(await readFile(path.join(lab.asterisk.recordingsFolder, file!))).toHaveLength(sound.length);
  });

  it('renames the fields that map names, in version v2', async () => {
    await lab.phone('agent');
    await lab.phone('far', { talkMs: 1000 });
    const { body } = await lab.call({ map: 'callid:external_id,billsec:seconds', version: 'v2' });
    const mapped = await until(
      () =>
        lab.notified().find(({ external_id, event }) => external_id === body.callid && event === 'hangup'),
      'the end',
    );
    expect(mapped).toMatchObject({ seconds: expect.stringMatching(/^00:00:0[12]$/) });
    expect(mapped).not.toHaveProperty('callid');
  });

  // Last: Asterisk repeats its INVITE to a phone that is off for half a minute, and the next phone would get it.
  it('reports an agent whose phone is off as a lost call', async () => {
    const { body } = await lab.call();
    expect(await lab.end(body.callid)).toMatchObject({ event: 'lost-call', reason: 'callerNoAnswer' });
  });
});
