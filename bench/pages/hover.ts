/** Moves the pointer over every figure of a page and reads what could be called there. */
import type { Point, Tab, TestBrowser } from '../../testing/browsers/browser.ts';
import { ownPage, sendToContent } from '../../testing/extension/ask-background.ts';
import { paintedNumbers } from '../../testing/extension/marked-numbers.ts';
import type { ServedPages } from '../../testing/servers/serve-pages.ts';
import { until } from '../../testing/until.ts';
import type { Workstation } from '../../testing/workstation.ts';

/** ringcentral-c2d looks for numbers a second after a page has changed. */
const peerDelayMs = 1_200;

/** The most frames until a number that was found is painted, and until a reply of the background is shown. */
const maxFramesToWait = 20;

/** @returns for each page the digits of what the tip showed. */
export async function callableByDialmark(
  workstation: Workstation,
  pages: ServedPages,
  count: number,
): Promise<string[][]> {
  const own = await ownPage(workstation);
  const tab = await workstation.browser.newTab();
  const found: string[][] = [];
  for (let index = 0; index < count; index++) {
    const url = pages.url(`/${index}`);
    await tab.goto(url);
    await tab.activate();
    await tab.evaluate(untilRendered);
    const [listed] = await until(async () => {
      const replies = await sendToContent<unknown[]>(own, url, { type: 'background.list' });
      return replies.length > 0 && replies;
    }, 'our script in the page');
    for (let frame = 0; frame < maxFramesToWait; frame++) {
      if ((await paintedNumbers(tab)).length >= listed!.length) break;
      await nextFrame(tab);
    }
    found.push(
      await hoverAll(tab, async () => {
        const parts = await tab.overlay();
        if (!parts.some(({ attributes }) => attributes.class === 'tip')) return '';
        const link = parts.find(({ attributes }) => attributes.href?.startsWith('tel:'));
        return (
          link?.attributes.href ?? parts.find(({ attributes }) => attributes.class === 'title')?.text ?? ''
        );
      }),
    );
  }
  await tab.close();
  return found;
}

/** @returns for each page the digits of what the peer's widget was given. */
export async function callableByPeer(
  browser: TestBrowser,
  pages: ServedPages,
  count: number,
): Promise<string[][]> {
  const tab = await browser.newTab();
  const found: string[][] = [];
  for (let index = 0; index < count; index++) {
    await tab.goto(pages.url(`/${index}`, 'other'));
    await tab.evaluate(`new Promise((resolve) => { const script = document.createElement('script');
      script.src = '/peer.js'; script.onload = () => setTimeout(resolve, ${peerDelayMs}, true);
      document.head.append(script); })`);
    await tab.activate();
    await tab.evaluate(untilRendered);
    await nextFrame(tab);
    found.push(
      await hoverAll(tab, () => tab.evaluate<string>(`document.documentElement.dataset.hovered ?? ''`)),
    );
  }
  await tab.close();
  return found;
}

/** @param read returns the number that a click would call now, or an empty string. */
async function hoverAll(tab: Tab, read: () => Promise<string>): Promise<string[]> {
  const found = new Set<string>();
  for (const { isControl, ...at } of await tab.evaluate<(Point & { isControl: boolean })[]>(figures)) {
    const { x, y } = await tab.evaluate<Point>(scrollTo(at));
    await tab.moveTo({ x: 1, y: 1 });
    await nextFrame(tab);
    await tab.moveTo({ x: x + 1, y });
    await tab.moveTo({ x, y });
    let shown = '';
    // A link or field is judged by the background when the pointer is over it.
    for (let frame = 0; frame < (isControl ? maxFramesToWait : 3) && shown === ''; frame++) {
      await nextFrame(tab);
      shown = await read();
    }
    const digits = shown.replace(/;.*/, '').replace(/\D/g, '');
    if (digits !== '') found.add(digits);
  }
  return [...found];
}

/** Resolves once the page has not changed for half a second. Some pages render themselves. */
const untilRendered = `new Promise((resolve) => {
  let timer = setTimeout(resolve, 500, true);
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(resolve, 500, true);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
})`;

const nextFrame = (tab: Tab): Promise<unknown> =>
  tab.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0, true)))`);

/** Scrolls a point of the page into view. @returns where it is then, in the viewport. */
const scrollTo = ({ x, y }: Point): string => `(() => {
  if (${y} < scrollY || ${y} > scrollY + innerHeight - 10) window.scrollTo(0, ${y} - innerHeight / 2);
  return { x: ${x}, y: ${y} - scrollY };
})()`;

/**
 * Lists the middle of each run of digits in the page and its open shadow roots, and of each field and link with digits.
 * A text area gets many points, and is made as high as its text. A run ends where a second number may begin:
 * - before a plus, and at a dash between spaces;
 * - at a slash, bar, comma or semicolon with a space after it;
 * - at a space after nine digits in a row.
 */
const figures = `(() => {
  const points = [];
  const add = (box, isControl) => {
    if (box && box.width > 0 && box.height > 0)
      points.push({ x: box.x + box.width / 2, y: scrollY + box.y + box.height / 2, isControl });
  };
  const roots = [document.body];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  const fields = roots.flatMap((root) => [...root.querySelectorAll('input,select,textarea,a[href]')]);
  for (const field of fields) if (field.localName === 'textarea') field.style.height = field.scrollHeight + 'px';
  const textsIn = (root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node);
    return found;
  };
  for (const node of roots.flatMap(textsIn)) {
    if (node.parentElement?.closest('script,style,noscript,template,option')) continue;
    const runs = /\\d(?:(?! ?[/|,;] | [–—-] |(?<=\\d{9}) )[^\\p{L}\\d\\n+]{0,3}\\d)*/gu;
    for (const { index, 0: run } of node.data.matchAll(runs)) {
      const range = document.createRange();
      range.setStart(node, index); range.setEnd(node, index + run.length);
      const [box] = range.getClientRects();
      const over = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      add(box, [node.parentElement, over].some((element) => element?.closest('a,button,summary,input,[role],svg')));
    }
  }
  for (const field of fields) {
    const shown = field.value ?? (/\\d/.test(field.textContent) ? '' : field.getAttribute('href'));
    if (!/\\d/.test(shown)) continue;
    const box = field.getBoundingClientRect();
    add(box, true);
    // A note may hold several numbers. The pointer chooses one of them.
    if (field.localName === 'textarea')
      for (let y = box.y + 8; y < box.bottom; y += 15)
        for (let x = box.x + 10; x < box.right; x += 50) add({ x, y, width: 1, height: 1 }, true);
  }
  return points;
})()`;
