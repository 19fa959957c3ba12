/** One contender on one page in real Chromium: what it costs the page's main thread, and what it does to the page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from 'playwright';
import type { Contender } from './contenders.ts';
import { startTrace, type Trace, type Usage } from './trace.ts';

/** Milliseconds, but for counts. */
export interface StaticResult {
  marking: Usage;
  /** Main-thread time until the first number could be clicked, and what a clock saw; absent where that cannot be seen. */
  firstMark?: { cpu: number; wall: number };
  scrolling: Usage;
  domChanged: boolean;
  errors: number;
}
export interface ReactResult {
  /** 12 renders and everything that follows them. */
  rendering: Usage;
  /** Numbers that look or act like a number of the page and are not. Absent where that cannot be seen. */
  stale?: number;
  errors: number;
}

export interface Bench {
  statically(url: string): Promise<StaticResult>;
  withReact(url: string): Promise<ReactResult>;
  /** Opens a page and marks it; what is returned makes it change itself, as often as asked. */
  mutating(url: string): Promise<Mutating>;
  close(): Promise<void>;
}
export interface Mutating {
  /** 6,000 mutations. */
  burst(): Promise<Burst>;
  close(): Promise<void>;
}
export interface Burst {
  /** Until everything that follows has come to rest. */
  usage: Usage;
  /** What each frame's 100 mutations took the page itself, style and layout included. */
  frames: number[];
}

/** Longest that a contender may take to come to rest. */
const patience = 90_000;

export async function startBench(contender: Contender, executablePath: string): Promise<Bench> {
  const profile = await mkdtemp(path.join(tmpdir(), 'dialmark-bench-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    viewport: { width: 1280, height: 800 },
    args: [`--disable-extensions-except=${contender.folder}`, `--load-extension=${contender.folder}`],
  });
  // What runs in the page is compiled by tsx, which names functions by a helper of its own.
  await context.addInitScript('globalThis.__name ??= (made) => made');
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  return {
    async statically(url) {
      const open = await openPage(context, url);
      const { page } = open;
      const before = await serialised(page);
      const marked = await open.trace();
      const seen = await noteFirstMark(contender, page);
      await inject(worker);
      if (seen) await page.waitForFunction(() => performance.getEntriesByName('first mark').length > 0);
      const marking = await marked();
      const scrolled = await open.trace();
      await page.evaluate(scrollThrough);
      const scrolling = await scrolled();
      await page.evaluate(() => scrollTo(0, 0));
      await open.rest();
      const domChanged = (await serialised(page)) !== before;
      await page.close();
      const firstMark = timeToFirstMark(marking);
      return {
        marking: marking.usage,
        ...(firstMark && { firstMark }),
        scrolling: scrolling.usage,
        domChanged,
        errors: open.errors.length,
      };
    },
    async withReact(url) {
      const open = await openPage(context, url);
      await inject(worker);
      await open.rest();
      const rendered = await open.trace();
      for (let generation = 1; generation <= 12; generation++) {
        // A page that a contender has broken throws here: that is counted, not thrown.
        await open.page
          .evaluate((value) => window.render(value), generation)
          .catch(() => open.errors.push('render'));
        await open.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      }
      const rendering = (await rendered()).usage;
      const stale = await open.page.evaluate(countStale, contender.name);
      await open.page.close();
      return { rendering, ...(stale !== null && { stale }), errors: open.errors.length };
    },
    async mutating(url) {
      const { page, rest, trace } = await openPage(context, url);
      await inject(worker);
      await rest();
      return {
        async burst() {
          const mutated = await trace();
          await page.evaluate(mutate);
          const { usage, marks } = await mutated();
          const ends = marks('mutated');
          return {
            usage,
            frames: marks('to mutate').map(({ cpu }, index) => ends[index]!.cpu - cpu),
          };
        },
        close: () => page.close(),
      };
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface OpenPage {
  page: Page;
  errors: string[];
  /** Waits until the main thread has nothing to do. */
  rest(): Promise<void>;
  /** @returns what waits until the main thread came to rest, and then tells what used it since. */
  trace(): Promise<() => Promise<Trace>>;
}

async function openPage(context: BrowserContext, url: string): Promise<OpenPage> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url, { timeout: patience });
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const rest = () => untilRest(page, session);
  await rest();
  return {
    page,
    errors,
    rest,
    async trace() {
      const end = await startTrace(session);
      return async () => {
        await rest();
        return end();
      };
    },
  };
}

async function untilRest(page: Page, session: CDPSession): Promise<void> {
  const cpu = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
  };
  const end = Date.now() + patience;
  for (let last = await cpu(), quiet = 0; quiet < 3 && Date.now() < end; ) {
    await page.waitForTimeout(300);
    const now = await cpu();
    quiet = now - last < 4 ? quiet + 1 : 0;
    last = now;
  }
}

