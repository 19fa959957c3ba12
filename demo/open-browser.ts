/** A Chromium of its own profile with the built extension loaded. */
import { type BrowserContext, chromium, type Page } from 'playwright';
import type { Undo } from './undo.ts';

export interface DemoBrowser {
  readonly context: BrowserContext;
  readonly headless: boolean;
  /** `chrome-extension://…`, no slash at the end. */
  readonly extensionOrigin: string;
  /** Resolves when its last window was closed. */
  readonly closed: Promise<void>;
  /** Opens the address and closes every other tab. */
  showOnly(url: string): Promise<Page>;
}

export async function openBrowser(undo: Undo, options: LaunchOptions): Promise<DemoBrowser> {
  const context = await launch(options);
  closeWelcome(context);
  let isClosed = false;
  const closed = new Promise<void>((resolve) =>
    context.once('close', () => {
      isClosed = true;
      resolve();
    }),
  );
  undo.add('Chromium', () => (isClosed ? undefined : context.close()));
  const worker =
    context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker', { timeout: 15_000 }));
  return {
    context,
    headless: options.headless,
    extensionOrigin: `chrome-extension://${new URL(worker.url()).host}`,
    closed,
    async showOnly(url) {
      const page = await context.newPage();
      await page.goto(url);
      for (const other of context.pages()) if (other !== page) await other.close().catch(() => {});
      await page.bringToFront();
      return page;
    },
  };
}

/** A fresh profile is a fresh install: its welcome would lie over what is set up and shown here. */
function closeWelcome(context: BrowserContext): void {
  context.on('page', (page) => {
    page.waitForURL(/\/extension\/welcome\//, { timeout: 10_000, waitUntil: 'commit' }).then(
      () => page.close(),
      () => {},
    );
  });
}

interface LaunchOptions {
  executable: string;
  extension: string;
  profile: string;
  headless: boolean;
}

/**
 * With Chromium's own sandbox where it works: never for root, and not where the system keeps user namespaces from programs it
 * does not know (Ubuntu 24.04 and a Chromium of Playwright's). What is opened here is our own pages.
 */
async function launch(options: LaunchOptions): Promise<BrowserContext> {
  const start = (chromiumSandbox: boolean) =>
    chromium.launchPersistentContext(options.profile, {
      executablePath: options.executable,
      headless: options.headless,
      chromiumSandbox,
      viewport: options.headless ? { width: 1280, height: 800 } : null,
      locale: 'en-US',
      colorScheme: options.headless ? 'light' : null,
      // Ctrl-C is ours to answer: everything is ended in order.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: [
        `--disable-extensions-except=${options.extension}`,
        `--load-extension=${options.extension}`,
        '--window-size=1320,900',
        '--no-first-run',
        '--no-default-browser-check',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
      ignoreDefaultArgs: ['--enable-automation'],
    });

  if (process.getuid?.() === 0) return start(false);
  return start(true).catch((error: Error) => {
    if (!/sandbox|namespace/i.test(error.message)) throw error;
    return start(false);
  });
}
