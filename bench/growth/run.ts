/**
 * How the cost of marking grows with the page, in both browsers: each page is opened unmarked, then its site is
 * enabled. Twice the work may take 2.2 times the processor time. The longest time in which the page could do nothing
 * stands beside that of a style sheet which the page inserts itself, since ours has the browser style the page again, too.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tab } from '../../testing/browsers/browser.ts';
import type { BrowserName } from '../../testing/browsers/launch.ts';
import { ask, ownPage } from '../../testing/extension/ask-background.ts';
import { servePages } from '../../testing/servers/serve-pages.ts';
import { openWorkstation, type Workstation } from '../../testing/workstation.ts';
import { isBrowser, privateKibibytes, processorMs, processTree } from '../process-tree.ts';
import { formatTable } from '../table.ts';

const largest = 200_000;
const maxRatio = 2.2;
/** Less than this is not told from noise. */
const minMeasuredMs = 200;
const idleTimeoutMs = 120_000;

/** Pages of so many things of one kind. Frames are dear to the browser itself: one for each thousand. */
const pagesOf: Record<string, (count: number) => string> = {
  'text nodes of one block': (count) => `<pre>${'<i>12:00:01 stored</i> 42\n'.repeat(count / 2)}</pre>`,
  'words of one text node': (count) => `<pre>${'12:00:01 order 4711 stored\n'.repeat(count / 4)}</pre>`,
  'numbers of one block': (count) =>
    `<pre>${Array.from({ length: count / 10 }, (_, id) => `tel. (11) 9${10_000_000 + id} <i>stored</i>\n`).join('')}</pre>`,
  blocks: (count) => '<p>entry 42</p>'.repeat(count),
  'inline elements': (count) => '<p><b>entry</b> <i>42</i></p>'.repeat(count / 2),
  'shadow roots': (count) =>
    '<div><template shadowrootmode="open"><p>42</p></template></div>'.repeat(count / 10),
  frames: (count) => '<iframe srcdoc="<p>tel. (11) 98765-4321</p>"></iframe>'.repeat(count / 1_000),
};

/** Notes the longest time in which no timer of the page ran. It does not paint, which alone costs long pages much. */
const pauseWatch = `<script>
  let last = performance.now();
  window.longestPause = 0;
  setInterval(() => {
    const now = performance.now();
    longestPause = Math.max(longestPause, now - last);
    last = now;
  }, 10);
</script>`;
/** As large a change for the browser as our own style sheet. */
const insertSheet = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('::highlight(none) { color: red }');
  document.adoptedStyleSheets.push(sheet);
  document.body.getBoundingClientRect();
})()`;

/** From enabling the site until the browser is idle. */
interface Cost {
  processorMs: number;
  longestPauseMs: number;
  /** Of the page's own style sheet. */
  sheetPauseMs: number;
  /** Private memory of all of the browser's processes, beyond what it had before. */
  megabytes: number;
}

/** Of marking a page of half the size, and the whole. */
interface Growth {
  browser: BrowserName;
  of: string;
  half: Cost;
  whole: Cost;
}

/** Prints a table; `json`: a file that gets the figures. */
export async function run({ json }: { json?: string }): Promise<void> {
  const pages = await servePages(growthPages());
  const results: Growth[] = [];
  try {
    for (const browser of ['chromium', 'firefox'] as const) {
      const workstation = await openWorkstation(browser);
      try {
        await workstation.setUp();
        await workstation.enableSite('127.0.0.1');
        const own = await ownPage(workstation);
        for (const [index, of] of Object.keys(pagesOf).entries()) {
          process.stderr.write(`bench growth: ${of}, ${browser}\n`);
          const cost = (count: number) => costOf(workstation, own, pages.url(addressOf(index, count)));
          results.push({ browser, of, half: await cost(largest / 2), whole: await cost(largest) });
        }
      } finally {
        await workstation.close();
      }
    }
  } finally {
    pages.close();
  }
  console.log(formatGrowth(results));
  if (json !== undefined) await writeFile(json, JSON.stringify(results, null, 2));
}

const addressOf = (index: number, count: number) => `/growth/${index}/${count}`;

function growthPages(): Record<string, string> {
  const addresses = Object.values(pagesOf).flatMap((page, index) =>
    [largest / 2, largest].map((count) => [
      addressOf(index, count),
      `<!doctype html><html lang="pt-BR"><meta charset="utf-8">${pauseWatch}<body>${page(count)}`,
    ]),
  );
  return Object.fromEntries(addresses);
}

async function costOf(workstation: Workstation, own: Tab, url: string): Promise<Cost> {
  await enableSites(own, []);
  const tab = await workstation.openTab(url);
  await tab.activate();
  await untilIdle();
  const idleFrom = processorMs(browserProcesses());
  await pause(1_000);
  const idlePerSecond = processorMs(browserProcesses()) - idleFrom;
  const longestPause = async () => {
    const longest = await tab.evaluate<number>('longestPause');
    await tab.evaluate('void (longestPause = 0)');
    return longest;
  };
  await longestPause();
  await tab.evaluate(insertSheet);
  await untilIdle();
  const sheetPauseMs = await longestPause();
  const memory = privateKibibytes(browserProcesses());
  const before = processorMs(browserProcesses());
  const startedAt = performance.now();
  await enableSites(own, ['127.0.0.1']);
  await untilIdle();
  const seconds = (performance.now() - startedAt) / 1000;
  const cost = {
    processorMs: processorMs(browserProcesses()) - before - idlePerSecond * seconds,
    longestPauseMs: await longestPause(),
    sheetPauseMs,
    megabytes: (privateKibibytes(browserProcesses()) - memory) / 1024,
  };
  await tab.close();
  return cost;
}

async function enableSites(own: Tab, enabled: string[]): Promise<void> {
  const { value } = await ask<{ settings: { sites: object } }>(own, { type: 'page.settings' });
  const { settings } = value;
  settings.sites = { ...settings.sites, enabled };
  await ask(own, { type: 'page.saveSettings', settings });
}

const browserProcesses = () => processTree(process.pid).filter(isBrowser);

/** Waits until the browser uses less than a fifth of a processor, for a second and a half. */
async function untilIdle(): Promise<void> {
  const end = Date.now() + idleTimeoutMs;
  for (let last = processorMs(browserProcesses()), quiet = 0; quiet < 3 && Date.now() < end; ) {
    await pause(500);
    const now = processorMs(browserProcesses());
    quiet = now - last <= 100 ? quiet + 1 : 0;
    last = now;
  }
}

function formatGrowth(results: readonly Growth[]): string {
  const rows = results.map(({ browser, of, half, whole }) => {
    const ratio = whole.processorMs / half.processorMs;
    const isKept = ratio <= maxRatio || whole.processorMs < minMeasuredMs;
    return [
      `${browser}: ${of}`,
      ...[half.processorMs, whole.processorMs].map((ms) => ms.toFixed(0)),
      ratio.toFixed(1),
      isKept ? 'kept' : 'MISSED',
      whole.longestPauseMs.toFixed(0),
      whole.sheetPauseMs.toFixed(0),
      whole.megabytes.toFixed(1),
    ];
  });
  const heads = ['half, CPU ms', 'whole', 'ratio', `<= ${maxRatio}`, 'longest pause, ms', 'of a sheet', 'MB'];
  return `
Marking pages of up to ${largest.toLocaleString('en')} things
${formatTable([['', ...heads], ...rows])}`;
}