async function inject(worker: Worker): Promise<void> {
  await worker.evaluate(async () => {
    const tabs = await chrome.tabs.query({ url: 'http://127.0.0.1/*' });
    await chrome.scripting.executeScript({ target: { tabId: tabs.at(-1)!.id! }, files: ['content.js'] });
  });
}

/** Has the page note the moment at which its first number is marked. -> it can be seen */
async function noteFirstMark({ name }: Contender, page: Page): Promise<boolean> {
  const marked: Record<string, string> = {
    dialmark: `${ourHighlight}.size > 0`,
    'wrap-in-links': `document.querySelector('a.wrapped') !== null`,
  };
  if (marked[name] === undefined) return false;
  await page.evaluate(
    `(() => { const look = () => { if (${marked[name]}) performance.mark('first mark'); else setTimeout(look, 1); }; look(); })()`,
  );
  return true;
}

/** Long pages get a highlight without an underline. */
const ourHighlight = `(CSS.highlights.get('dialmark-number') ?? CSS.highlights.get('dialmark-number-plain') ?? new Set())`;

function timeToFirstMark({ injected, marks }: Trace): { cpu: number; wall: number } | undefined {
  const [first] = marks('first mark');
  return first && injected && { cpu: first.cpu - injected.cpu, wall: first.wall - injected.wall };
}

const serialised = (page: Page) =>
  page.evaluate(() => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement;
    copy.querySelector(':scope > dialmark-overlay')?.remove();
    return copy.outerHTML;
  });

/** 40 steps of most of a screen, each given two frames. */
async function scrollThrough(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let step = 0; step < 40; step++) {
    scrollBy({ top: 640, behavior: 'instant' });
    await frame();
    await frame();
  }
}

/** 3,000 rows of an activity log come and 3,000 go, 50 of each a frame, as a live feed does. */
async function mutate(): Promise<void> {
  const log = document.querySelector('#log')!;
  const row = (index: number) => {
    const made = document.createElement('div');
    made.textContent = `Evento ${index} registrado`;
    return made;
  };
  while (log.childElementCount < 50) log.append(row(log.childElementCount));
  for (let frame = 0; frame < 60; frame++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    performance.mark('to mutate');
    for (let index = 0; index < 50; index++) {
      log.append(row(frame * 50 + index));
      log.firstChild!.remove();
    }
    void log.getBoundingClientRect();
    performance.mark('mutated');
  }
}

/** Links and marks whose number is not one that React shows now, and text that React did not write. */
function countStale(contender: string): number | null {
  const shown = new Set([...document.querySelectorAll('#app li')].map((row) => row.textContent));
  const generation = 12;
  const expected = new Set(
    Array.from({ length: window.rowCount }, (_, id) => id).map((id) => window.phoneOf(id, generation)),
  );
  if (contender === 'dialmark') {
    let stale = 0;
    const highlights = CSS.highlights.get('dialmark-number') ?? CSS.highlights.get('dialmark-number-plain');
    for (const range of highlights ?? []) {
      const live = new Range();
      live.setStart(range.startContainer, range.startOffset);
      live.setEnd(range.endContainer, range.endOffset);
      if (!expected.has(live.toString())) stale++;
    }
    return stale;
  }
  if (contender === 'wrap-in-links') {
    let stale = 0;
    for (const link of document.querySelectorAll('a.wrapped'))
      if (!expected.has(link.textContent ?? '') || !shown.has(link.closest('li')?.textContent ?? '')) stale++;
    for (const row of document.querySelectorAll('#app li')) {
      const id = Number(/Cliente (\d+)/.exec(row.textContent ?? '')?.[1]);
      if (row.textContent !== `Cliente ${id} tel. ${window.phoneOf(id, generation)}${id % 2 ? ' ativo' : ''}`)
        stale++;
    }
    return stale;
  }
  return contender === 'none' ? 0 : null;
}

declare global {
  interface Window {
    rowCount: number;
    phoneOf(id: number, generation: number): string;
    render(generation: number): void;
  }
}
