/**
 * Measures the time from an agent's click to the service's `/call`. Real input clicks a marked number in Chromium with
 * the built extension, whose background is running. Calls go through the relay and directly, to the same sandbox. The
 * time starts at the release of the button, and ends when the sandbox has read the request.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Tab } from '../../testing/browsers/browser.ts';
import { configure, ownPage } from '../../testing/extension/ask-background.ts';
import { hoverText } from '../../testing/extension/marked-numbers.ts';
import { html, servePages } from '../../testing/servers/serve-pages.ts';
import { until } from '../../testing/until.ts';
import { openWorkstation, type Workstation } from '../../testing/workstation.ts';
import { formatTimes } from '../table.ts';

/** The form of the JSON file. */
interface ClickTimes {
  way: string;
  /** Milliseconds from click to `/call`, in order. */
  times: number[];
}

/** Per route, after the warm-up. */
const clicks = 20;
const warmUpClicks = 3;
const budgetMs = 20;
/** The sandbox refuses this number at once, so that the next click need not wait for a call to end. */
const number = '(48) 3322-9015';

const routes: Record<string, (to: Workstation) => { relayUrl?: string; primaryUrl?: string }> = {
  'through the relay': ({ relay }) => ({ relayUrl: relay.url }),
  directly: ({ sandbox }) => ({ primaryUrl: sandbox.url }),
  'directly, followed by the relay': ({ relay, sandbox }) => ({
    relayUrl: relay.url,
    primaryUrl: sandbox.url,
  }),
};

export async function timeClicks(): Promise<ClickTimes[]> {
  const workstation = await openWorkstation('chromium', { sandbox: { speed: 100 } });
  const pages = await servePages({ '/': html(`<p>Fale com ${number} hoje</p>`) });
  try {
    await workstation.enableSite('127.0.0.1');
    const own = await ownPage(workstation);
    const results: ClickTimes[] = [];
    for (const [route, addresses] of Object.entries(routes)) {
      process.stderr.write(`bench page: clicks ${route}\n`);
      const { primaryUrl, relayUrl } = addresses(workstation);
      await configure(own, workstation, ({ connection }) => {
        const direct = { ...(connection.direct as object), primaryUrl };
        Object.assign(connection, { mode: primaryUrl ? 'direct' : 'relay', relayUrl, direct });
      });
      results.push({ way: route, times: await clickOften(workstation, pages.url('/')) });
    }
    return results;
  } finally {
    pages.close();
    await workstation.close();
  }
}

async function clickOften({ browser, sandbox }: Workstation, url: string): Promise<number[]> {
  const tab = await browser.newTab(url);
  // The page gets the release, but not the click: we consume a click on a marked number.
  await tab.evaluate(
    `addEventListener('pointerup', ({ timeStamp }) => {
      window.clickedAt = performance.timeOrigin + timeStamp; }, true)`,
  );
  const times: number[] = [];
  for (let count = 0; count < warmUpClicks + clicks; count++) {
    const at = await hoverText(tab, number);
    await pause(450); // A tip ignores clicks until it has been shown for a moment.
    const arrived = new Promise<number>((resolve) => {
      const end = sandbox.listen(({ kind }) => {
        if (kind !== 'call') return;
        end();
        resolve(performance.timeOrigin + performance.now());
      });
    });
    await tab.clickAt(at);
    const arrivedAt = await Promise.race([arrived, pause(10_000).then(() => Number.NaN)]);
    if (Number.isNaN(arrivedAt)) throw new Error('a click placed no call within 10 s');
    await untilCallEnds(tab);
    await pause(1_600); // Another click right after a call is refused.
    await tab.press('Escape');
    const clickedAt = await tab.evaluate<number | null>('window.clickedAt ?? null');
    if (clickedAt === null) throw new Error('the page saw no click');
    if (count >= warmUpClicks) times.push(arrivedAt - clickedAt);
  }
  await tab.close();
  return times;
}

const untilCallEnds = (tab: Tab) =>
  until(
    async () =>
      (await tab.overlay()).some(({ attributes }) =>
        ['failed', 'disconnected', 'error', 'unknown'].includes(attributes['data-state'] ?? ''),
      ),
    'the end of the call',
  );

export const formatClickTable = (results: readonly ClickTimes[]): string => `
From the click to /call at the service, background warm: wall-clock ms, ${clicks} clicks each
${formatTimes(
  results.map(({ way, times }) => [way, times]),
  { ms: budgetMs, share: 0.5 },
)}`;
