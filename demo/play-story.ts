/** Plays one call from the click to its entry in the CRM, headless, by real mouse clicks. Prints each step. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import type { SandboxEvent } from '../sandbox/journal.ts';
import type { Sandbox } from '../sandbox/service.ts';
import type { ChromiumBrowser } from '../testing/browsers/chromium.ts';
import { agent } from '../testing/extension/options-page.ts';
import { until } from '../testing/until.ts';
import { type LoggedInCrm, numberToClick, ownCrm } from './logged-in-crm.ts';
import { describeCall } from './print-calls.ts';
import { print, runStep } from './progress.ts';

/** For any one step. */
const timeoutMs = 20_000;
const digitsToReach = '4833224455';
const widgetName = 'dialmark-widget';

interface Story {
  browser: ChromiumBrowser;
  sandbox: Sandbox;
  crm: LoggedInCrm;
  relayLog: () => string;
  /** Folder for the screenshots; emptied. */
  screenshots: string;
}

/** @throws Error naming the step that failed, with the end of the relay's log. */
export async function playStory({ browser, sandbox, crm, relayLog, screenshots }: Story): Promise<void> {
  await rm(screenshots, { recursive: true, force: true });
  await mkdir(screenshots, { recursive: true });
  const page = await showOnly(browser, ownCrm.ticketUrl(sandbox.url));
  page.setDefaultTimeout(timeoutMs);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const shot = async (name: string, of = page) => {
    // An element that has just appeared fades in.
    await of.waitForTimeout(400);
    await of.screenshot({ path: path.join(screenshots, `${name}.png`) });
  };
  let ticket = page;
  try {
    await showMarks(page);
    await shot('1-numbers-marked');
    ticket = await runStep(`a ticket of ${crm.title}`, () => crm.openTicket(page));
    ticket.setDefaultTimeout(timeoutMs);
    await callAtSandbox({ page, ticket, sandbox, shot });
    await logCall(browser, ticket);
    await shot('4-logged', ticket);
    if (errors.length > 0) throw new Error(`errors in the page: ${errors.join('; ')}`);
  } catch (error) {
    await shot('failed', ticket).catch(() => {});
    const log = relayLog().trim().split('\n').slice(-5).join('\n');
    throw new Error(
      `${(error as Error).message}\n\nThe end of the relay's log:\n${log}\nScreenshots: ${screenshots}`,
    );
  }
  print(`\n  The story passed. Screenshots: ${path.relative(process.cwd(), screenshots)}/`);
}

/** Opens the address and closes every other tab. */
export async function showOnly({ context }: ChromiumBrowser, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  for (const other of context.pages()) if (other !== page) await other.close().catch(() => {});
  await page.bringToFront();
  return page;
}

interface StoryPages {
  /** The demo's page, with the widget. */
  page: Page;
  /** Where the number is clicked. */
  ticket: Page;
  sandbox: Sandbox;
  shot(name: string, of?: Page): Promise<unknown>;
}

async function showMarks(page: Page): Promise<void> {
  const widget = page.locator(widgetName);
  await runStep('the CRM shows the widget', () => widget.locator('[data-state], [part]').first().waitFor());
  await runStep(
    'numbers are marked',
    async () => (await page.waitForFunction(paintedRanges)).jsonValue(),
    (count) => `${count} of them`,
  );
}

