/**
 * Our content script beside its peers on the same generated CRM pages in the same Chromium: an empty script, one that wraps the
 * numbers in links (what most dialers do), and ringcentral-c2d, the one maintained library for this.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from '../../testing/browsers/find-browsers.ts';
import { bundleScript } from '../../testing/bundle-script.ts';
import { type ServedPages, servePages } from '../../testing/servers/serve-pages.ts';
import { median } from '../statistics.ts';
import { formatClickTable, timeClicks } from './clicks.ts';
import { buildContenders, type Contender } from './contenders.ts';
import { reactPage, staticPage } from './crm-page.ts';
import { formatGrowthTable, growthPages, measureGrowth } from './growth.ts';
import {
  type Burst,
  type ContenderBrowser,
  launchWithContender,
  type MutatingPage,
  type PageResult,
  type StaticResult,
} from './measure.ts';
import { formatPageTable } from './table.ts';

/** Numbers on a page. */
const sizes = [500, 5_000, 20_000];
/** How often, in turn, every contender opens the static page and has it change itself. The longest page has no budget. */
const rounds = (numbers: number) => (numbers > 5_000 ? 1 : 3);
const bursts = (numbers: number) => (numbers > 5_000 ? 2 : 5);

/** Prints one table per page size, the growth and the clicks; `json`: a file that gets every figure. */
export async function run({ json }: { json?: string }): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-bench-page-'));
  const pages = await servePages({
    '/react-app.js': await bundleScript(fileURLToPath(new URL('react-app.ts', import.meta.url))),
    ...growthPages(),
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
    for (const contender of await buildContenders(folder))
      running.push({ contender, browser: await launchWithContender(contender, executable) });
    const results: PageResult[] = [];
    for (const numbers of sizes) {
      const ofSize = await measure(running, pages, numbers);
      console.log(formatPageTable(numbers, ofSize));
      results.push(...ofSize);
    }
    const ours = running.find(({ contender }) => contender.name === 'dialmark')!;
    const growth = await measureGrowth(ours.browser, pages);
    console.log(formatGrowthTable(growth));
    const clickTimes = await timeClicks();
    console.log(formatClickTable(clickTimes));
    if (json !== undefined)
      await writeFile(json, JSON.stringify({ page: results, growth, clicks: clickTimes }, null, 2));
  } finally {
    pages.close();
    for (const { browser } of running) await browser.close();
    await rm(folder, { recursive: true, force: true });
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
  const statically = new Map<Running, StaticResult[]>(running.map((one) => [one, []]));
  for (let round = 0; round < rounds(numbers); round++)
    for (const one of running) {
      process.stderr.write(`bench page: ${numbers} numbers, ${one.contender.name}, round ${round + 1}\n`);
      statically.get(one)!.push(await one.browser.measureStatic(pages.url(`/static/${numbers}`)));
    }
  const mutating = await mutate(running, pages.url(`/static/${numbers}`), bursts(numbers));
  const results: PageResult[] = [];
  for (const one of running) {
    const { name, bytes } = one.contender;
    process.stderr.write(`bench page: ${numbers} numbers, ${name}, React\n`);
    const react = await one.browser.measureReact(pages.url(`/react/${numbers}`));
    results.push({
      contender: name,
      numbers,
      bytes,
      statically: medianOfEach(statically.get(one)!),
      mutating: mutating.get(one)!,
      react,
    });
  }
  return results;
}

/** Measures in turn, burst by burst, so that other load of the machine affects all contenders alike. */
async function mutate(
  running: readonly Running[],
  url: string,
  bursts: number,
): Promise<Map<Running, PageResult['mutating']>> {
  process.stderr.write('bench page: mutations\n');
  const pages: { one: Running; page: MutatingPage; seen: Burst[] }[] = [];
  for (const one of running) pages.push({ one, page: await one.browser.openMutating(url), seen: [] });
  for (let count = 0; count < bursts; count++)
    for (const { page, seen } of pages) seen.push(await page.burst());
  for (const { page } of pages) await page.close();
  return new Map(
    pages.map(({ one, seen }) => {
      const framesMs = seen.flatMap((burst) => burst.framesMs);
      return [one, { ...medianOfEach(seen.map(({ usage }) => usage)), page: median(framesMs) * 60 }];
    }),
  );
}

/** The median of each figure in objects of one shape. */
function medianOfEach<T>(all: readonly T[]): T {
  const [first] = all;
  if (typeof first === 'number') return median(all as readonly number[]) as T;
  if (typeof first !== 'object' || first === null) return first as T;
  const keys = Object.keys(first) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, medianOfEach(all.map((each) => each[key]))])) as T;
}
