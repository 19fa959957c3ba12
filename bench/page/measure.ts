/** Measures one contender on one page in real Chromium: the time of the page's main thread, and changes of the page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from 'playwright';
import type { Contender } from './contenders.ts';
import { startTrace, type Trace, type Usage } from './trace.ts';

/** Times in milliseconds. */
export interface StaticResult {
  marking: Usage;
  /** Until the first number could be clicked, by the main thread's time and the clock's; absent where that is not visible. */
  firstMark?: { cpu: number; wall: number };
  scrolling: Usage;
  domChanged: boolean;
  errors: number;
}
interface ReactResult {
  /** Of 12 renderings and everything that follows them. */
  rendering: Usage;
  /** Marked numbers that the page does not have any more. Absent where that is not visible. */
  stale?: number;
  errors: number;
}

export interface PageResult {
  contender: string;
  numbers: number;
  /** Gzipped, of what is injected. */
  bytes: number;
  statically: StaticResult;
  /** While the page makes 6,000 mutations; `page`: the page's own time for them, style and layout included. */
  mutating: Usage & { page: number };
  react: ReactResult;
}

export type ContenderBrowser = Awaited<ReturnType<typeof launchWithContender>>;
export type MutatingPage = Awaited<ReturnType<ContenderBrowser['openMutating']>>;
export interface Burst {
  /** Until the main thread is idle. */
  usage: Usage;
  /** The page's own time for each frame's 100 mutations, style and layout included, in milliseconds. */
  framesMs: number[];
}

/** How long a contender may keep the main thread busy. */
const idleTimeoutMs = 90_000;

export async function launchWithContender(contender: Contender, executablePath: string) {
  const profile = await mkdtemp(path.join(tmpdir(), 'dialmark-bench-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    viewport: { width: 1280, height: 800 },
    args: [`--disable-extensions-except=${contender.folder}`, `--load-extension=${contender.folder}`],
  });
  // Functions that run in the page are compiled by tsx, which names them by a helper.
  await context.addInitScript('globalThis.__name ??= (made) => made');
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  return {
    /** The use of the main thread and of memory until a page without a script is marked. */
    async measureMarking(url: string): Promise<Usage & { keptBytes: number }> {
      const open = await openPage(context, url);
      const before = await open.heapBytes();
      const marked = await open.trace(true);
      await inject(worker);
      const { usage } = await marked();
      const keptBytes = (await open.heapBytes()) - before;
      await open.page.close();
      return { ...usage, keptBytes };
    },
    async measureStatic(url: string): Promise<StaticResult> {
      const open = await openPage(context, url);
      const { page } = open;
      const before = await serialised(page);
      const marked = await open.trace();
      const firstMarked = recordFirstMark(contender, page);
      await inject(worker);
      await firstMarked;
      const marking = await marked();
      const scrolled = await open.trace();
      await page.evaluate(scrollThrough);
      const scrolling = await scrolled();
      await page.evaluate(() => scrollTo(0, 0));
      await open.untilIdle();
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
    async measureReact(url: string): Promise<ReactResult> {
      const open = await openPage(context, url);
      await inject(worker);
      await open.untilIdle();
      const rendered = await open.trace();
      for (let generation = 1; generation <= 12; generation++) {
        // A page that a contender has broken throws here, which counts as an error.
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
    /** Opens a page and marks it. */
    async openMutating(url: string) {
      const { page, untilIdle, trace } = await openPage(context, url);
      await inject(worker);
      await untilIdle();
      return {
        /** Has the page make 6,000 mutations. */
        async burst(): Promise<Burst> {
          const mutated = await trace();
          await page.evaluate(mutate);
          const { usage, marks } = await mutated();
          const ends = marks('mutated');
          return {
            usage,
            framesMs: marks('to mutate').map(({ cpu }, index) => ends[index]!.cpu - cpu),
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

async function openPage(context: BrowserContext, url: string) {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url, { timeout: idleTimeoutMs });
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const untilIdle = () => untilMainThreadIsIdle(page, session);
  await untilIdle();
  return {
    page,
    errors,
    untilIdle,
    /** What the page's scripts keep. */
    async heapBytes(): Promise<number> {
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value;
    },
    /** Starts a trace. @returns a function that waits until the main thread is idle, then returns the trace. */
    async trace(isScriptless?: boolean) {
      const end = await startTrace(session, isScriptless);
      return async () => {
        await untilIdle();
        return end();
      };
    },
  };
}

async function untilMainThreadIsIdle(page: Page, session: CDPSession): Promise<void> {
  const cpu = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
  };
  const end = Date.now() + idleTimeoutMs;
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
    await chrome.scripting.executeScript({
      target: { tabId: tabs.at(-1)!.id!, allFrames: true },
      files: ['content.js'],
    });
  });
}

/**
 * Has the page record when its first number is marked; resolves then, or at once where that is not visible. Called before the
 * contender is injected: what waits in the page from then on is one timer, and no script of Playwright's is counted.
 */
async function recordFirstMark({ name }: Contender, page: Page): Promise<void> {
  const marked: Record<string, string> = {
    dialmark: `${ourHighlight}.size > 0`,
    'wrap-in-links': `document.querySelector('a.wrapped') !== null`,
  };
  if (marked[name] === undefined) return;
  await page.evaluate(
    `new Promise((resolve) => { const poll = () => { if (${marked[name]}) resolve(void performance.mark('first mark')); else setTimeout(poll, 1); }; poll(); })`,
  );
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

/** Scrolls 40 times by most of a screen, with two frames each. */
async function scrollThrough(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let step = 0; step < 40; step++) {
    scrollBy({ top: 640, behavior: 'instant' });
    await frame();
    await frame();
  }
}

/** Adds 3,000 rows to an activity log and removes 3,000, 50 of each per frame, as a live feed does. */
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

/** Counts links and marks whose number React does not show now, and text that React did not write. */
function countStale(contender: string): number | null {
  const shown = new Set([...document.querySelectorAll('#app li')].map((row) => row.textContent));
  const generation = 12;
  const expected = new Set(
    Array.from({ length: window.rowCount }, (_, id) => id).map((id) => window.phoneOf(id, generation)),
  );
  let stale = 0;
  if (contender === 'dialmark') {
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
