/** Expressions that both browsers run in the page, so that a story means the same in each. */

/** Middle of the first occurrence of `text` in the page's own text, scrolled into view; null where it does not stand. */
export function pointOfText(text: string): string {
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
    const place = (offset) => { const n = nodes.findLast((n) => n.start <= offset); return [n.node, offset - n.start]; };
    const range = document.createRange();
    range.setStart(...place(at)); const end = place(at + wanted.length - 1); range.setEnd(end[0], end[1] + 1);
    range.startContainer.parentElement.scrollIntoView({ block: 'center', behavior: 'instant' });
    const box = range.getClientRects()[0];
    return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
  })()`;
}

/**
 * Middle of the first element that matches, scrolled into view; null where there is none, it has no box, something else lies
 * over it (its own label may), or the page is just moving it: a person does not click at what jumps away.
 */
export function pointOfElement(selector: string): string {
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
    await new Promise((resolve) => setTimeout(resolve, 32));
    const after = look();
    const still = after && after.x === before.x && after.y === before.y && after.element === before.element;
    return still ? { x: after.x, y: after.y } : null;
  })()`;
}

/** Called on a part of the overlay that the driver's tools found: its host shows the root to scripts from then on. */
export const openOverlayOf = `function () {
  const root = this.getRootNode();
  Object.defineProperty(root.host, 'shadowRoot', { value: root, configurable: true });
}`;

/** Whether the first element that matches has the focus. */
export const hasFocus = (selector: string): string =>
  `document.activeElement !== null && document.activeElement === document.querySelector(${JSON.stringify(selector)})`;

export const textOf = (selector: string): string =>
  `document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`;
export const attributeOf = (selector: string, name: string): string =>
  `document.querySelector(${JSON.stringify(selector)})?.getAttribute(${JSON.stringify(name)}) ?? null`;
export const countOf = (selector: string): string =>
  `document.querySelectorAll(${JSON.stringify(selector)}).length`;
