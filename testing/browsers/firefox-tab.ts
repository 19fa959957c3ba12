/** A tab of Firefox, by WebDriver BiDi. */
import { writeFile } from 'node:fs/promises';
import { until } from '../until.ts';
import type { Bidi } from './bidi.ts';
import { type Point, type PointerStep, repeatEveryMs, type Tab } from './browser.ts';
import { byExpression, matches, type OverlayNode, openOverlayOf, overlayParts } from './page-scripts.ts';

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

/** A driver cannot reach a native menu. So the value is set, and the events of the menu are dispatched. */
const selectOption = (selector: string, value: string) =>
  `(() => { const s = document.querySelector(${JSON.stringify(selector)}); s.value = ${JSON.stringify(value)};
    s.dispatchEvent(new Event('input', { bubbles: true }));
    s.dispatchEvent(new Event('change', { bubbles: true })); })()`;

const move = ({ x, y }: Point, origin?: object) => ({
  type: 'pointerMove',
  x: Math.round(x),
  y: Math.round(y),
  ...(origin === undefined ? {} : { origin }),
});

function actionOf(step: PointerStep): object {
  if ('move' in step) return move(step.move);
  if ('waitMs' in step) return { type: 'pause', duration: step.waitMs };
  return 'down' in step ? { type: 'pointerDown', button: step.down } : { type: 'pointerUp', button: step.up };
}

const keyDown = (value: string) => ({ type: 'keyDown', value });
const keyUp = (value: string) => ({ type: 'keyUp', value });

export function firefoxTab(bidi: Bidi, context: string, errors: string[]): Tab {
  const evaluate = <T>(expression: string) => evaluateIn<T>(bidi, context, expression);
  const perform = (actions: object[]) => bidi.send('input.performActions', { context, actions });
  const pointer = (actions: object[]) =>
    perform([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
  const keys = (actions: object[]) => perform([{ type: 'key', id: 'keyboard', actions }]);
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
    select: async (selector, value) => void (await evaluate(selectOption(selector, value))),
    async hold(key, repeats = 2) {
      const value = keyCodes[key] ?? key;
      // A second `down` without an `up` repeats the key.
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
      const actions = steps.map(actionOf);
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

/** Evaluates an expression in the browser's own window. */
export async function evaluateInChrome<T>(bidi: Bidi, expression: string): Promise<T> {
  const tree = await bidi.send<{ contexts: { context: string }[] }>('browsingContext.getTree', {
    'moz:scope': 'chrome',
  });
  return evaluateIn<T>(bidi, tree.contexts[0]!.context, expression);
}

/** Firefox does not implement WebDriver's pen (153). So its window gets the events, and passes them on to the tab. */
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

/** After the body, or in the page's modal dialog or fullscreen element, which may be in a shadow root. */
const findOverlay = `(() => {
  const find = (root) => root.querySelector('dialmark-overlay') ??
    [...root.querySelectorAll('*')].reduce((found, { shadowRoot }) => found ?? (shadowRoot && find(shadowRoot)), null);
  return find(document);
})()`;

/** Only a serialisation with `includeShadowTree: all` shows closed shadow roots. */
async function readOverlay(bidi: Bidi, context: string) {
  const reply = await bidi.send<{ type: string; result?: RemoteNode }>('script.evaluate', {
    expression: findOverlay,
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
