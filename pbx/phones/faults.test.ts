/** Faults during a call: the phone rings at most once, and the reported end is true or unknown (Law 1). */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectTrueEnd } from '../../testing/asterisk/expect-true-end.ts';
import { type CallReply, openPhoneLab, type PhoneLab } from '../../testing/asterisk/phone-lab.ts';
import type { PhoneBehaviour } from '../../testing/asterisk/sip-scenario.ts';
import { until } from '../../testing/until.ts';

let lab: PhoneLab;
beforeAll(async () => {
  lab = await openPhoneLab();
});
afterEach(() => lab.reset());
afterAll(() => lab?.close());

const seen = (event: string, party: string) =>
  until(
    () => lab.notified().some((body) => body.event === event && body.party === party),
    `${event} ${party}`,
  );
async function restartService() {
  await lab.service.stop();
  await lab.service.start();
}

interface Cell {
  fault: string;
  agent?: PhoneBehaviour;
  far?: PhoneBehaviour;
  /** Returns what to do once the call was asked for. */
  arrange(): Promise<(click: Promise<CallReply>) => Promise<unknown>>;
  ends: readonly string[];
  rings: readonly number[];
}

const cells: readonly Cell[] = [
  {
    fault: 'the service is killed before it writes the call down',
    async arrange() {
      process.kill(lab.service.pid, 'SIGSTOP');
      return restartService;
    },
    // Sent again with its key, it is placed for the first time.
    ends: ['hangup'],
    rings: [1],
  },
  {
    fault: 'the service is killed between writing the call down and sending it',
    async arrange() {
      const hold = lab.ami.holdOriginate();
      return async () => {
        await hold.reached;
        await lab.service.stop();
        lab.ami.cut();
        await lab.service.start();
      };
    },
    ends: ['unknown'],
    rings: [0],
  },
  {
    fault: 'the service is killed, and Asterisk gets its Originate after the next start',
    async arrange() {
      const hold = lab.ami.holdOriginate();
      return async () => {
        await hold.reached;
        await restartService();
        await lab.service.untilReady();
        hold.release();
      };
    },
    ends: ['hangup'],
    rings: [1],
  },
  {
    fault: 'the service is killed between Originate and its answer',
    async arrange() {
      const hold = lab.ami.holdAnswer();
      return async () => {
        await hold.reached;
        await lab.service.stop();
        lab.ami.cut();
        await lab.service.start();
      };
    },
    far: { talkMs: 4000 },
    ends: ['hangup', 'unknown'],
    rings: [1],
  },
  {
    fault: 'the service is killed while the caller rings',
    agent: { ringMs: 2500 },
    arrange: async () => async () => {
      await seen('ringing', 'caller');
      await restartService();
    },
    ends: ['hangup', 'unknown'],
    rings: [1],
  },
  {
    fault: 'the service is killed while they talk',
    far: { talkMs: 5000 },
    arrange: async () => async () => {
      await seen('answer', 'callee');
      await restartService();
    },
    ends: ['hangup', 'unknown'],
    rings: [1],
  },
  {
    fault: 'the connection breaks before Asterisk gets the Originate',
    async arrange() {
      const hold = lab.ami.holdOriginate();
      return async () => {
        await hold.reached;
        lab.ami.cut();
      };
    },
    ends: ['unknown'],
    rings: [0],
  },
  {
    fault: 'the connection breaks between Originate and its answer',
    far: { talkMs: 6000 },
    async arrange() {
      const hold = lab.ami.holdAnswer();
      return async () => {
        await hold.reached;
        lab.ami.cut();
      };
    },
    ends: ['hangup'],
    rings: [1],
  },
  {
    fault: 'the connection breaks while they talk',
    far: { talkMs: 4000 },
    arrange: async () => async () => {
      await seen('answer', 'callee');
      lab.ami.cut();
    },
    ends: ['hangup'],
    rings: [1],
  },
  {
    fault: 'the call ends while there is no connection',
    far: { talkMs: 1500 },
    arrange: async () => async () => {
      await seen('answer', 'callee');
      lab.ami.isOpen = false;
      lab.ami.cut();
      await pause(3000);
      lab.ami.isOpen = true;
    },
    ends: ['unknown'],
    rings: [1],
  },
  {
    fault: 'Asterisk is killed while they talk',
    far: { talkMs: 10_000 },
    arrange: async () => async () => {
      await seen('answer', 'callee');
      await lab.asterisk.kill('SIGKILL');
      await lab.asterisk.start();
    },
    ends: ['unknown'],
    rings: [1],
  },
  ...[
    { seconds: 2, ends: ['hangup'], rings: [1] },
    { seconds: 7, ends: ['hangup', 'unknown'], rings: [1] },
    // Too late to be wanted: what rings then is hung up.
    { seconds: 14, ends: ['hangup', 'unknown'], rings: [0, 1] },
  ].map(
    ({ seconds, ends, rings }): Cell => ({
      fault: `Asterisk stands still for ${seconds} seconds`,
      agent: { ringMs: 1000 },
      far: { talkMs: 3000 },
      async arrange() {
        await lab.asterisk.kill('SIGSTOP');
        return async () => {
          await pause(seconds * 1000);
          await lab.asterisk.kill('SIGCONT');
        };
      },
      ends,
      rings,
    }),
  ),
];

