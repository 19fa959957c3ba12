/** Real Firefox with the extension installed, driven over WebDriver BiDi. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publisher } from '../../extension/publisher.ts';
import { type Child, startChild } from '../child.ts';
import { until } from '../until.ts';
import { type Bidi, connectBidi } from './bidi.ts';
import { type Point, type PointerStep, repeatEveryMs, type Tab, type TestBrowser } from './browser.ts';
import { type BrowserOptions, removeFolder } from './chromium.ts';
import { trackOpen } from './open-browsers.ts';
import { byExpression, matches, type OverlayNode, openOverlayOf, overlayParts } from './page-scripts.ts';

const { geckoId } = publisher;

/** Fixed, so that the extension's pages have a known address. */
const extensionUuid = '2d1a3a6c-5f0e-4a3b-9c1d-7e8f90a1b2c3';

export async function launchFirefox(options: BrowserOptions): Promise<TestBrowser & { bidi: Bidi }> {
  const profile = await mkdtemp(path.join(tmpdir(), 'dialmark-firefox-'));
  const preferences: Record<string, string | number | boolean> = {
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.page': 0,
    'browser.startup.homepage_override.mstone': 'ignore',
    'datareporting.policy.dataSubmissionEnabled': false,
    'toolkit.telemetry.enabled': false,
    'app.normandy.enabled': false,
    'app.update.enabled': false,
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,',
    'intl.accept_languages': 'en-US',
    'extensions.webextensions.uuids': JSON.stringify({ [geckoId]: extensionUuid }),
    // permissions.request resolves without the doorhanger, which headless Firefox cannot click; a real click is still needed.
    'extensions.webextOptionalPermissionPrompts': false,
    'network.dns.localDomains': options.localNames.join(','),
    'remote.active-protocols': 1,
    // A policy installs the package itself, unsigned, which an ESR accepts with this.
    ...(options.extension === undefined ? { 'xpinstall.signatures.required': false } : {}),
  };
  await writeFile(
    path.join(profile, 'user.js'),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
      .join('\n'),
  );
  const firefox = startChild(
    [
      options.executable,
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port=0',
      '--remote-allow-system-access',
      '--width=1280',
      '--height=800',
      'about:blank',
    ],
    { environment: { MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '900' } },
  );
  const bidi = await connectBidi(`${await debuggingAddress(firefox)}/session`);
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('session.subscribe', { events: ['log.entryAdded'] });
  if (options.extension !== undefined)
    await bidi.send('webExtension.install', { extensionData: { type: 'path', path: options.extension } });
  const logs = new Map<string, string[]>();
  bidi.onEvent((method, params) => {
    if (method !== 'log.entryAdded' || params.level !== 'error') return;
    const source = params.source as { context?: string } | undefined;
    if (source?.context !== undefined) logOf(source.context).push(String(params.text));
  });
  const logOf = (context: string) => {
    const log = logs.get(context) ?? [];
    logs.set(context, log);
    return log;
  };

  const inChrome = <T>(expression: string) => evaluateInChrome<T>(bidi, expression);

  if (options.extension === undefined)
    await until(
      () =>
        inChrome<boolean>(
          `WebExtensionPolicy.getByID(${JSON.stringify(geckoId)})?.extension.backgroundState === 'running'`,
        ),
      'the extension that the policy installs',
      120_000,
    );
  /** Pages hear of a preference a moment after it is set, hidden ones when they are shown: done when the others answer so. */
  const setPreference = async (name: string, value: number, question: string, matches: boolean) => {
    await inChrome(`Services.prefs.setIntPref(${JSON.stringify(name)}, ${value})`);
    const answer = `document.hidden || matchMedia(${JSON.stringify(question)}).matches === ${matches}`;
    for (const tab of await openTabs())
      await until(() => tab.evaluate<boolean>(answer), `${question} to be ${matches}`);
  };
  const openTabs = async () => {
    const { contexts } = await bidi.send<{ contexts: { context: string }[] }>('browsingContext.getTree', {
      maxDepth: 0,
    });
    return contexts.map(({ context }) => firefoxTab(bidi, context, logOf(context)));
  };

  return trackOpen<TestBrowser & { bidi: Bidi }>({
    name: 'firefox',
    extensionOrigin: `moz-extension://${extensionUuid}`,
    bidi,
    async newTab(url) {
      const { context } = await bidi.send<{ context: string }>('browsingContext.create', { type: 'tab' });
      await bidi.send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 800 } });
      const tab = firefoxTab(bidi, context, logOf(context));
      if (url !== undefined) await tab.goto(url);
      return tab;
    },
    openTabs,
    allowHost: async () => {}, // The preference above answers every request.
    stopBackground: async () =>
      void (await inChrome(
        `WebExtensionPolicy.getByID(${JSON.stringify(geckoId)}).extension.terminateBackground()`,
      )),
    reloadExtension: async () =>
      void (await inChrome(
        `AddonManager.getAddonByID(${JSON.stringify(geckoId)}).then((addon) => addon.reload()).then(() => null)`,
      )),
    setColorScheme: (scheme) =>
      setPreference(
        'layout.css.prefers-color-scheme.content-override',
        scheme === 'dark' ? 0 : 1,
        '(prefers-color-scheme: dark)',
        scheme === 'dark',
      ),
    setReducedMotion: (wanted) =>
      setPreference('ui.prefersReducedMotion', wanted ? 1 : 0, '(prefers-reduced-motion)', wanted),
    // 2: the person's colours in place of every page's. That is when Firefox matches `forced-colors`.
    setForcedColors: (wanted) =>
      setPreference('browser.display.document_color_use', wanted ? 2 : 0, '(forced-colors: active)', wanted),
    async close() {
      await bidi.send('browser.close').catch(() => {});
      const timer = setTimeout(() => firefox.stop(), 10_000);
      await firefox.exited.finally(() => clearTimeout(timer));
      bidi.close();
      await removeFolder(profile);
    },
  });
}

