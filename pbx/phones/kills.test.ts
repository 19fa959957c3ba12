/** Random kills of the service in the middle of calls, as many as `npm test -- phones --kills N` says. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { expectTrueEnd } from '../../testing/asterisk/expect-true-end.ts';
import { openPhoneLab } from '../../testing/asterisk/phone-lab.ts';
import { until } from '../../testing/until.ts';

const kills = Number(process.env.PHONES_KILLS ?? 30);
const callsAtOnce = 4;
const agents = Array.from({ length: callsAtOnce }, (_, index) => String(1200 + index));

it(`rings at most once a click with a true end, or unknown, over ${kills} random kills`, {
  timeout: kills * 60_000,
}, async () => {
  const lab = await openPhoneLab(agents);
  // At each phone, how many clicks rang it never, once, and more often.
  const rang = { agent: [0, 0, 0], far: [0, 0, 0] };
  const ends: Record<string, number> = { hangup: 0, 'lost-call': 0, unknown: 0 };
  let killed = 0;
  try {
    for (let round = 0; round < kills; round += 1) {
      const agentPhone = await lab.phone('agent', { ringMs: randomInt(1, 400) });
      const farPhone = await lab.phone('far', { ringMs: randomInt(1, 400), talkMs: randomInt(200, 5000) });
      const clicks = agents.map((from, index) => ({
        from,
        to: `55119${String(round).padStart(4, '0')}${index}`,
        key: randomUUID(),
      }));
      const first = clicks.map(async ({ key, ...fields }) => {
        await pause(randomInt(0, 600));
        return lab.call(fields, key);
      });
      const killAfterMs = randomInt(0, 1500);
      await pause(killAfterMs);
      await lab.service.stop();
      killed += 1;
      await Promise.all(first);
      await lab.service.start();
      await lab.service.untilReady();
      // The click of a browser that does not know what became of it.
      const replies = await Promise.all(clicks.map(({ key, ...fields }) => lab.call(fields, key)));
      const context = `round ${round}, killed after ${killAfterMs} ms`;
      for (const [index, { from, to }] of clicks.entries()) {
        const end = await lab.end(replies[index]!.body.callid);
        // "Unknown" may come before the phones are through with it.
        const [atAgent, atFar] = [
          (await agentPhone.calls()).filter((call) => call.to === from),
          (await farPhone.calls()).filter((call) => call.to === to),
        ];
        // Soft: a long run is finished, and says all that it found.
        expect.soft(atAgent.length, `${context}: INVITEs at ${from}`).toBeLessThanOrEqual(1);
        expect.soft(atFar.length, `${context}: INVITEs at ${to}`).toBeLessThanOrEqual(1);
        expectTrueEnd(end, atAgent[0], atFar[0]);
        rang.agent[Math.min(2, atAgent.length)]! += 1;
        rang.far[Math.min(2, atFar.length)]! += 1;
        ends[end.event]! += 1;
      }
      await lab.reset();
      await until(
        () => fetch(`${lab.service.url}/metrics`).then(async (one) => /open_calls 0/.test(await one.text())),
        'the end of all calls',
      );
    }
  } finally {
    const often = ([never, once, more]: number[]) => `never ${never}, once ${once}, more often ${more}`;
    console.log(`${killed} kills, ${callsAtOnce} clicks around each
  rang the agent's phone  ${often(rang.agent)}
  rang the number's       ${often(rang.far)}
  reported as ended       ${Object.entries(ends)
    .map((end) => end.join(' '))
    .join(', ')}`);
    await lab.close();
  }
});
