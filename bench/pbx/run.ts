/**
 * The calling service on a real Asterisk: from the click in a page, and from `/call`, to the INVITE at the agent's phone, and how
 * many `/call` a second it takes.
 */
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { ensureAsteriskPackages } from '../../testing/asterisk/asterisk-packages.ts';
import { openPhoneLab } from '../../testing/asterisk/phone-lab.ts';
import { openPhoneWorkstation } from '../../testing/asterisk/phone-workstation.ts';
import { startPhone } from '../../testing/asterisk/sip-phone.ts';
import { configure } from '../../testing/extension/ask-background.ts';
import { callsFinished, clickNumber } from '../../testing/extension/marked-numbers.ts';
import { html, servePages } from '../../testing/servers/serve-pages.ts';
import { until } from '../../testing/until.ts';
import { clickedAt, watchClicks } from '../click-time.ts';
import { quantile } from '../statistics.ts';
import { formatTable } from '../table.ts';

const warmUp = 5;
const single = 50;
const burst = 200;
const connections = 20;
const warmUpClicks = 3;
const clicks = 20;
const number = '(48) 3322-4455';
/** Ends a call as soon as it has rung. */
const busyAtOnce = { ringMs: 1, answer: 'busy' } as const;

export async function run({ json }: { json?: string }): Promise<void> {
  try {
    await ensureAsteriskPackages();
  } catch (error) {
    console.log(`pbx: not measured. ${(error as Error).message}`);
    return;
  }
  const figures = { ...(await measure()), clickMs: await measureClicks() };
  console.log(
    `The calling service on Asterisk, ${cpus().length} cores, every call written down before it is dialled\n`,
  );
  console.log(
    formatTable([
      ['', 'p50', 'p95'],
      [
        `click in the page to INVITE at the phone, through extension and relay, ${clicks} clicks, ms`,
        ...figures.clickMs.map((ms) => ms.toFixed(1)),
      ],
      ['/call to INVITE at the phone, one at a time, ms', ...figures.inviteMs.map((ms) => ms.toFixed(1))],
      ['/call to its reply, ms', ...figures.replyMs.map((ms) => ms.toFixed(1))],
    ]),
  );
  console.log(`\n/call accepted per second, ${connections} at once: ${figures.perSecond.toFixed(0)}\n`);
  if (json) appendFileSync(json, `${JSON.stringify({ part: 'pbx', ...figures })}\n`);
}

const spread = (values: number[]) => [quantile(values, 0.5), quantile(values, 0.95)];

/** From the click event's own time to the INVITE, by real clicks in Chromium with its background warm. */
async function measureClicks(): Promise<number[]> {
  const station = await openPhoneWorkstation('chromium');
  const pages = await servePages({ '/': html(`<p>Fale com ${number} hoje</p>`) });
  try {
    await station.setUp();
    await station.enableSite('127.0.0.1');
    const phone = await startPhone(station.asterisk, 'agent', busyAtOnce);
    const { extensionOrigin } = station.browser;
    const own = await station.openTab(`${extensionOrigin}/extension/pages/call/index.html`);
    // The guard would refuse the twenty-first click of a minute.
    await configure(own, station, () => {});
    const tab = await station.openTab(pages.url('/'));
    await watchClicks(tab);
    const timesMs: number[] = [];
    for (let count = 1; count <= warmUpClicks + clicks; count += 1) {
      await clickNumber(tab, number);
      const call = await until(async () => (await phone.calls())[count - 1], 'the INVITE');
      timesMs.push(call.at - (await clickedAt(tab)));
      await callsFinished(station, own);
      await tab.press('Escape');
    }
    await phone.stop();
    return spread(timesMs.slice(warmUpClicks));
  } finally {
    pages.close();
    await station.close();
  }
}

async function measure() {
  const lab = await openPhoneLab();
  try {
    const phone = await lab.phone('agent', busyAtOnce);
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
