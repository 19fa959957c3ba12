/** What every story starts from: one workstation a worker; stories open their own tabs. */
import { test as base, type TestInfo } from '@playwright/test';
import type { Tab, TestBrowser } from '../testing/browsers/browser.ts';
import type { BrowserName } from '../testing/browsers/launch.ts';
import { describeOpenTabs } from '../testing/browsers/open-browsers.ts';
import { callsFinished } from '../testing/extension/marked-numbers.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';

const reported = new WeakSet<TestInfo>();

/** Prints what the open tabs show when a story failed: where only a run's text is kept, it is all there is to go by. */
async function reportFailure(story: TestInfo): Promise<void> {
  if (story.status === story.expectedStatus || reported.has(story)) return;
  reported.add(story);
  console.log(`Open tabs when "${story.title}" failed:\n${await describeOpenTabs()}`);
}

/** The calls at the sandbox since the story began, or since the last of these checks. */
export class StoryCalls {
  readonly #workstation: Workstation;
  #checked = 0;

  constructor(workstation: Workstation) {
    this.#workstation = workstation;
    this.ignoreEarlier();
  }

  /** The next check leaves out every call so far. */
  ignoreEarlier(): void {
    this.#checked = this.#workstation.sandbox.calls.length;
  }

  expectNone(): void {
    expect(this.#numbers()).toEqual([]);
  }

  /** Does `act`, and waits for the end of its call. Fails unless that is the one call, and goes to this number. */
  async expectOnly(act: () => Promise<void>, to: string): Promise<void> {
    await act();
    await until(() => this.#numbers().includes(to), `the call to ${to}`);
    await callsFinished(this.#workstation);
    expect(this.#numbers()).toEqual([to]);
    this.ignoreEarlier();
  }

  #numbers(): string[] {
    return this.#workstation.sandbox.calls.slice(this.#checked).map(({ fields }) => String(fields.to));
  }
}

export const test = base.extend<
  { tab: Tab; calls: StoryCalls; failureReport: undefined },
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
  calls: ({ workstation }, use) => use(new StoryCalls(workstation)),
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
