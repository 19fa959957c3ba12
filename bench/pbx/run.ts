/** The calling service on a real Asterisk: `/call` to the INVITE at the agent's phone, and how many `/call` a second it takes. */
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { ensureAsteriskPackages } from '../../testing/asterisk/asterisk-packages.ts';
import { openPhoneLab } from '../../testing/asterisk/phone-lab.ts';
import { quantile } from '../statistics.ts';
import { formatTable } from '../table.ts';

const warmUp = 5;
const single = 50;
const burst = 200;
const connections = 20;

export async function run({ json }: { json?: string }): Promise<void> {
  try {
    await ensureAsteriskPackages();
  } catch (error) {
    console.log(`pbx: not measured. ${(error as Error).message}`);
    return;
  }
  const figures = await measure();
  console.log(
    `The calling service on Asterisk, ${cpus().length} cores, every call written down before it is dialled\n`,
  );
  console.log(
    formatTable([
      ['', 'p50', 'p95'],
      ['/call to INVITE at the phone, one at a time, ms', ...figures.inviteMs.map((ms) => ms.toFixed(1))],
      ['/call to its reply, ms', ...figures.replyMs.map((ms) => ms.toFixed(1))],
    ]),
  );
  console.log(`\n/call accepted per second, ${connections} at once: ${figures.perSecond.toFixed(0)}\n`);
  if (json) appendFileSync(json, `${JSON.stringify({ part: 'pbx', ...figures })}\n`);
}

async function measure() {
  const lab = await openPhoneLab();
  try {
    // Busy at once: a call ends as soon as it has rung.
    const phone = await lab.phone('agent', { ringMs: 1, answer: 'busy' });
    const place = async (number: number) => {
      const to = `55119${String(number).padStart(8, '0')}`;
      const askedAt = performance.timeOrigin + performance.now();
      const { status } = await lab.call({ to, returnurl: undefined });
      if (status !== 200) throw new Error(`/call answered ${status}:\n${lab.service.output()}`);
      return { askedAt, repliedAt: performance.timeOrigin + performance.now() };
    };
    const times = [];
    for (let number = 0; number < warmUp + single; number += 1) times.push(await place(number));
    const rang = (await phone.calls()).map(({ at }) => at);
    const measured = times.map((time, index) => ({ ...time, rangAt: rang[index]! })).slice(warmUp);
    const spread = (values: number[]) => [quantile(values, 0.5), quantile(values, 0.95)];

    const startedAt = performance.now();
    let next = warmUp + single;
    const workers = Array.from({ length: connections }, async () => {
      while (next < warmUp + single + burst) await place(next++);
    });
    await Promise.all(workers);
    return {
      inviteMs: spread(measured.map(({ askedAt, rangAt }) => rangAt - askedAt)),
      replyMs: spread(measured.map(({ askedAt, repliedAt }) => repliedAt - askedAt)),
      perSecond: burst / ((performance.now() - startedAt) / 1000),
    };
  } finally {
    await lab.close();
  }
}
