/**
 * Measures our content script, an empty script and ringcentral-c2d on the same generated CRM pages in one Chromium.
 * ringcentral-c2d is the one maintained library for this.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from '../../testing/browsers/find-browsers.ts';
import { bundleScript } from '../../testing/bundle-script.ts';
import { type ServedPages, servePages } from '../../testing/servers/serve-pages.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { median } from '../statistics.ts';
import { formatClickTable, timeClicks } from './clicks.ts';
import { buildContenders, type Contender } from './contenders.ts';
import { reactPage, staticPage } from './crm-page.ts';
import { type ContenderBrowser, launchWithContender, type PageResult } from './measure.ts';
import { formatNameTable, timeNames } from './names.ts';
import { formatPageTable } from './table.ts';

/** Numbers on a page. */
const sizes = [500, 5_000];
/** How often every contender opens each page, in turn. */
const rounds = 3;

/** Prints one table per page size, then the clicks and the names; `json`: a file that gets every figure. */
export async function run({ json }: { json?: string }): Promise<void> {
  const folder = await temporaryFolder();
  const pages = await servePages({
    '/react-app.js': await bundleScript(fileURLToPath(new URL('react-app.ts', import.meta.url))),
    ...Object.fromEntries(
      sizes.flatMap((numbers) => [
        [`/static/${numbers}`, staticPage(numbers)],
        [`/react/${numbers}`, reactPage(numbers)],
      ]),
    ),
  });
  const running: Running[] = [];
  try {
    const executable = await ensureChromium();
    for (const contender of await buildContenders(folder.path))
      running.push({ contender, browser: await launchWithContender(contender, executable) });
    const results: PageResult[] = [];
    for (const numbers of sizes) {
      const ofSize = await measure(running, pages, numbers);
      console.log(formatPageTable(numbers, ofSize));
      results.push(...ofSize);
    }
    const clickTimes = await timeClicks();
    console.log(formatClickTable(clickTimes));
    const nameTimes = await timeNames();
    console.log(formatNameTable(nameTimes));
    if (json !== undefined)
      await writeFile(json, JSON.stringify({ page: results, clicks: clickTimes, names: nameTimes }, null, 2));
  } finally {
    pages.close();
    for (const { browser } of running) await browser.close();
    await folder.remove();
  }
}

interface Running {
  contender: Contender;
  browser: ContenderBrowser;
}

async function measure(
  running: readonly Running[],
  pages: ServedPages,
  numbers: number,
): Promise<PageResult[]> {
  const measured = new Map<Running, PageResult[]>(running.map((one) => [one, []]));
  for (let round = 1; round <= rounds; round++)
    for (const one of running) {
      const { name, bytes } = one.contender;
      process.stderr.write(`bench page: ${numbers} numbers, ${name}, round ${round}\n`);
      const statically = await one.browser.measureStatic(pages.url(`/static/${numbers}`));
      const react = await one.browser.measureReact(pages.url(`/react/${numbers}`));
      measured.get(one)!.push({ contender: name, numbers, bytes, statically, react });
    }
  return [...measured.values()].map(medianOfEach);
}

/** The median of each figure in objects of one shape. */
function medianOfEach<T>(all: readonly T[]): T {
  const [first] = all;
  if (typeof first === 'number') return median(all as readonly number[]) as T;
  if (typeof first !== 'object' || first === null) return first as T;
  const keys = Object.keys(first) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, medianOfEach(all.map((each) => each[key]))])) as T;
}
