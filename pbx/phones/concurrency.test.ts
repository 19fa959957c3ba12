import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPhoneLab, type PhoneLab } from '../../testing/asterisk/phone-lab.ts';

const pairs = Array.from({ length: 50 }, (_, index) => ({
  from: String(1300 + index),
  to: `5511999991${String(index).padStart(3, '0')}`,
}));

let lab: PhoneLab;
beforeAll(async () => {
  lab = await openPhoneLab(pairs.map(({ from }) => from));
});
afterAll(() => lab?.close());

it('fifty calls at once on fifty phones stay fifty separate calls', async () => {
  const agentPhone = await lab.phone('agent', { ringMs: 100 });
  const farPhone = await lab.phone('far', { ringMs: 100, talkMs: 2000 });
  const replies = await Promise.all(pairs.map((pair) => lab.call({ ...pair, timeout: 30 })));
  expect(new Set(replies.map(({ body }) => body.callid)).size).toBe(pairs.length);
  for (const [index, { from, to }] of pairs.entries()) {
    const { callid } = replies[index]!.body;
    const end = await lab.end(callid);
    expect(end).toMatchObject({
      event: 'hangup',
      reason: 'hangUp',
      ended_by: 'callee',
      from: `0000${from}`,
      to,
      owner: [{ endpoint: from }],
      mainchannel: expect.stringMatching(new RegExp(`^PJSIP/${from}-`)),
      audio_file: `${callid}.wav`,
    });
    const legs = Object.values(end.callflow as Record<string, { channel: string; linkedid: string }>);
    expect(legs).toHaveLength(2);
    for (const { linkedid } of legs) expect(linkedid).toBe(callid);
    expect(lab.notified(callid).map(({ event, party }) => (party ? `${event} ${party}` : event))).toEqual([
      'ringing caller',
      'answer caller',
      'ringing callee',
      'answer callee',
      'hangup',
    ]);
  }
  const sorted = (values: string[]) => values.toSorted();
  expect(sorted((await agentPhone.calls()).map(({ to }) => to))).toEqual(pairs.map(({ from }) => from));
  // Who rings at each number is the agent that asked for it.
  expect(sorted((await farPhone.calls()).map(({ from, to }) => `${from} ${to}`))).toEqual(
    pairs.map(({ from, to }) => `0000${from} ${to}`),
  );
});
