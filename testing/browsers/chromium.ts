/** Real Chromium with the extension, driven by Playwright. CDP does what Playwright cannot do. */
import { createHash } from 'node:crypto';
import { type BrowserContext, chromium, type Page, type Worker } from 'playwright';
import { temporaryFolder } from '../temporary-folder.ts';
import type { TestBrowser } from './browser.ts';
import { type ChromiumTab, chromiumTab, closePage } from './chromium-tab.ts';
import { trackOpen } from './open-browsers.ts';

export interface BrowserOptions {
  executable: string;
  /** Folder of the built extension; undefined where a policy installs it. */
  extension: string | undefined;
  /** Names that resolve to this machine, besides localhost. */
  localNames: readonly string[];
  /** The language of the browser's own texts, and the first that it asks pages for, as a BCP 47 tag. */
  language: string;
  headless: boolean;
}

export interface ChromiumBrowser extends TestBrowser {
  readonly context: BrowserContext;
}

export async function launchChromium(options: BrowserOptions): Promise<ChromiumBrowser> {
  const profile = await temporaryFolder('chromium');
  const { extension } = options;
  const context = await openContext(options, profile.path);
  // As long as `until` waits, by which the driver of Firefox waits.
  context.setDefaultTimeout(60_000);
  // The id must match, because a policy for another test may install its extension here, too. An extension that a
  // policy installs is fetched first, which takes time.
  const isOurs = (worker: Worker) =>
    extension === undefined || new URL(worker.url()).host === extensionIdOf(extension);
  const worker =
    context.serviceWorkers().find(isOurs) ??
    (await context.waitForEvent('serviceworker', { predicate: isOurs, timeout: 120_000 }));
  const extensionId = new URL(worker.url()).host;
  const extensionOrigin = `chrome-extension://${extensionId}`;
  /**
   * Runs functions that Chromium's list of extensions has. They are available before the page is rendered, which
   * takes seconds.
   */
  const inExtensionList = async (...calls: string[]): Promise<void> => {
    const page = await context.newPage();
    await page.goto('chrome://extensions/', { waitUntil: 'commit' });
    await page.waitForFunction(`chrome.developerPrivate !== undefined`);
    for (const call of calls) await page.evaluate(`chrome.${call}.then(() => true)`);
    await closePage(page);
  };

  const tabs = new WeakMap<Page, ChromiumTab>();
  const tabOf = (page: Page) => {
    const tab = tabs.get(page) ?? chromiumTab(page);
    tabs.set(page, tab);
    return tab;
  };
  // Made as soon as the page exists, so that it gets every console message.
  context.on('page', tabOf);

  const emulate = async (media: Parameters<Page['emulateMedia']>[0]) => {
    for (const page of context.pages()) await page.emulateMedia(media);
  };

  return trackOpen<ChromiumBrowser>({
    context,
    name: 'chromium',
    extensionOrigin,
    newTab: async (url) => {
      const tab = tabOf(await context.newPage());
      if (url !== undefined) await tab.goto(url);
      return tab;
    },
    openTabs: async () => context.pages().map(tabOf),
    async allowHost(host) {
      const origin = `*://${host}/*`;
      // Most hosts are allowed already. A page of the extension shows that a second sooner.
      const own = context.pages().find((page) => page.url().startsWith(`${extensionOrigin}/`));
      const isAllowed = `chrome.permissions.contains(${JSON.stringify({ origins: [origin] })})`;
      if (await own?.evaluate(isAllowed).catch(() => false)) return;
      await inExtensionList(
        `developerPrivate.addHostPermission(${JSON.stringify(extensionId)}, ${JSON.stringify(origin)})`,
      );
    },
    stopBackground: () => stopWorker(context, extensionOrigin),
    async reloadExtension() {
      await inExtensionList(
        developerMode,
        `developerPrivate.reload(${JSON.stringify(extensionId)}, { failQuietly: false })`,
      );
    },
    turnOffAndOn: () =>
      inExtensionList(
        developerMode,
        ...[false, true].map((isOn) => `management.setEnabled(${JSON.stringify(extensionId)}, ${isOn})`),
      ),
    setColorScheme: (colorScheme) => emulate({ colorScheme }),
    setForcedColors: (wanted) => emulate({ forcedColors: wanted ? 'active' : null }),
    async close() {
      await context.close();
      await profile.remove();
    },
  });
}

/** Unpacked extensions that are reloaded without it are disabled (Chromium 156). */
const developerMode = 'developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })';

/** @param of the path of an unpacked extension, or the public key of a packed one as SubjectPublicKeyInfo. */
export function extensionIdOf(of: string | Uint8Array): string {
  return [...createHash('sha256').update(of).digest('hex').slice(0, 32)]
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
    .join('');
}

/** The language, then the same without its region, then English, as browsers list them. */
export const acceptedLanguages = (language: string): string[] => [
  ...new Set([language, language.split('-')[0]!, 'en-US', 'en']),
];

/** Opens Chromium with a fresh profile in this folder. */
async function openContext(options: BrowserOptions, profile: string): Promise<BrowserContext> {
  const { extension, headless, language } = options;
  const launch = (chromiumSandbox: boolean) =>
    chromium.launchPersistentContext(profile, {
      executablePath: options.executable,
      headless,
      chromiumSandbox,
      locale: language,
      // On Linux, Chromium takes the language of its own texts from this variable.
      env: { ...process.env, LANGUAGE: language.replace('-', '_') },
      viewport: headless ? { width: 1280, height: 800 } : null,
      colorScheme: headless ? 'light' : null,
      // The process that launched it handles signals, and closes everything in order.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      ignoreDefaultArgs: [
        '--disable-back-forward-cache',
        ...(headless ? [] : ['--enable-automation']),
        // What a policy installs is fetched in the background.
        ...(extension === undefined ? ['--disable-extensions', '--disable-background-networking'] : []),
      ],
      args: [
        ...(extension === undefined
          ? []
          : [
              `--disable-extensions-except=${extension}`,
              `--load-extension=${extension}`,
              '--disable-background-networking',
            ]),
        ...(headless ? [] : ['--window-size=1320,900']),
        `--lang=${language}`,
        `--accept-lang=${acceptedLanguages(language).join(',')}`,
        '--no-first-run',
        '--no-default-browser-check',
        '--disable-component-update',
        '--disable-sync',
        `--host-resolver-rules=${options.localNames.map((name) => `MAP ${name} 127.0.0.1`).join(', ')}`,
      ],
    });
  // Chromium's own sandbox works neither for root nor where user namespaces are restricted (Ubuntu 24.04).
  const isRoot = process.getuid?.() === 0;
  return launch(!isRoot).catch((error: Error) => {
    if (isRoot || !/sandbox|namespace/i.test(error.message)) throw error;
    return launch(false);
  });
}

async function stopWorker(context: BrowserContext, extensionOrigin: string): Promise<void> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const stopped = new Promise<void>((resolve) => {
    session.on(
      'ServiceWorker.workerVersionUpdated',
      (event: { versions: { runningStatus: string; scriptURL: string }[] }) => {
        if (
          event.versions.some(
            (version) => version.runningStatus === 'stopped' && version.scriptURL.startsWith(extensionOrigin),
          )
        )
          resolve();
      },
    );
  });
  await page.goto(`${extensionOrigin}/manifest.json`);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await stopped;
  await closePage(page);
}
