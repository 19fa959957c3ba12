/** What the demo's stories have in common: one page, screenshots, and a click on a marked number by a real pointer. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import type { ChromiumBrowser } from '../testing/browsers/chromium.ts';
import { print } from './progress.ts';

/** For any one step. */
export const timeoutMs = 20_000;
/** As the CRM page shows it; what is dialled depends on the dial plan alone. */
export const numberToClick = '(48) 3322-4455';
export const digitsToReach = '4833224455';

export interface Story {
  browser: ChromiumBrowser;
  crmUrl: string;
  relayLog: () => string;
  /** Folder for the screenshots; emptied. */
  screenshots: string;
}

/** Runs the steps on the CRM's page. @throws the step that failed, with the end of the relay's log and a screenshot. */
export async function playOnPage(
  { browser, crmUrl, relayLog, screenshots }: Story,
  steps: (page: Page, shot: (name: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  await rm(screenshots, { recursive: true, force: true });
  await mkdir(screenshots, { recursive: true });
  const page = await showOnly(browser, crmUrl);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const shot = async (name: string) => {
    // What has just appeared is still fading in.
    await page.waitForTimeout(400);
    await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
  };
  try {
    await steps(page, shot);
    if (errors.length > 0) throw new Error(`errors in the page: ${errors.join('; ')}`);
  } catch (error) {
    await shot('failed').catch(() => {});
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

/** Resolves with the number of painted ranges. */
export async function countMarkedNumbers(page: Page): Promise<number> {
  const count = await page.waitForFunction(
    () => [...CSS.highlights.values()].reduce((sum, highlight) => sum + highlight.size, 0),
    undefined,
    { timeout: timeoutMs },
  );
  return (await count.jsonValue()) as number;
}

/**
 * Moves onto the number, waits until the pointer is a hand there, and clicks. The overlay's shadow root is
 * closed, and nothing of it lies under the pointer; the wait is a person's look at the tip.
 */
export async function clickStoryNumber(page: Page): Promise<void> {
  const number = page.locator('.phones').getByText(numberToClick);
  await number.scrollIntoViewIfNeeded({ timeout: timeoutMs });
  const box = await number.boundingBox();
  if (!box) throw new Error(`${numberToClick} is not on the page`);
  const at = { x: box.x + Math.min(box.width, 60) / 2, y: box.y + box.height / 2 };
  await page.mouse.move(at.x - 2, at.y, { steps: 5 });
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction(
    ({ x, y }) => {
      const under = document.elementFromPoint(x, y);
      return under !== null && getComputedStyle(under).cursor === 'pointer';
    },
    at,
    { timeout: timeoutMs },
  );
  await page.waitForTimeout(400);
  await page.mouse.click(at.x, at.y);
  await page.mouse.move(4, 4);
}
