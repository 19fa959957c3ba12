/** The story of one call, headless, by real mouse clicks; every step is awaited and named. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import type { SandboxEvent } from '../sandbox/journal.ts';
import type { Sandbox } from '../sandbox/service.ts';
import type { DemoBrowser } from './open-browser.ts';
import { describeCall } from './print-calls.ts';
import { say, step } from './progress.ts';

/** Milliseconds that any step may take. */
const patience = 20_000;
/** As it stands on the CRM page; what is dialled depends on the dial plan alone. */
const numberToClick = '(48) 3322-4455';
const digitsToReach = '4833224455';

interface Story {
  browser: DemoBrowser;
  sandbox: Sandbox;
  agent: string;
  relayLog: () => string;
  /** Folder for the screenshots; emptied. */
  screenshots: string;
}

export async function playStory({ browser, sandbox, agent, relayLog, screenshots }: Story): Promise<void> {
  await rm(screenshots, { recursive: true, force: true });
  await mkdir(screenshots, { recursive: true });
  const page = await browser.showOnly(`${sandbox.url}/crm/`);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const shot = async (name: string) => {
    // What has just appeared is still fading in.
    await page.waitForTimeout(400);
    await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
  };
  try {
    await tell(page, sandbox, agent, shot);
    if (errors.length > 0) throw new Error(`errors in the page: ${errors.join('; ')}`);
  } catch (error) {
    await shot('failed').catch(() => {});
    const log = relayLog().trim().split('\n').slice(-5).join('\n');
    throw new Error(
      `${(error as Error).message}\n\nThe relay's last words:\n${log}\nScreenshots: ${screenshots}`,
    );
  }
  say(`\n  The story holds. Screenshots: ${path.relative(process.cwd(), screenshots)}/`);
}

async function tell(page: Page, sandbox: Sandbox, agent: string, shot: (name: string) => Promise<unknown>) {
  const widget = page.locator('dialmark-widget');
  await step('the CRM shows the widget', () =>
    widget.locator('[data-state], [part]').first().waitFor({ timeout: patience }),
  );
  await step(
    'numbers are marked',
    () => marked(page),
    (count) => `${count} of them`,
  );
  await shot('1-numbers-marked');

  // Listened for before the click: the first of them may come within milliseconds.
  const received = nextEvent(sandbox, (event) => event.kind === 'call');
  const replied = nextEvent(sandbox, (event) => event.kind === 'reply');
  const notified = nextEvent(sandbox, (event) => event.kind === 'notification');
  await step(`clicked ${numberToClick}`, () =>
    clickNumber(page, page.locator('.phones').getByText(numberToClick)),
  );

  const call = await step(
    '/call received',
    async () => {
      const event = await received;
      if (event.kind !== 'call') throw new Error('another event');
      const { fields, status } = event.call;
      if (status !== undefined)
        throw new Error(`it was refused with HTTP ${status}: ${JSON.stringify(fields)}`);
      if (fields.from !== agent || !String(fields.to).endsWith(digitsToReach))
        throw new Error(`expected from ${agent} to …${digitsToReach}, got ${describeCall(fields)}`);
      return event.call;
    },
    ({ fields }) => describeCall(fields),
  );
  await step(
    'Trying',
    async () => {
      await replied;
      await widget.locator('[data-state=callingCaller]').first().waitFor({ timeout: patience });
    },
    () => 'the widget shows the call',
  );
  await shot('2-calling');
  const notification = await step(
    'hung up',
    async () => {
      const event = await notified;
      if (event.kind !== 'notification') throw new Error('another event');
      const { status, error } = event.notification;
      if (status === undefined || status >= 300)
        throw new Error(`the relay answered ${status ?? error} to the notification`);
      return event.notification;
    },
    ({ body }) => `after ${body.billsec} s`,
  );
  await step(
    'shown by the widget',
    async () => {
      const ended = widget.locator('[data-state=disconnected]').first();
      await ended.waitFor({ timeout: patience });
      // biome-ignore lint/performance/useDomNodeTextContent: what is seen, with space between its parts.
      return (await ended.innerText()).replace(/\s+/g, ' ').trim();
    },
    (text) => text.slice(0, 100),
  );
  await shot('3-hung-up');
  if (sandbox.calls.length !== 1) throw new Error(`one click placed ${sandbox.calls.length} calls`);
  if (notification.callid !== call.callid) throw new Error('the end of another call was told');
}

/** How many ranges are painted: the highlights' registry is the document's, whoever fills it. */
async function marked(page: Page): Promise<number> {
  const count = await page.waitForFunction(
    () => [...CSS.highlights.values()].reduce((sum, highlight) => sum + highlight.size, 0),
    undefined,
    { timeout: patience },
  );
  return (await count.jsonValue()) as number;
}

/**
 * Moves onto the number, waits until our link lies under the pointer, and clicks. The overlay's shadow root is closed, so the
 * page sees its host there; a link that has only just appeared does not act yet, and nothing announces when it does.
 */
async function clickNumber(page: Page, number: Locator): Promise<void> {
  await number.scrollIntoViewIfNeeded({ timeout: patience });
  const box = await number.boundingBox();
  if (!box) throw new Error(`${numberToClick} is not on the page`);
  const at = { x: box.x + Math.min(box.width, 60) / 2, y: box.y + box.height / 2 };
  await page.mouse.move(at.x - 2, at.y, { steps: 5 });
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction(
    ({ x, y }) => document.elementFromPoint(x, y)?.localName === 'dialmark-overlay',
    at,
    { timeout: patience },
  );
  await page.waitForTimeout(400);
  await page.mouse.click(at.x, at.y);
  await page.mouse.move(4, 4);
}

function nextEvent(sandbox: Sandbox, wanted: (event: SandboxEvent) => boolean): Promise<SandboxEvent> {
  const event = new Promise<SandboxEvent>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`nothing within ${patience / 1000} s`)), patience);
    const stop = sandbox.listen((one) => {
      if (!wanted(one)) return;
      clearTimeout(late);
      stop();
      resolve(one);
    });
  });
  // An earlier step may fail first: this one's rejection is then no news.
  event.catch(() => {});
  return event;
}
