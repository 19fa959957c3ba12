/** Real Chromium with the extension loaded, driven by Playwright; CDP where Playwright has no word for it. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page, type Worker } from 'playwright';
import { until } from '../until.ts';
import { type Point, type PointerStep, repeatEveryMs, type Tab, type TestBrowser } from './browser.ts';
import { trackOpen } from './open-browsers.ts';
import { byExpression, matches, type OverlayNode, openOverlayOf, overlayParts } from './page-scripts.ts';

export interface BrowserOptions {
  executable: string;
  /** Folder of the built extension; undefined where a policy installs it. */
  extension: string | undefined;
  /** Names that resolve to this machine, beside localhost. */
  localNames: readonly string[];
  headless: boolean;
}

export interface ChromiumBrowser extends TestBrowser {
  readonly context: BrowserContext;
}

export async function launchChromium(options: BrowserOptions): Promise<ChromiumBrowser> {
  const profile = await mkdtemp(path.join(tmpdir(), 'dialmark-chromium-'));
  const { extension, headless } = options;
  const launch = (chromiumSandbox: boolean) =>
    chromium.launchPersistentContext(profile, {
      executablePath: options.executable,
      headless,
      chromiumSandbox,
      locale: 'en-US',
      viewport: headless ? { width: 1280, height: 800 } : null,
      colorScheme: headless ? 'light' : null,
      // The process that launched it handles signals, and closes everything in order.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      ignoreDefaultArgs: [
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
        '--no-first-run',
        '--no-default-browser-check',
        '--disable-component-update',
        '--disable-sync',
        `--host-resolver-rules=${options.localNames.map((name) => `MAP ${name} 127.0.0.1`).join(', ')}`,
      ],
    });
  // Chromium's own sandbox works neither for root nor where user namespaces are restricted (Ubuntu 24.04).
  const isRoot = process.getuid?.() === 0;
  const context = await launch(!isRoot).catch((error: Error) => {
    if (isRoot || !/sandbox|namespace/i.test(error.message)) throw error;
    return launch(false);
  });
  // As long as Firefox's commands have.
  context.setDefaultTimeout(60_000);
  // By its id: another browser's policy may install its extension here, too. One that a policy installs is fetched first.
  const isOurs = (worker: Worker) =>
    extension === undefined || new URL(worker.url()).host === extensionIdOf(extension);
  const worker =
    context.serviceWorkers().find(isOurs) ??
    (await context.waitForEvent('serviceworker', { predicate: isOurs, timeout: 120_000 }));
  const extensionId = new URL(worker.url()).host;
  const extensionOrigin = `chrome-extension://${extensionId}`;
  /** Runs a function of `chrome.developerPrivate`. Its API is available before its page is rendered, which takes seconds. */
  const developerPrivate = async (call: string): Promise<void> => {
    const page = await context.newPage();
    await page.goto('chrome://extensions/', { waitUntil: 'commit' });
    await page.waitForFunction(`chrome.developerPrivate !== undefined`);
    await page.evaluate(`chrome.developerPrivate.${call}.then(() => true)`);
    await closePage(page);
  };

  const tabs = new WeakMap<Page, ChromiumTab>();
  const tabOf = (page: Page) => {
    const tab = tabs.get(page) ?? chromiumTab(context, page);
    tabs.set(page, tab);
    return tab;
  };
  // From its creation on, so that no console message is missed.
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
      // Most are allowed already, which a page of the extension says a second sooner.
      const own = context.pages().find((page) => page.url().startsWith(`${extensionOrigin}/`));
      const isAllowed = `chrome.permissions.contains(${JSON.stringify({ origins: [origin] })})`;
      if (await own?.evaluate(isAllowed).catch(() => false)) return;
      await developerPrivate(`addHostPermission(${JSON.stringify(extensionId)}, ${JSON.stringify(origin)})`);
    },
    async stopBackground() {
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      const stopped = new Promise<void>((resolve) => {
        session.on(
          'ServiceWorker.workerVersionUpdated',
          (event: { versions: { runningStatus: string; scriptURL: string }[] }) => {
            if (
              event.versions.some(
                (version) => version.runningStatus === 'stopped' && version.scriptURL.includes(extensionId),
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
    },
    async reloadExtension() {
      // Unpacked extensions that are reloaded without developer mode are disabled (Chromium 156).
      await developerPrivate('updateProfileConfiguration({ inDeveloperMode: true })');
      await developerPrivate(`reload(${JSON.stringify(extensionId)}, { failQuietly: false })`);
    },
    setColorScheme: (colorScheme) => emulate({ colorScheme }),
    setReducedMotion: (wanted) => emulate({ reducedMotion: wanted ? 'reduce' : null }),
    setForcedColors: (wanted) => emulate({ forcedColors: wanted ? 'active' : null }),
    async close() {
      await context.close();
      await removeFolder(profile);
    },
  });
}

/**
 * Chromium says that it closes a tab, and does not, where a navigation commits in it at that moment (crbug.com/536385539, seen in
 * 156): it is asked again until the tab is gone.
 */
async function closePage(page: Page): Promise<void> {
  const closed = page.close().then(() => 'closed');
  while ((await Promise.race([closed, pause(askAgainAfterMs, undefined, { ref: false })])) !== 'closed')
    // Refused once the tab is gone after all.
    await page.close({ runBeforeUnload: true }).catch(() => undefined);
}
const askAgainAfterMs = 1_000;

/** Removes a folder that a browser wrote to: its helper processes may write a last file after it has exited. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20 });

/** @param of the path of an unpacked extension, or the public key of a packed one as SubjectPublicKeyInfo. */
export function extensionIdOf(of: string | Uint8Array): string {
  return [...createHash('sha256').update(of).digest('hex').slice(0, 32)]
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
    .join('');
}

/** Exposes the Playwright page too, for what only Chromium can do (axe, tracing). */
export interface ChromiumTab extends Tab {
  readonly page: Page;
}

function chromiumTab(context: BrowserContext, page: Page): ChromiumTab {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const evaluate = <T>(expression: string) => page.evaluate(expression) as Promise<T>;
  const overlay = () => readOverlay(context, page);
  const input: Pick<Tab, 'activate' | 'clickAt' | 'evaluate' | 'press'> = {
    activate: () => page.bringToFront(),
    async clickAt({ x, y }) {
      await page.mouse.move(x, y);
      await page.mouse.click(x, y);
    },
    evaluate,
    press: (key) => page.keyboard.press(key),
  };

  return {
    ...input,
    ...byExpression(input, (text) => page.keyboard.type(text)),
    page,
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    url: async () => page.url(),
    select: async (selector, value) => void (await page.selectOption(selector, value)),
    async hold(key, repeats = 2) {
      // Down again without up is a repetition.
      for (let time = 0; time <= repeats; time += 1) {
        await page.keyboard.down(key);
        await page.waitForTimeout(repeatEveryMs);
      }
      await page.keyboard.up(key);
    },
    moveTo: ({ x, y }) => page.mouse.move(x, y),
    async gesture(steps, pointerType = 'mouse') {
      if (pointerType === 'touch') return touch(context, page, steps);
      if (pointerType === 'pen') return pen(context, page, steps);
      let clickCount = 0;
      for (const step of steps) {
        if ('move' in step) await page.mouse.move(step.move.x, step.move.y);
        else if ('waitMs' in step) await pause(step.waitMs);
        else if ('down' in step)
          await page.mouse.down({ button: buttonNames[step.down]!, clickCount: ++clickCount });
        else await page.mouse.up({ button: buttonNames[step.up]!, clickCount });
        if ('move' in step || 'waitMs' in step) clickCount = 0;
      }
    },
    overlay: async () => (await overlay()).map(({ part }) => part),
    async clickInOverlay({ selector }) {
      const target = await until(
        async () => {
          const found = (await overlay()).find(({ part }) => matches(part, selector));
          return found === undefined ? undefined : await boxMiddle(context, page, found.handle);
        },
        `${JSON.stringify(selector)} in the overlay`,
      );
      await input.clickAt(target);
    },
    async openOverlay() {
      const [outermost] = await overlay();
      if (!outermost) throw new Error('there is no overlay');
      const session = await context.newCDPSession(page);
      const { object } = await session.send('DOM.resolveNode', { backendNodeId: outermost.handle });
      await session.send('Runtime.callFunctionOn', {
        objectId: object.objectId!,
        functionDeclaration: openOverlayOf,
      });
      await session.detach();
    },
    setViewport: (size) => page.setViewportSize(size),
    errors: () => errors,
    screenshot: async (file) => void (await page.screenshot({ path: file })),
    close: () => closePage(page),
  };
}

const buttonNames = ['left', 'middle', 'right'] as const;

/** One finger, as the screen reports it: the browser makes taps, scrolling and long presses of it. */
async function touch(context: BrowserContext, page: Page, steps: readonly PointerStep[]): Promise<void> {
  const session = await context.newCDPSession(page);
  let at: Point = { x: 0, y: 0 };
  let isDown = false;
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd') =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [at] });
  for (const step of steps) {
    if ('waitMs' in step) await pause(step.waitMs);
    else if ('move' in step) {
      at = step.move;
      if (isDown) await send('touchMove');
    } else {
      isDown = 'down' in step;
      await send(isDown ? 'touchStart' : 'touchEnd');
    }
  }
  await session.detach();
}

/** A pen is a mouse to the protocol, with a type of its own. */
async function pen(context: BrowserContext, page: Page, steps: readonly PointerStep[]): Promise<void> {
  const session = await context.newCDPSession(page);
  let at: Point = { x: 0, y: 0 };
  let isDown = false;
  const send = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased') =>
    session.send('Input.dispatchMouseEvent', {
      type,
      ...at,
      button: type === 'mouseMoved' && !isDown ? 'none' : 'left',
      buttons: isDown ? 1 : 0,
      clickCount: 1,
      pointerType: 'pen',
    });
  for (const step of steps) {
    if ('waitMs' in step) await pause(step.waitMs);
    else if ('move' in step) {
      at = step.move;
      await send('mouseMoved');
    } else {
      isDown = 'down' in step;
      await send(isDown ? 'mousePressed' : 'mouseReleased');
    }
  }
  await session.detach();
}

interface CdpNode {
  nodeName: string;
  nodeType: number;
  nodeValue: string;
  backendNodeId: number;
  attributes?: string[];
  children?: CdpNode[];
  shadowRoots?: CdpNode[];
}

/** DOM.getDocument with `pierce` is the one view that shows closed shadow roots. */
async function readOverlay(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  try {
    const { root } = (await session.send('DOM.getDocument', { depth: -1, pierce: true })) as unknown as {
      root: CdpNode;
    };
    const html = root.children?.find((node) => node.nodeName === 'HTML');
    const host = html?.children?.find((node) => node.nodeName === 'DIALMARK-OVERLAY');
    return overlayParts(host?.shadowRoots?.flatMap((shadow) => shadow.children ?? []).map(overlayNode) ?? []);
  } finally {
    await session.detach();
  }
}

function overlayNode({ nodeName, nodeType, nodeValue, ...node }: CdpNode): OverlayNode<number> {
  const { attributes = [], children = [], backendNodeId } = node;
  return {
    tag: nodeType === 1 ? nodeName.toLowerCase() : undefined,
    text: nodeType === 3 ? nodeValue : undefined,
    attributes: Object.fromEntries(
      attributes.flatMap((name, at) => (at % 2 === 0 ? [[name, attributes[at + 1]!]] : [])),
    ),
    children: children.map(overlayNode),
    handle: backendNodeId,
  };
}

async function boxMiddle(
  context: BrowserContext,
  page: Page,
  backendNodeId: number,
): Promise<Point | undefined> {
  const session = await context.newCDPSession(page);
  try {
    const { model } = await session.send('DOM.getBoxModel', { backendNodeId });
    const [left, top, , , right, bottom] = model.border as [number, number, number, number, number, number];
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  } catch {
    return undefined; // Hidden just now: no box.
  } finally {
    await session.detach();
  }
}