function debuggingAddress(firefox: Child): Promise<string> {
  const failed = firefox.exited.then((code) => {
    throw new Error(`Firefox exited with ${code}:\n${firefox.output()}`);
  });
  const address = () => /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(firefox.stderr())?.[1];
  return Promise.race([failed, until(address, "Firefox's debugging address", 120_000)]);
}

interface Evaluated {
  type: 'success' | 'exception';
  result?: { value?: string };
  exceptionDetails?: { text: string };
}

async function evaluateIn<T>(bidi: Bidi, context: string, expression: string): Promise<T> {
  const reply = await bidi.send<Evaluated>('script.evaluate', {
    expression: `(async () => JSON.stringify(await (${expression})) ?? 'null')()`,
    target: { context },
    awaitPromise: true,
  });
  if (reply.type === 'exception') throw new Error(reply.exceptionDetails?.text);
  return JSON.parse(reply.result?.value ?? 'null') as T;
}

/** Playwright's key names -> the code points that WebDriver gives them. */
const keyCodes: Record<string, string> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Backspace: '\uE003',
  Delete: '\uE017',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  Space: ' ',
  Shift: '\uE008',
  Control: '\uE009',
  ControlOrMeta: '\uE009',
  Alt: '\uE00A',
};

const keyDown = (value: string) => ({ type: 'keyDown', value });
const keyUp = (value: string) => ({ type: 'keyUp', value });