async function callAtSandbox({ page, ticket, sandbox, shot }: StoryPages): Promise<void> {
  const widget = page.locator(widgetName);
  // Listens before the click, because the first event may come within milliseconds.
  const received = nextSandboxEvent(sandbox, 'call');
  const replied = nextSandboxEvent(sandbox, 'reply');
  const notified = nextSandboxEvent(
    sandbox,
    'notification',
    ({ notification }) => 'hangupdate' in notification.body,
  );
  await runStep(`clicked ${numberToClick}`, () => clickNumber(ticket));
  const call = await runStep(
    '/call received',
    async () => {
      const { call } = await received;
      const { fields, status } = call;
      if (status !== undefined)
        throw new Error(`it was refused with HTTP ${status}: ${JSON.stringify(fields)}`);
      if (fields.from !== agent || !String(fields.to).endsWith(digitsToReach))
        throw new Error(`expected from ${agent} to …${digitsToReach}, got ${describeCall(fields)}`);
      return call;
    },
    ({ fields }) => describeCall(fields),
  );
  await runStep(
    'Trying',
    async () => {
      await replied;
      await widget.locator('[data-state^=calling]').first().waitFor();
    },
    () => 'the widget shows the call',
  );
  await shot('2-calling');
  const notification = await runStep(
    'hung up',
    async () => {
      const { notification } = await notified;
      const { status, error } = notification;
      if (status === undefined || status >= 300)
        throw new Error(`the relay answered ${status ?? error} to the notification`);
      return notification;
    },
    ({ body }) => `after ${body.billsec} s`,
  );
  await runStep(
    'shown by the widget',
    async () => {
      const ended = widget.locator('[data-state=disconnected]').first();
      // biome-ignore lint/performance/useDomNodeTextContent: what is seen, with space between its parts.
      return (await ended.innerText()).replace(/\s+/g, ' ').trim();
    },
    (text) => text.slice(0, 100),
  );
  await shot('3-hung-up');
  if (sandbox.calls.length !== 1) throw new Error(`one click placed ${sandbox.calls.length} calls`);
  if (notification.callid !== call.callid) throw new Error('the notification belongs to another call');
}

/**
 * Presses one key in the panel, which saves the outcome. The relay logs the call then. Some pages show the entry only
 * after a reload.
 */
async function logCall({ context, extensionOrigin }: ChromiumBrowser, ticket: Page): Promise<void> {
  await runStep('one key in the panel: Reached', async () => {
    const panel = await context.newPage();
    await panel.goto(`${extensionOrigin}/extension/pages/popup/index.html`);
    await panel.locator('.outcome').first().waitFor({ timeout: timeoutMs });
    await panel.keyboard.press('1');
    await panel.locator('[data-code=reached][aria-pressed=true]').waitFor({ timeout: timeoutMs });
    await panel.close();
  });
  await runStep('the call is on its ticket', async () => {
    const entry = ticket.getByText('dialmark:').first();
    const isShown = () =>
      entry.waitFor({ timeout: 3000 }).then(
        () => true,
        () => ticket.reload().then(() => false),
      );
    await until(isShown, 'the entry on the ticket', timeoutMs);
  });
}

/** Runs in the page. */
const paintedRanges = () => [...CSS.highlights.values()].reduce((sum, highlight) => sum + highlight.size, 0);

/**
 * Moves onto the number, waits until the pointer is a hand there, and clicks. Playwright's locators cannot see our
 * overlay. So a fixed wait stands for the time in which a person reads the tip.
 */
async function clickNumber(page: Page): Promise<void> {
  const number = page.getByText(numberToClick).first();
  await number.scrollIntoViewIfNeeded();
  const box = await number.boundingBox();
  if (!box) throw new Error(`${numberToClick} is not on the page`);
  const at = { x: box.x + Math.min(box.width, 60) / 2, y: box.y + box.height / 2 };
  await page.mouse.move(at.x - 2, at.y, { steps: 5 });
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction(({ x, y }) => {
    const under = document.elementFromPoint(x, y);
    return under !== null && getComputedStyle(under).cursor === 'pointer';
  }, at);
  await page.waitForTimeout(1000);
  await page.mouse.click(at.x, at.y);
  await page.mouse.move(4, 4);
}

function nextSandboxEvent<Kind extends SandboxEvent['kind']>(
  sandbox: Sandbox,
  kind: Kind,
  isWanted: (event: Extract<SandboxEvent, { kind: Kind }>) => boolean = () => true,
): Promise<Extract<SandboxEvent, { kind: Kind }>> {
  const event = new Promise<Extract<SandboxEvent, { kind: Kind }>>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`nothing within ${timeoutMs / 1000} s`)), timeoutMs);
    const stop = sandbox.listen((one) => {
      const event = one as Extract<SandboxEvent, { kind: Kind }>;
      if (one.kind !== kind || !isWanted(event)) return;
      clearTimeout(late);
      stop();
      resolve(event);
    });
  });
  // If an earlier step fails, this promise is not awaited. Its rejection must not end the process.
  event.catch(() => {});
  return event;
}