describe('rings at most once with a true end, or unknown, where', () => {
  it.each(cells)('$fault', async ({ agent, far, arrange, ends, rings }) => {
    const agentPhone = await lab.phone('agent', agent);
    const farPhone = await lab.phone('far', { talkMs: 1000, ...far });
    const key = randomUUID();
    const act = await arrange();
    const click = lab.call({}, key);
    await act(click);
    await click;
    await lab.service.untilReady();
    const { body } = await lab.call({}, key);
    const end = await lab.end(body.callid);
    expect(ends).toContain(end.event);
    const [agentCalls, farCalls] = [await agentPhone.calls(), await farPhone.calls()];
    expect(rings).toContain(agentCalls.length);
    expect(farCalls.length).toBeLessThanOrEqual(1);
    expectTrueEnd(end, agentCalls[0], farCalls[0]);
  });
});

describe('the notifications arrive in order, though the receiver', () => {
  const order = ['ringing caller', 'answer caller', 'ringing callee', 'answer callee', 'hangup'];
  const named = () => lab.notified().map(({ event, party }) => (party ? `${event} ${party}` : event));

  it.each([
    {
      fault: 'refuses the first three',
      answer: (count: number) => (count <= 3 ? 503 : 204),
      wanted: [...Array.from({ length: 3 }, () => order[0]), ...order],
    },
    { fault: 'takes two seconds for each', answer: () => 204, delayMs: 2000, wanted: order },
    {
      fault: 'breaks the connection before it answers the first, which comes again',
      answer: (count: number) => (count === 1 ? 0 : 204),
      wanted: [order[0], ...order],
    },
  ])('$fault', async ({ answer, delayMs = 0, wanted }) => {
    const agentPhone = await lab.phone('agent', { ringMs: 1 });
    await lab.phone('far', { talkMs: 500 });
    lab.receiver.answer = async (_one, response) => {
      const status = answer(lab.receiver.received.length);
      await pause(delayMs);
      if (status === 0) response.destroy();
      else response.writeHead(status).end();
    };
    const { body } = await lab.call();
    await lab.end(body.callid);
    expect(named()).toEqual(wanted);
    expect(await agentPhone.invites()).toBe(1);
  });
});

it('a call that is asked for while Asterisk is away is refused, not placed later', async () => {
  const agentPhone = await lab.phone('agent');
  lab.ami.isOpen = false;
  lab.ami.cut();
  await until(() => fetch(`${lab.service.url}/readyz`).then(({ ok }) => !ok), 'the loss');
  expect(await lab.call()).toMatchObject({ status: 424, body: { code: 'pbx-unreachable' } });
  lab.ami.isOpen = true;
  await lab.service.untilReady();
  await lab.phone('far', { talkMs: 500 });
  const { body } = await lab.call();
  await lab.end(body.callid);
  expect(await agentPhone.invites()).toBe(1);
});
