/** What every story starts from: one workstation a worker; stories open their own tabs. */
import { test as base, type TestInfo } from '@playwright/test';
import type { Tab, TestBrowser } from '../testing/browsers/browser.ts';
import type { BrowserName } from '../testing/browsers/launch.ts';
import { describeOpenTabs } from '../testing/browsers/open-browsers.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';

const reported = new WeakSet<TestInfo>();

/** Prints what the open tabs show when a story failed: where only a run's text is kept, it is all there is to go by. */
async function reportFailure(story: TestInfo): Promise<void> {
  if (story.status === story.expectedStatus || reported.has(story)) return;
  reported.add(story);
  console.log(`Open tabs when "${story.title}" failed:\n${await describeOpenTabs()}`);
}

export const test = base.extend<
  { tab: Tab; failureReport: undefined },
  { workstation: Workstation; browserUnderTest: TestBrowser }
>({
  workstation: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the wanted fixtures from this parameter.
    async ({}, use, worker) => {
      // Playwright's global setup has built.
      const workstation = await openWorkstation(worker.project.name as BrowserName, { build: false });
      await use(workstation);
      await workstation.close();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  browserUnderTest: [({ workstation }, use) => use(workstation.browser), { scope: 'worker' }],
  tab: async ({ browserUnderTest }, use, story) => {
    const tab = await browserUnderTest.newTab();
    await use(tab);
    await reportFailure(story);
    await tab.close();
  },
  failureReport: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the wanted fixtures from this parameter.
    async ({}, use, story) => {
      await use(undefined);
      await reportFailure(story);
    },
    { auto: true },
  ],
});
export const expect = test.expect;
