/**
 * From an agent's click to the service's `/call`: real input on a marked number in real Chromium, through the built extension,
 * with a warm background; by relay and directly, each to the same sandbox. The clock starts at the time the browser gives the
 * click and stops when the sandbox has read the request.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { agent, serviceToken, type Workstation } from '../../e2e/fixtures.ts';
import { startSandbox } from '../../sandbox/service.ts';
import type { Tab } from '../../testing/browsers/browser.ts';
import { launchChromium } from '../../testing/browsers/chromium.ts';
import { configure, ownPage } from '../../testing/extension/ask-background.ts';
import { hoverText } from '../../testing/extension/marked-numbers.ts';
import { enableSite } from '../../testing/extension/options-page.ts';
import { startRelay } from '../../testing/relay/workstation-relay.ts';
import { html, servePages } from '../../testing/servers/serve-pages.ts';
import { until } from '../../testing/until.ts';

export interface ClickTimes {
  way: string;
  /** Milliseconds from click to `/call`, in order. */
  times: number[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Of each way, after `warmUp` that do not count. */
const clicks = 20;
const warmUp = 3;
const budget = 20;
/** The sandbox refuses this line at once, so that the next click need not wait for a call to end. */
const number = '(48) 3322-9015';

const ways: Record<
  string,
  (workstation: Workstation) => Promise<(connection: Record<string, unknown>) => void>
> = {
  'through the relay':
    async ({ relay }) =>
    (connection) => {
      Object.assign(connection, { mode: 'relay', relayUrl: relay.url });
    },
  directly:
    async ({ sandbox }) =>
    (connection) => {
      delete connection.relayUrl;
      Object.assign(connection, {
        mode: 'direct',
        direct: { ...(connection.direct as object), primaryUrl: sandbox.url },
      });
    },
  'directly, followed by the relay':
    async ({ relay, sandbox }) =>
    (connection) => {
      const direct = { ...(connection.direct as object), primaryUrl: sandbox.url, returnTo: 'relay' };
      Object.assign(connection, { mode: 'direct', relayUrl: relay.url, direct });
    },
};

export async function timeClicks(executable: string): Promise<ClickTimes[]> {
  await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'tools/build.ts', '--if-stale', 'chrome', 'relay'],
    { cwd: root },
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-bench-clicks-'));
  const browser = await launchChromium({
    executable,
    extension: path.join(root, 'dist/chrome'),
    localNames: [],
  });
  const sandbox = await startSandbox({ port: 0, token: serviceToken, speed: 100 });
  const relay = await startRelay({ providerUrl: sandbox.url, providerToken: serviceToken, folder });
  const pages = await servePages({ '/': html(`<p>Fale com ${number} hoje</p>`) });
  try {
    const workstation: Workstation = { browser, sandbox, relay, key: await relay.addKey(agent), folder };
    await enableSite(workstation, '127.0.0.1');
    const own = await ownPage(workstation);
    const results: ClickTimes[] = [];
    for (const [way, connect] of Object.entries(ways)) {
      process.stderr.write(`bench page: clicks ${way}\n`);
      const change = await connect(workstation);
      await configure(own, workstation, ({ connection }) => change(connection));
      results.push({ way, times: await clickOften(workstation, pages.url('/')) });
    }
    return results;
  } finally {
    pages.close();
    await browser.close();
    await sandbox.close();
    await relay.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

async function clickOften({ browser, sandbox }: Workstation, url: string): Promise<number[]> {
  const tab = await browser.newTab(url);
  await tab.evaluate(
    `addEventListener('click', ({ timeStamp }) => { window.clicked = performance.timeOrigin + timeStamp; }, true)`,
  );
  const times: number[] = [];
  for (let count = 0; count < warmUp + clicks; count++) {
    const at = await hoverText(tab, number);
    await pause(450); // What has just appeared does not act yet.
    const arrived = new Promise<number>((resolve) => {
      const end = sandbox.listen(({ kind }) => {
        if (kind !== 'call') return;
        end();
        resolve(performance.timeOrigin + performance.now());
      });
    });
    await tab.clickAt(at);
    const time = await Promise.race([arrived, pause(10_000).then(() => Number.NaN)]);
    if (Number.isNaN(time)) throw new Error('a click placed no call within 10 s');
    if (count >= warmUp) times.push(time - (await tab.evaluate<number>('window.clicked')));
    await callEnded(tab);
    await pause(1_600); // Another click right after a call is refused.
    await tab.press('Escape');
  }
  await tab.close();
  return times;
}

const callEnded = (tab: Tab) =>
  until(
    async () =>
      (await tab.overlay()).some(({ attributes }) =>
        ['failed', 'disconnected', 'error', 'unknown'].includes(attributes['data-state'] ?? ''),
      ),
    'the end of the call',
  );

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

export function clickTable(results: readonly ClickTimes[]): string {
  const at = (times: readonly number[], share: number) =>
    times.toSorted((one, other) => one - other)[Math.floor(times.length * share)]!;
  return [
    `\nFrom the click to /call at the service, background warm: ms by the clock, ${clicks} clicks each`,
    `${''.padEnd(34)}   least     p50     p90 longest  promised`,
    ...results.map(({ way, times }) => {
      const p50 = at(times, 0.5);
      const figures = [Math.min(...times), p50, at(times, 0.9), Math.max(...times)].map((time) =>
        time.toFixed(1).padStart(8),
      );
      return `${way.padEnd(34)}${figures.join('')}  p50 <= ${budget} ${p50 <= budget ? 'kept' : 'MISSED'}`;
    }),
  ].join('\n');
}
