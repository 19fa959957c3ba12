// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';

// What jsdom lacks.
class Observer {
  observe() {}
  disconnect() {}
}
for (const name of ['IntersectionObserver', 'ResizeObserver']) vi.stubGlobal(name, Observer);
vi.stubGlobal('CSS', { highlights: new Map() });
vi.stubGlobal('Highlight', Set);
vi.stubGlobal(
  'CSSStyleSheet',
  class {
    replaceSync() {}
  },
);
const asked: string[] = [];
const sendMessage = ({ type }: { type: string }) => {
  asked.push(type);
  return new Promise(() => {});
};
const onMessage = { addListener() {}, removeListener() {} };
vi.stubGlobal('chrome', { runtime: { id: 'ours', sendMessage, onMessage } });

test('greets the background again when a prerendered page is shown', async () => {
  await import('./main.iife.ts');
  document.dispatchEvent(new Event('prerenderingchange'));
  expect(asked).toEqual(['content.hello', 'content.hello']);
});
