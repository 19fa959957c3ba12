/**
 * What every story starts from: an agent's workstation. One browser with the built extension, the sandbox as the calling service and
 * as the CRM, and a relay between them, all real and all on free ports. One workstation a worker; stories open their own tabs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, type TestInfo } from '@playwright/test';
import { geckoId } from '../extension/manifest.ts';
import { type Sandbox, startSandbox } from '../sandbox/service.ts';
import type { Tab, TestBrowser } from '../testing/browsers/browser.ts';
import { launchChromium } from '../testing/browsers/chromium.ts';
import { ensureChromium, ensureFirefox } from '../testing/browsers/find-browsers.ts';
import { launchFirefox } from '../testing/browsers/firefox.ts';
import { describeOpenTabs } from '../testing/browsers/open-browsers.ts';
import { type RelayProcess, startRelay } from '../testing/relay/workstation-relay.ts';
import { until } from '../testing/until.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export const agent = '1105';
export const serviceToken = 'sandbox-token-for-tests';
/** Resolves to this machine in both browsers, and is neither loopback nor https to them. */
export const localNames = ['crm.test', 'pbx.test', 'other.test'];

export interface Workstation {
  browser: TestBrowser;
  sandbox: Sandbox;
  relay: RelayProcess;
  /** Agent key of `agent` at the relay. */
  key: string;
  /** Temporary folder of this workstation. */
  folder: string;
}

/** Milliseconds in which a browser, or a workstation's relay, comes up on a machine that has other things to do. */
const startLimit = 120_000;

/** Failures that were told of; once is enough. */
const told = new WeakSet<TestInfo>();

/** A failed story prints what its tabs show: where only the text of a run is kept, it is all there is to go by. */
async function reportFailure(story: TestInfo): Promise<void> {
  if (story.status === story.expectedStatus || told.has(story)) return;
  told.add(story);
  console.log(`Open tabs when "${story.title}" failed:\n${await describeOpenTabs()}`);
}

export const test = base.extend<
  { tab: Tab; failureReport: undefined },
  { workstation: Workstation; browserUnderTest: TestBrowser }
>({
  browserUnderTest: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
    async ({}, use, worker) => {
      const browser = await launch(worker.project.name);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker', timeout: 2 * startLimit },
  ],
  workstation: [
    async ({ browserUnderTest }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-workstation-'));
      const sandbox = await startSandbox({ port: 0, token: serviceToken, speed: 4 });
      const relay = await startRelay({ providerUrl: sandbox.url, providerToken: serviceToken, folder });
      const key = await relay.addKey(agent);
      const siteKey = await relay.addSite('crm', sandbox.url, agent);
      sandbox.connectRelay({ url: relay.url, siteKey, from: agent });
      await use({ browser: browserUnderTest, sandbox, relay, key, folder });
      await sandbox.close();
      await relay.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 2 * startLimit },
  ],
  tab: async ({ browserUnderTest }, use, story) => {
    const tab = await browserUnderTest.newTab();
    await use(tab);
    await reportFailure(story);
    await tab.close();
  },
  failureReport: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
    async ({}, use, story) => {
      await use(undefined);
      await reportFailure(story);
    },
    { auto: true },
  ],
});
export const expect = test.expect;

/**
 * A fresh browser with the extension, for stories that need one of their own. The caller closes it. Its first-run page is open: coming
 * later, it would take the front from a story's tab.
 */
export async function launch(project: string): Promise<TestBrowser> {
  const browser = await (project === 'firefox'
    ? launchFirefox({
        executable: await ensureFirefox(),
        extension: path.join(root, 'dist/firefox'),
        extensionId: geckoId,
        localNames,
      })
    : launchChromium({
        executable: await ensureChromium(),
        extension: path.join(root, 'dist/chrome'),
        localNames,
      }));
  await until(
    async () => {
      const open = (await browser.openTabs()).map((tab) => tab.url().catch(() => ''));
      return (await Promise.all(open)).some((url) => url.startsWith(`${browser.extensionOrigin}/`));
    },
    'the first-run page',
    startLimit,
  );
  return browser;
}