function firefoxTab(bidi: Bidi, context: string, errors: string[]): Tab {
  const evaluate = <T>(expression: string) => evaluateIn<T>(bidi, context, expression);
  const perform = (actions: object[]) => bidi.send('input.performActions', { context, actions });
  const pointer = (actions: object[]) =>
    perform([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
  const keys = (actions: object[]) => perform([{ type: 'key', id: 'keyboard', actions }]);
  const move = ({ x, y }: Point, origin?: object) => ({
    type: 'pointerMove',
    x: Math.round(x),
    y: Math.round(y),
    ...(origin === undefined ? {} : { origin }),
  });
  const press = [
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ];
  const overlay = () => readOverlay(bidi, context);
  const input: Pick<Tab, 'activate' | 'clickAt' | 'evaluate' | 'press'> = {
    activate: async () => void (await bidi.send('browsingContext.activate', { context })),
    clickAt: async (at) => void (await pointer([move(at), ...press])),
    evaluate,
    async press(combination) {
      const names = combination.split('+').map((name) => keyCodes[name] ?? name);
      await keys([...names.map(keyDown), ...names.toReversed().map(keyUp)]);
    },
  };
  const type = (text: string) => keys([...text].flatMap((value) => [keyDown(value), keyUp(value)]));

  return {
    ...input,
    ...byExpression(input, type),
    goto: async (url) =>
      void (await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' })),
    reload: async () => void (await bidi.send('browsingContext.reload', { context, wait: 'complete' })),
    url: () => evaluate('location.href'),
    // A native menu cannot be reached from outside; the value is set and announced as the menu would.
    select: async (selector, value) =>
      void (await evaluate(
        `(() => { const s = document.querySelector(${JSON.stringify(selector)}); s.value = ${JSON.stringify(value)};
          s.dispatchEvent(new Event('input', { bubbles: true })); s.dispatchEvent(new Event('change', { bubbles: true })); })()`,
      )),
    async hold(key, repeats = 2) {
      const value = keyCodes[key] ?? key;
      // Down again without up is a repetition.
      const held = Array.from({ length: repeats + 1 }, () => [
        keyDown(value),
        { type: 'pause', duration: repeatEveryMs },
      ]);
      await keys([...held.flat(), keyUp(value)]);
    },
    moveTo: async (to) => void (await pointer([move(to)])),
    async gesture(steps, pointerType = 'mouse') {
      if (pointerType === 'pen') {
        await input.activate();
        return pen(bidi, steps);
      }
      const actions = steps.map((step) =>
        'move' in step
          ? move(step.move)
          : 'waitMs' in step
            ? { type: 'pause', duration: step.waitMs }
            : 'down' in step
              ? { type: 'pointerDown', button: step.down }
              : { type: 'pointerUp', button: step.up },
      );
      await perform([{ type: 'pointer', id: pointerType, parameters: { pointerType }, actions }]);
    },
    overlay: async () => (await overlay()).map(({ part }) => part),
    async clickInOverlay({ selector }) {
      const found = await until(
        async () => (await overlay()).find(({ part }) => matches(part, selector)),
        `${JSON.stringify(selector)} in the overlay`,
      );
      await pointer([
        move({ x: 0, y: 0 }, { type: 'element', element: { sharedId: found.handle } }),
        ...press,
      ]);
    },
    async openOverlay() {
      const [outermost] = await overlay();
      if (!outermost) throw new Error('there is no overlay');
      await bidi.send('script.callFunction', {
        functionDeclaration: openOverlayOf,
        this: { sharedId: outermost.handle },
        target: { context },
        awaitPromise: false,
      });
    },
    setViewport: async (viewport) =>
      void (await bidi.send('browsingContext.setViewport', { context, viewport })),
    errors: () => errors,
    async screenshot(file) {
      const { data } = await bidi.send<{ data: string }>('browsingContext.captureScreenshot', { context });
      await writeFile(file, Buffer.from(data, 'base64'));
    },
    close: async () => void (await bidi.send('browsingContext.close', { context })),
  };
}

/** In the browser's own window. */
async function evaluateInChrome<T>(bidi: Bidi, expression: string): Promise<T> {
  const tree = await bidi.send<{ contexts: { context: string }[] }>('browsingContext.getTree', {
    'moz:scope': 'chrome',
  });
  return evaluateIn<T>(bidi, tree.contexts[0]!.context, expression);
}

/** WebDriver's pen is not implemented (153): the window sends the events on to the tab in front, as it does with a real one's. */
async function pen(bidi: Bidi, steps: readonly PointerStep[]): Promise<void> {
  await evaluateInChrome(
    bidi,
    `(async () => {
      const origin = gBrowser.selectedBrowser.getBoundingClientRect();
      let at = { x: 0, y: 0 };
      let buttons = 0;
      const send = (type) => window.synthesizeMouseEvent(type, origin.x + at.x, origin.y + at.y,
        { button: 0, buttons, clickCount: 1, inputSource: MouseEvent.MOZ_SOURCE_PEN }, {});
      for (const step of ${JSON.stringify(steps)}) {
        if ('waitMs' in step) await new Promise((resolve) => setTimeout(resolve, step.waitMs));
        else if ('move' in step) {
          at = step.move;
          send('mousemove');
        } else {
          buttons = 'down' in step ? 1 : 0;
          send(buttons ? 'mousedown' : 'mouseup');
        }
      }
      return true;
    })()`,
  );
}

interface RemoteNode {
  type: string;
  sharedId?: string;
  value?: {
    nodeType?: number;
    localName?: string;
    nodeValue?: string;
    attributes?: Record<string, string>;
    children?: RemoteNode[];
    shadowRoot?: RemoteNode | null;
  };
}

/** Serialisation with `includeShadowTree: all` is the one view that shows closed shadow roots. */
async function readOverlay(bidi: Bidi, context: string) {
  const reply = await bidi.send<{ type: string; result?: RemoteNode }>('script.evaluate', {
    expression: `document.querySelector('html > dialmark-overlay')`,
    target: { context },
    awaitPromise: false,
    serializationOptions: { includeShadowTree: 'all', maxDomDepth: 20 },
  });
  return overlayParts((reply.result?.value?.shadowRoot?.value?.children ?? []).map(overlayNode));
}

function overlayNode({ sharedId = '', value }: RemoteNode): OverlayNode<string> {
  const { nodeType, localName, nodeValue, attributes = {}, children = [] } = value ?? {};
  return {
    tag: nodeType === 1 ? localName : undefined,
    text: nodeType === 3 ? nodeValue : undefined,
    attributes,
    children: children.map(overlayNode),
    handle: sharedId,
  };
}
