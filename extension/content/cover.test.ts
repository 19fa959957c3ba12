// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import type { Target } from './click-target.ts';
import { isSeen } from './cover.ts';

const page = new DOMRect(0, 0, 400, 400);
const numberBox = new DOMRect(150, 190, 100, 20);
let number: Element;

beforeEach(() => {
  vi.stubGlobal('chrome', {});
  document.body.innerHTML = '<b>11 98765-4321</b>';
  number = document.querySelector('b')!;
  // jsdom lays nothing out: the layer fills the page, its padding box leaves the borders out, and the pointer hits it while it may.
  const hittable = new Set<Element>();
  Object.assign(Element.prototype, {
    checkVisibility: () => true,
    getBoundingClientRect: () => page,
    animate(this: Element) {
      hittable.add(this);
      return { cancel: () => hittable.delete(this), play: () => hittable.add(this) };
    },
  });
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(400);
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
  // jsdom has no pseudo-elements, and complains.
  const styleOf = window.getComputedStyle;
  vi.spyOn(window, 'getComputedStyle').mockImplementation((element, name) =>
    name ? ({ content: 'none' } as CSSStyleDeclaration) : styleOf(element),
  );
  Object.assign(Range.prototype, { getClientRects: () => [page] });
  Object.assign(document, { elementFromPoint: () => [...hittable].at(-1) ?? number });
  return () => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  };
});

/** Whether the number is seen under a layer that lets the pointer through. */
function isSeenUnder(style: string, inside = '', paddingPx = 400): boolean {
  const layer = document.createElement('div');
  layer.style.cssText = `pointer-events:none;background-image:none;background-color:transparent;opacity:1;color:#fff;${style}`;
  layer.innerHTML = inside;
  for (const each of layer.querySelectorAll('*'))
    each.setAttribute(
      'style',
      `pointer-events:none;background-image:none;opacity:1;${each.getAttribute('style')}`,
    );
  document.body.append(layer);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(paddingPx);
  const target = { boxes: () => [numberBox], owns: (element: Element) => element === number };
  return isSeen(target as unknown as Target, document.createElement('i'));
}

test.each<[string, string, string?, number?]>([
  ['a background', 'background-color:#fff'],
  ['a picture', 'background-image:url(a.png)'],
  ['a thick border', 'border-left:400px solid #fff', '', 0],
  ['a shape', '', '<svg><rect style="fill:#fff;fill-opacity:1;stroke:none"></rect></svg>'],
  ['letters', '', '████'],
])('a number is hidden by %s of a layer that lets the pointer through', (_, style, inside, paddingPx) => {
  expect(isSeenUnder(style, inside, paddingPx)).toBe(false);
});

test.each<[string, string, string?, number?]>([
  ['nothing', ''],
  ['a pale background', 'background-color:rgba(255, 255, 255, 0.1)'],
  ['a border around it', 'border-left:20px solid #fff', '', 400],
  ['a transparent border', 'border-left:400px solid transparent', '', 0],
  ['a thin line', '', '<svg><path style="fill:none;stroke:#fff;stroke-width:1px"></path></svg>'],
])('a number is seen through %s of a layer that lets the pointer through', (_, style, inside, paddingPx) => {
  expect(isSeenUnder(style, inside, paddingPx)).toBe(true);
});
