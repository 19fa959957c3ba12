/** What both drivers do by expressions in the page, so that a test does the same in each browser. */
import { until } from '../until.ts';
import type { OverlayPart, Point, Tab } from './browser.ts';

type ByExpression = 'click' | 'fill' | 'text' | 'attribute' | 'count' | 'pointOfText';

/** @param type types into the field that has the focus. */
export function byExpression(
  tab: Pick<Tab, 'activate' | 'clickAt' | 'evaluate' | 'press'>,
  type: (text: string) => Promise<unknown>,
): Pick<Tab, ByExpression> {
  const point = (expression: string, what: string) =>
    until(() => tab.evaluate<Point | null>(expression), what);
  const click = async (selector: string) => {
    await tab.activate();
    await tab.clickAt(await point(pointOfElement(selector), `an element ${selector}`));
  };
  return {
    click,
    async fill(selector, text) {
      // A click may miss on a busy machine. Firefox looks for the element under the pointer in the last frame, but
      // the page may have scrolled since.
      await until(async () => {
        await click(selector);
        return tab.evaluate<boolean>(hasFocus(selector));
      }, `the focus in ${selector}`);
      await tab.press('ControlOrMeta+a');
      await (text === '' ? tab.press('Delete') : type(text));
    },
    text: (selector) => tab.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`),
    attribute: (selector, name) =>
      tab.evaluate(
        `document.querySelector(${JSON.stringify(selector)})?.getAttribute(${JSON.stringify(name)}) ?? null`,
      ),
    count: (selector) => tab.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`),
    pointOfText: (text) => point(pointOfText(text), `the text "${text}"`),
  };
}

/** A node of the overlay as a driver reads it. An element has a tag, and a text node has a text. */
export interface OverlayNode<Handle> {
  tag?: string | undefined;
  text?: string | undefined;
  attributes: Record<string, string>;
  children: readonly OverlayNode<Handle>[];
  handle: Handle;
}

/** Lists every element below a shadow root, outermost first. */
export function overlayParts<Handle>(roots: readonly OverlayNode<Handle>[]) {
  const parts: { part: OverlayPart; handle: Handle }[] = [];
  const visit = ({ tag, text, attributes, children, handle }: OverlayNode<Handle>): string => {
    if (tag === undefined) return text ?? '';
    if (/^(style|script)$/.test(tag)) return '';
    const part: OverlayPart = { tag, text: '', attributes };
    parts.push({ part, handle });
    part.text = [attributes['data-words'] ?? '', ...children.map(visit)].join('').trim();
    return part.text;
  };
  roots.forEach(visit);
  return parts;
}

export function matches(
  part: OverlayPart,
  wanted: { tag?: string; attribute?: [string, string]; text?: string },
): boolean {
  return (
    (wanted.tag === undefined || part.tag === wanted.tag) &&
    (wanted.attribute === undefined || part.attributes[wanted.attribute[0]] === wanted.attribute[1]) &&
    (wanted.text === undefined || part.text.includes(wanted.text))
  );
}

/** Finds the middle of the first occurrence of `text` in the page, and scrolls it into view. Null if it is missing. */
function pointOfText(text: string): string {
  return `(() => {
    const wanted = ${JSON.stringify(text)};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let all = '', nodes = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest('script,style,noscript')) continue;
      nodes.push({ node, start: all.length }); all += node.data;
    }
    const at = all.indexOf(wanted);
    if (at < 0) return null;
    const place = (offset) => {
      const n = nodes.findLast((n) => n.start <= offset);
      return [n.node, offset - n.start];
    };
    const range = document.createRange();
    range.setStart(...place(at)); const end = place(at + wanted.length - 1); range.setEnd(end[0], end[1] + 1);
    range.startContainer.parentElement.scrollIntoView({ block: 'center', behavior: 'instant' });
    const box = range.getClientRects()[0];
    return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
  })()`;
}

/**
 * Middle of the first element that matches, scrolled into view. Null where there is no such element or it has no
 * box. Null also where something else than its label lies over it, or the page is just moving it.
 */
function pointOfElement(selector: string): string {
  return `(async () => {
    const look = () => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (!element) return null;
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const box = element.getBoundingClientRect();
      const x = box.x + box.width / 2, y = box.y + box.height / 2;
      const hit = element.getRootNode().elementFromPoint(x, y);
      const takesClick = [element, ...(element.labels ?? [])].some((part) => part.contains(hit));
      return box.width === 0 || hit === null || !takesClick ? null : { x, y, element };
    };
    const before = look();
    if (!before) return null;
    // Two frames, however long they take. A tab in the back does not draw, so it waits for a second.
    await Promise.race([
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 16)))),
      new Promise((resolve) => setTimeout(resolve, 1_000)),
    ]);
    const after = look();
    const still = after && after.x === before.x && after.y === before.y && after.element === before.element;
    return still ? { x: after.x, y: after.y } : null;
  })()`;
}

/** Is called on a part of the overlay. Its host's `shadowRoot` returns the closed root from then on. */
export const openOverlayOf = `function () {
  const root = this.getRootNode();
  Object.defineProperty(root.host, 'shadowRoot', { value: root, configurable: true });
}`;

/** Whether the first element that matches has the focus. */
const hasFocus = (selector: string): string =>
  `document.activeElement !== null && document.activeElement === document.querySelector(${JSON.stringify(selector)})`;
