import path from 'node:path';
import { root } from '../child.ts';
import { until } from '../until.ts';
import type { TestBrowser } from './browser.ts';
import { type ChromiumBrowser, launchChromium } from './chromium.ts';
import { ensureChromium, ensureFirefox } from './find-browsers.ts';
import { launchFirefox } from './firefox.ts';

export type BrowserName = 'chromium' | 'firefox';

interface LaunchOptions {
  /** The program. By default the one on this machine, which is installed if that is possible. */
  executable?: string;
  /** The folder of the extension, by default the built one. */
  extension?: string;
  /** Under a policy, the first-run page does not open. A policy that `installs` replaces the extension's folder. */
  policy?: 'setsValues' | 'installs';
  /** Names that resolve to this machine. To the browser, they are neither loopback nor https. */
  localNames?: readonly string[];
  /** The language of the browser as a BCP 47 tag, `en-US` by default. */
  language?: string;
  /** True by default. Only Chromium can open a window. */
  headless?: boolean;
}

const localNames = ['crm.test', 'pbx.test', 'www.pbx.test', 'other.test'];

/** A busy machine may take two minutes to start a browser. */
const startTimeoutMs = 120_000;

/**
 * Launches a browser with a new profile and the extension. It waits for the first-run page, because that page would
 * take the focus of a tab later.
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
