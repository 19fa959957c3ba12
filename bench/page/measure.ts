/** Measures one contender on one page in real Chromium, by the time of the page's main thread. */
import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from 'playwright';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { sum } from '../statistics.ts';
import type { Contender } from './contenders.ts';
import { startTrace, type Trace, type Usage } from './trace.ts';

/** Times in milliseconds. */
interface StaticResult {
  marking: Usage;
  /** The time until the first number was marked. Absent for a contender whose marks we do not recognise. */
  firstMark?: { cpu: number; wall: number };
  scrolling: Usage;
  /** The usage while the page makes 6,000 mutations. `page` is the page's own time for them, with style and layout. */
  mutating: Usage & { page: number };
}

export interface PageResult {
  contender: string;
  numbers: number;
  /** The gzipped size of the injected script. */
  bytes: number;
  statically: StaticResult;
  /** The usage of 12 renderings and everything that follows them. */
  react: Usage;
}

export type ContenderBrowser = Awaited<ReturnType<typeof launchWithContender>>;

/** How long a contender may keep the main thread busy. */
const idleTimeoutMs = 90_000;

export async function launchWithContender(contender: Contender, executablePath: string) {
  const profile = await temporaryFolder('bench');
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    viewport: { width: 1280, height: 800 },
    args: [`--disable-extensions-except=${contender.folder}`, `--load-extension=${contender.folder}`],
  });
  // tsx compiles the functions that run in the page, and its output calls a helper `__name`.
  await context.addInitScript('globalThis.__name ??= (made) => made');
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  return {
    async measureStatic(url: string): Promise<StaticResult> {
      const open = await openPage(context, url);
      const { page } = open;
      const marked = await open.trace();
      const firstMarked = contender.name === 'dialmark' ? recordFirstMark(page) : undefined;
      await inject(worker);
      await firstMarked;
      const marking = await marked();
      const scrolled = await open.trace();
      await page.evaluate(scrollThrough);
      const scrolling = await scrolled();
      await page.evaluate(() => scrollTo(0, 0));
      await open.untilIdle();
      const mutated = await open.trace();
      await page.evaluate(mutate);
      const mutating = await mutated();
      await page.close();
      const firstMark = timeToFirstMark(marking);
      return {
        marking: marking.usage,
        ...(firstMark && { firstMark }),
        scrolling: scrolling.usage,
        mutating: { ...mutating.usage, page: timeOfMutations(mutating) },
      };
    },
    async measureReact(url: string): Promise<Usage> {
      const open = await openPage(context, url);
      await inject(worker);
      await open.untilIdle();
      const rendered = await open.trace();
      for (let generation = 1; generation <= 12; generation++) {
        await open.page.evaluate((value) => window.render(value), generation);
        await open.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      }
      const rendering = (await rendered()).usage;
      await open.page.close();
      return rendering;
    },
    async close() {
      await context.close();
      await profile.remove();
    },
  };
}

async function openPage(context: BrowserContext, url: string) {
  const page = await context.newPage();
  await page.goto(url, { timeout: idleTimeoutMs });
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const untilIdle = () => untilMainThreadIsIdle(page, session);
  await untilIdle();
  return {
    page,
    untilIdle,
    /** Starts a trace. @returns a function that waits until the main thread is idle, then returns the trace. */
    async trace() {
      const end = await startTrace(session);
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
 * Makes the page record when its first number is marked, and resolves then. It is called before the contender is
 * injected, because a later call would wait for the busy page. It polls by a timer.
 */
const recordFirstMark = (page: Page): Promise<void> =>
  page.evaluate(
    `new Promise((resolve) => {
      const poll = () => {
        if (${ourHighlight}.size > 0) resolve(void performance.mark('first mark'));
        else setTimeout(poll, 1);
      };
      poll();
    })`,
  );

/** Long pages get a highlight without an underline. */
const ourHighlight = `(
  CSS.highlights.get('dialmark-number') ?? CSS.highlights.get('dialmark-number-plain') ?? new Set()
)`;

function timeToFirstMark({ injected, marks }: Trace): { cpu: number; wall: number } | undefined {
  const [first] = marks('first mark');
  return first && injected && { cpu: first.cpu - injected.cpu, wall: first.wall - injected.wall };
}

const timeOfMutations = ({ marks }: Trace): number => {
  const ends = marks('mutated');
  return sum(marks('to mutate').map(({ cpu }, index) => ends[index]!.cpu - cpu));
};

/** Scrolls 40 times by most of a screen, and waits two frames after each time. */
async function scrollThrough(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let step = 0; step < 40; step++) {
    scrollBy({ top: 640, behavior: 'instant' });
    await frame();
    await frame();
  }
}

/** Adds 3,000 rows to an activity log and removes 3,000, as a live feed does. Each frame adds and removes 50. */
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
