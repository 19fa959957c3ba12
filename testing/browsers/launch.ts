import path from 'node:path';
import { root } from '../child.ts';
import { until } from '../until.ts';
import type { TestBrowser } from './browser.ts';
import { type ChromiumBrowser, launchChromium } from './chromium.ts';
import { ensureChromium, ensureFirefox } from './find-browsers.ts';
import { launchFirefox } from './firefox.ts';

export type BrowserName = 'chromium' | 'firefox';

interface LaunchOptions {
  /** The one on this machine by default; it is installed where it is missing and may be. */
  executable?: string;
  /** Folder of the extension: the built one by default. */
  extension?: string;
  /** Under a policy, no first-run page opens; and where it installs the extension, none is loaded from a folder. */
  policy?: 'setsValues' | 'installs';
  /** Names that resolve to this machine, and are neither loopback nor https to the browser. */
  localNames?: readonly string[];
  /** What the person set the browser to, as a BCP 47 tag; `en-US` by default. */
  language?: string;
  /** True by default. A window is for people: Chromium alone. */
  headless?: boolean;
}

const localNames = ['crm.test', 'pbx.test', 'www.pbx.test', 'other.test'];

/** A busy machine may take so long to start a browser. */
const startTimeoutMs = 120_000;

/**
 * Launches a browser with a profile of its own and the extension. Its first-run page is open: later, it would
 * take a tab's focus.
 */
export async function launchBrowser(name: 'chromium', options?: LaunchOptions): Promise<ChromiumBrowser>;
export async function launchBrowser(name: BrowserName, options?: LaunchOptions): Promise<TestBrowser>;
export async function launchBrowser(name: BrowserName, options: LaunchOptions = {}): Promise<TestBrowser> {
  const isFirefox = name === 'firefox';
  const executable = options.executable ?? (await (isFirefox ? ensureFirefox() : ensureChromium()));
  const folder = options.extension ?? path.join(root, 'dist', isFirefox ? 'firefox' : 'chrome');
  const browser = await (isFirefox ? launchFirefox : launchChromium)({
    executable,
    extension: options.policy === 'installs' ? undefined : folder,
    localNames: options.localNames ?? localNames,
    language: options.language ?? 'en-US',
    headless: options.headless ?? true,
  });
  const isOwn = (url: string) => url.startsWith(`${browser.extensionOrigin}/`);
  const hasFirstRunPage = async () => {
    const open = (await browser.openTabs()).map((tab) => tab.url().catch(() => ''));
    return (await Promise.all(open)).some(isOwn);
  };
  if (options.policy === undefined)
    await until(hasFirstRunPage, 'the first-run page', startTimeoutMs).catch(async (error) => {
      await browser.close();
      throw error;
    });
  return browser;
}
