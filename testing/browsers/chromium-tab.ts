/** A tab of Chromium, driven by Playwright. CDP does what Playwright cannot do. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import { until } from '../until.ts';
import { type Point, type PointerStep, repeatEveryMs, type Tab } from './browser.ts';
import { byExpression, matches, type OverlayNode, openOverlayOf, overlayParts } from './page-scripts.ts';

/** Also has the Playwright page, for what only Chromium can do (tracing). */
export interface ChromiumTab extends Tab {
  readonly page: Page;
}

export function chromiumTab(page: Page): ChromiumTab {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const evaluate = <T>(expression: string) => page.evaluate(expression) as Promise<T>;
  const overlay = () => withSession(page, readOverlay);
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
      // A second `down` without an `up` repeats the key.
      for (let time = 0; time <= repeats; time += 1) {
        await page.keyboard.down(key);
        await page.waitForTimeout(repeatEveryMs);
      }
      await page.keyboard.up(key);
    },
    moveTo: ({ x, y }) => page.mouse.move(x, y),
    async gesture(steps, pointerType = 'mouse') {
      if (pointerType !== 'mouse') return withSession(page, (session) => draw(session, pointerType, steps));
      let clickCount = 0;
      // The release must not wait until a busy page has taken the press.
      const presses: Promise<void>[] = [];
      for (const step of steps) {
        if ('move' in step) await page.mouse.move(step.move.x, step.move.y);
        else if ('waitMs' in step) await pause(step.waitMs);
        else if ('down' in step)
          presses.push(page.mouse.down({ button: buttonNames[step.down]!, clickCount: ++clickCount }));
        else await page.mouse.up({ button: buttonNames[step.up]!, clickCount });
        if ('move' in step || 'waitMs' in step) clickCount = 0;
      }
      await Promise.all(presses);
    },
    overlay: async () => (await overlay()).map(({ part }) => part),
    async clickInOverlay({ selector }) {
      const target = await until(
        async () => {
          const found = (await overlay()).find(({ part }) => matches(part, selector));
          return found && (await withSession(page, (session) => middleOf(session, found.handle)));
        },
        `${JSON.stringify(selector)} in the overlay`,
      );
      await input.clickAt(target);
    },
    async openOverlay() {
      const [outermost] = await overlay();
      if (!outermost) throw new Error('there is no overlay');
      await withSession(page, async (session) => {
        const { object } = await session.send('DOM.resolveNode', { backendNodeId: outermost.handle });
        await session.send('Runtime.callFunctionOn', {
          objectId: object.objectId!,
          functionDeclaration: openOverlayOf,
        });
      });
    },
    setViewport: (size) => page.setViewportSize(size),
    errors: () => errors,
    screenshot: async (file) => void (await page.screenshot({ path: file })),
    close: () => closePage(page),
  };
}

const buttonNames = ['left', 'middle', 'right'] as const;

async function withSession<T>(page: Page, work: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page);
  try {
    return await work(session);
  } finally {
    await session.detach();
  }
}

/**
 * One finger as a screen reports it, or a pen. The browser turns touches into taps, scrolling and long presses. The
 * protocol treats a pen as a mouse with another pointer type.
 */
async function draw(
  session: CDPSession,
  pointerType: 'touch' | 'pen',
  steps: readonly PointerStep[],
): Promise<void> {
  let at: Point = { x: 0, y: 0 };
  let isDown = false;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd') =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [at] });
  const pen = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased') =>
    session.send('Input.dispatchMouseEvent', {
      type,
      ...at,
      button: type === 'mouseMoved' && !isDown ? 'none' : 'left',
      buttons: isDown ? 1 : 0,
      clickCount: 1,
      pointerType: 'pen',
    });
  const isPen = pointerType === 'pen';
  for (const step of steps) {
    if ('waitMs' in step) await pause(step.waitMs);
    else if ('move' in step) {
      at = step.move;
      if (isPen) await pen('mouseMoved');
      else if (isDown) await touch('touchMove');
    } else {
      isDown = 'down' in step;
      if (isPen) await pen(isDown ? 'mousePressed' : 'mouseReleased');
      else await touch(isDown ? 'touchStart' : 'touchEnd');
    }
  }
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

/** Only DOM.getDocument with `pierce` shows closed shadow roots. */
async function readOverlay(session: CDPSession) {
  const { root } = (await session.send('DOM.getDocument', { depth: -1, pierce: true })) as unknown as {
    root: CdpNode;
  };
  const host = findOverlay(root);
  return overlayParts(host?.shadowRoots?.flatMap((shadow) => shadow.children ?? []).map(overlayNode) ?? []);
}

/** After the body, or in the page's modal dialog or fullscreen element, which may be in a shadow root. */
function findOverlay(node: CdpNode): CdpNode | undefined {
  const children = [...(node.children ?? []), ...(node.shadowRoots ?? [])];
  const own = children.find(({ nodeName }) => nodeName === 'DIALMARK-OVERLAY');
  if (own) return own;
  for (const child of children) {
    const found = findOverlay(child);
    if (found) return found;
  }
  return undefined;
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

/** @returns undefined for a hidden element, which does not have a box. */
async function middleOf(session: CDPSession, backendNodeId: number): Promise<Point | undefined> {
  const box = await session.send('DOM.getBoxModel', { backendNodeId }).catch(() => undefined);
  if (!box) return undefined;
  const [left, top, , , right, bottom] = box.model.border as [number, number, number, number, number, number];
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/**
 * Closes a tab, and repeats that until the tab is gone. If a navigation commits at that moment, the tab stays open
 * although Chromium reports it closed (crbug.com/536385539, seen in 156).
 */
export async function closePage(page: Page): Promise<void> {
  const closed = page.close().then(() => 'closed');
  while ((await Promise.race([closed, pause(askAgainAfterMs, undefined, { ref: false })])) !== 'closed')
    // Rejects if the tab is gone by now.
    await page.close({ runBeforeUnload: true }).catch(() => undefined);
}
const askAgainAfterMs = 1_000;
