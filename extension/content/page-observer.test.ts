// @vitest-environment jsdom
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { PageObserver } from './page-observer.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

// A signal of jsdom keeps every target that has its listeners.
vi.mock('./listen.ts', () => ({ listen() {} }));
vi.stubGlobal('chrome', {});
// jsdom does not have one.
vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
Element.prototype.checkVisibility = () => true;

const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

test('frees a shadow root that the page has removed', async () => {
  const slicer = { isDue: () => false, yieldToPage: turn, restart() {}, workedMs: () => 0 };
  const marks = { adopt: vi.fn(), check: () => false, drop() {}, set() {}, size: 0 };
  const finder = { find: async () => [], isPartlyHidden: () => false };
  const parts = { marks, finder, slicer, background: { isAlive: () => true } };
  new PageObserver(parts as never, new AbortController().signal, () => {});
  const addWidget = () => {
    const host = document.createElement('div');
    host.attachShadow({ mode: 'open' }).innerHTML = '<p>open</p>';
    document.body.append(host);
    return new WeakRef(host);
  };
  const widget = addWidget();
  await vi.waitUntil(() => marks.adopt.mock.calls.length > 1, { interval: 1, timeout: 60_000 });
  marks.adopt.mockReset();
  widget.deref()!.remove();
  for (let count = 0; count < 5; count++) await turn();
  collectGarbage();
  expect(widget.deref()).toBeUndefined();
});
