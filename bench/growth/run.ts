/**
 * Measures in both browsers how the cost of marking grows with the page. Each page is opened unmarked, then its site is
 * enabled, and its first number is clicked. The page's longest pause is compared with the pause of a style sheet of its
 * own. Our style sheet also makes the browser style the page again.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Point, Tab } from '../../testing/browsers/browser.ts';
import type { BrowserName } from '../../testing/browsers/launch.ts';
import { ask, ownPage } from '../../testing/extension/ask-background.ts';
import { servePages } from '../../testing/servers/serve-pages.ts';
import { openWorkstation, type Workstation } from '../../testing/workstation.ts';
import { isBrowser, privateKibibytes, processorMs, processTree } from '../process-tree.ts';
import { formatTable } from '../table.ts';

const largest = 200_000;
/** The largest ratio of processor times for twice the work. */
const maxRatio = 2.2;
/** The longest pause that may be ours: the pause of the page's own style sheet is subtracted. */
const maxTaskMs = 50;
/** The largest ratio of the memory that marking takes to the page's own text. */
const maxTextRatio = 2;
/** Smaller times of the processor vary too much to be compared. */
const minMeasuredMs = 200;
/** A browser's private memory varies by several megabytes. So it is compared with long texts only. */
const minMeasuredTextMegabytes = 8;
/** More than the time for which a tip must be shown before a click on its number counts. */
const hoverMs = 1_000;
const idleTimeoutMs = 120_000;

/** Makes a page with many things of one kind. Frames cost the browser much, so there is one for each thousand. */
const pagesOf: Record<string, (count: number) => string> = {
  'text nodes of one block': (count) => `<pre>${'<i>12:00:01 stored</i> 42\n'.repeat(count / 2)}</pre>`,
  'words of one text node': (count) => `<pre>${'12:00:01 order 4711 stored\n'.repeat(count / 4)}</pre>`,
  'numbers of one block': (count) =>
    `<pre>${Array.from(
      { length: count / 10 },
      (_, id) => `tel. (11) 9${10_000_000 + id} <i>stored</i>\n`,
    ).join('')}</pre>`,
  'numbers of one line': (count) => `<p>${'call 11 98765-4321 before noon, '.repeat(count / 12)}</p>`,
  'text node of 10 MB': (count) =>
    `<pre>${'written at 12:30 by Ana, order 4711, stored today\n'.repeat(count)}</pre>`,
  blocks: (count) => '<p>entry 42</p>'.repeat(count),
  'inline elements': (count) => '<p><b>entry</b> <i>42</i></p>'.repeat(count / 2),
  'shadow roots': (count) =>
    '<div><template shadowrootmode="open"><p>42</p></template></div>'.repeat(count / 10),
  frames: (count) => '<iframe srcdoc="<p>tel. (11) 98765-4321</p>"></iframe>'.repeat(count / 1_000),
};

/** Keeps the longest time between two timers of the page. It does not paint, because that costs long pages much. */
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

/** What marking a page costs, from enabling the site until the browser is idle. */
interface Cost {
  processorMs: number;
  longestPauseMs: number;
  /** The longest pause while the agent points at a number and clicks it. */
  clickPauseMs: number;
  /** The pause of the page's own style sheet. */
  sheetPauseMs: number;
  /** By how much the private memory of the browser's processes grew. */
  megabytes: number;
  /** The size of the page's own text. Each character counts as a byte. */
  textMegabytes: number;
}

/** The costs of marking a page of half the size and of the full size. */
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
  if (results.some((growth) => limitsOf(growth).some(({ isKept }) => !isKept))) process.exitCode = 1;
  if (json !== undefined) await writeFile(json, JSON.stringify(results, null, 2));
}

const addressOf = (index: number, count: number) => `/growth/${index}/${count}`;

function growthPages(): Record<string, string> {
  const addresses = Object.values(pagesOf).flatMap((page, index) =>
    [largest / 2, largest].map((count) => [
      addressOf(index, count),
      `<!doctype html><html lang="pt-BR"><meta charset="utf-8">${pauseWatch}<body>
        <p>tel. <b id="first">(11) 98765-4321</b></p>${page(count)}`,
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
  const marking = {
    processorMs: processorMs(browserProcesses()) - before - idlePerSecond * seconds,
    longestPauseMs: await longestPause(),
    sheetPauseMs,
    megabytes: (privateKibibytes(browserProcesses()) - memory) / 1024,
    textMegabytes: (await tab.evaluate<number>('document.body.textContent.length')) / 1024 ** 2,
  };
  await longestPause();
  await clickFirstNumber(tab);
  const cost = { ...marking, clickPauseMs: await longestPause() };
  await tab.close();
  return cost;
}

async function clickFirstNumber(tab: Tab): Promise<void> {
  const point = await tab.evaluate<Point>(`(() => {
    const { x, y, width, height } = document.querySelector('#first').getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  })()`);
  await tab.moveTo(point);
  await pause(hoverMs);
  await tab.clickAt(point);
  await untilIdle();
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

/** Each figure that has a limit. A figure that varies too much to be compared keeps its limit. */
function limitsOf({ half, whole }: Growth): { figure: number; isKept: boolean }[] {
  const ratio = whole.processorMs / half.processorMs;
  const task = Math.max(whole.longestPauseMs, whole.clickPauseMs) - whole.sheetPauseMs;
  const ofText = whole.megabytes / whole.textMegabytes;
  return [
    { figure: ratio, isKept: ratio <= maxRatio || whole.processorMs < minMeasuredMs },
    { figure: task, isKept: task <= maxTaskMs },
    { figure: ofText, isKept: ofText <= maxTextRatio || whole.textMegabytes < minMeasuredTextMegabytes },
  ];
}

function formatGrowth(results: readonly Growth[]): string {
  const rows = results.map((growth) => {
    const { browser, of, half, whole } = growth;
    const { processorMs, longestPauseMs, clickPauseMs, sheetPauseMs } = whole;
    return [
      `${browser}: ${of}`,
      ...[half.processorMs, processorMs, longestPauseMs, clickPauseMs, sheetPauseMs].map((ms) =>
        ms.toFixed(0),
      ),
      whole.megabytes.toFixed(1),
      ...limitsOf(growth).map(({ figure, isKept }) => `${figure.toFixed(1)} ${isKept ? 'kept' : 'MISSED'}`),
    ];
  });
  const heads = ['half, CPU ms', 'whole', 'longest pause, ms', 'at a click', 'of a sheet', 'MB'];
  const limits = [`ratio <= ${maxRatio}`, `own task <= ${maxTaskMs} ms`, `MB to text <= ${maxTextRatio}`];
  return `
Marking pages of up to ${largest.toLocaleString('en')} things
${formatTable([['', ...heads, ...limits], ...rows])}`;
}
