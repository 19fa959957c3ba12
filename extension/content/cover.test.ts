// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { readLayers } from './cover.ts';
import type { TimeSlicer } from './time-slicer.ts';

vi.stubGlobal('chrome', {});

let slices = 0;
/** Each element is the last one of its slice. */
const slicer = {
  isDue: () => true,
  async yieldToPage() {
    slices++;
  },
} as TimeSlicer;

beforeEach(() => {
  slices = 0;
  document.documentElement.innerHTML = '<body><p id="first"></p><div id="ours"></div></body>';
  // jsdom knows no element in the top layer, and no such words.
  vi.spyOn(Element.prototype, 'matches').mockImplementation(function (this: Element) {
    return this.id === 'dialog';
  });
});

test('a page is read in slices, with its shadow roots', async () => {
  const inner = document.querySelector('#first')!.attachShadow({ mode: 'open' });
  inner.innerHTML = '<b id="dialog"></b>';
  vi.stubGlobal('chrome', { dom: { openOrClosedShadowRoot: (element: Element) => element.shadowRoot } });
  const ours = document.querySelector('#ours')!;
  ours.attachShadow({ mode: 'open' }).innerHTML = '<i></i>';
  const { near, inTopLayer } = await readLayers(ours, slicer);
  expect(near.map(({ localName }) => localName)).toEqual(['html', 'head', 'body', 'p', 'b']);
  expect(inTopLayer.map(({ id }) => id)).toEqual(['dialog']);
  expect(slices).toBe(near.length);
});

test('what is far from the screen is left out, unless it is in the top layer', async () => {
  document.body.innerHTML = '<dialog id="dialog"></dialog><p id="far"></p>';
  const far = () => ({ left: 0, top: 1e6, right: 100, bottom: 1e6 + 20 }) as DOMRect;
  for (const element of document.body.children) element.getBoundingClientRect = far;
  const { near, inTopLayer } = await readLayers(document.createElement('div'), slicer);
  expect(near).not.toContain(document.querySelector('#far'));
  expect(inTopLayer).toEqual([document.querySelector('#dialog')]);
});
