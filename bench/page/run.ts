/**
 * bench/page: our content script beside its peers on the same generated CRM pages in the same Chromium: nothing at all, links
 * wrapped around the numbers (what most dialers do), and ringcentral-c2d, the one maintained library for this.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from '../../testing/browsers/find-browsers.ts';
import { clickTable, timeClicks } from './clicks.ts';
import { buildContenders, bundle, type Contender } from './contenders.ts';
import { reactPage, staticPage } from './crm-page.ts';
import {
  type Bench,
  type Burst,
  type Mutating,
  type ReactResult,
  type StaticResult,
  startBench,
} from './measure.ts';
import { tableOf } from './table.ts';
import type { Usage } from './trace.ts';

const allSizes = [500, 5_000, 20_000];
/**
 * Every contender opens the static page so often, in turn, and has it change itself so often; the figures are medians. The longest
 * page, for which we promise nothing, would take half an hour.
 */
const rounds = (numbers: number) => (numbers > 5_000 ? 1 : 3);
const bursts = (numbers: number) => (numbers > 5_000 ? 2 : 5);

export interface Result {
  contender: string;
  numbers: number;
  /** Gzipped, of what is injected. */
  bytes: number;
  statically: StaticResult;
  /** While the page makes 6,000 mutations; `page`: what they took the page itself, style and layout included. */
  mutating: Usage & { page: number };
  react: ReactResult;
}

/** Prints one table per page size; `json`: a file that gets every figure. */
export async function run({
  json,
  sizes = allSizes,
  clicks = true,
}: {
  json?: string;
  sizes?: readonly number[];
  clicks?: boolean;
} = {}): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-bench-page-'));
  const server = await serve(await bundle(fileURLToPath(new URL('react-app.ts', import.meta.url))));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: Running[] = [];
  try {
    const executable = await ensureChromium();
    for (const contender of await buildContenders(folder))
      running.push({ contender, bench: await startBench(contender, executable) });
    const results: Result[] = [];
    for (const numbers of sizes) {
      const ofSize = await measure(running, origin, numbers);
      console.log(tableOf(numbers, ofSize));
      results.push(...ofSize);
    }
    const clickTimes = clicks ? await timeClicks(executable) : [];
    if (clicks) console.log(clickTable(clickTimes));
    if (json !== undefined)
      await writeFile(json, JSON.stringify({ page: results, clicks: clickTimes }, null, 2));
  } finally {
    server.close();
    for (const { bench } of running) await bench.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Running {
  contender: Contender;
  bench: Bench;
}

async function measure(running: readonly Running[], origin: string, numbers: number): Promise<Result[]> {
  const statically = new Map<Running, StaticResult[]>(running.map((one) => [one, []]));
  for (let round = 0; round < rounds(numbers); round++)
    for (const one of running) {
      process.stderr.write(`bench page: ${numbers} numbers, ${one.contender.name}, round ${round + 1}\n`);
      statically.get(one)!.push(await one.bench.statically(`${origin}/static?${numbers}`));
    }
  const mutating = await mutate(running, `${origin}/static?${numbers}`, bursts(numbers));
  const results: Result[] = [];
  for (const one of running) {
    const { name, bytes } = one.contender;
    process.stderr.write(`bench page: ${numbers} numbers, ${name}, React\n`);
    const react = await one.bench.withReact(`${origin}/react?${numbers}`);
    results.push({
      contender: name,
      numbers,
      bytes,
      statically: median(statically.get(one)!),
      mutating: mutating.get(one)!,
      react,
    });
  }
  return results;
}

/** In turn, burst by burst: what else the machine does falls on all of them alike. */
async function mutate(
  running: readonly Running[],
  url: string,
  bursts: number,
): Promise<Map<Running, Result['mutating']>> {
  process.stderr.write('bench page: mutations\n');
  const pages: { one: Running; page: Mutating; seen: Burst[] }[] = [];
  for (const one of running) pages.push({ one, page: await one.bench.mutating(url), seen: [] });
  for (let count = 0; count < bursts; count++)
    for (const { page, seen } of pages) seen.push(await page.burst());
  for (const { page } of pages) await page.close();
  return new Map(
    pages.map(({ one, seen }) => {
      const frames = seen.flatMap((burst) => burst.frames);
      return [one, { ...median(seen.map(({ usage }) => usage)), page: median(frames) * 60 }];
    }),
  );
}

/** Figure by figure. */
function median<T>(all: readonly T[]): T {
  const [first] = all;
  if (typeof first === 'number')
    return (all as readonly number[]).toSorted((one, other) => one - other)[all.length >> 1] as T;
  if (typeof first !== 'object' || first === null) return first as T;
  const keys = Object.keys(first) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, median(all.map((each) => each[key]))])) as T;
}

async function serve(reactApp: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://127.0.0.1');
    const count = Number(search.slice(1));
    const answers: Record<string, () => [type: string, body: string]> = {
      '/static': () => ['text/html; charset=utf-8', staticPage(count)],
      '/react': () => ['text/html; charset=utf-8', reactPage(count)],
      '/react-app.js': () => ['text/javascript', reactApp],
    };
    const [type, body] = answers[pathname]?.() ?? ['text/plain', ''];
    response.setHeader('content-type', type).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
