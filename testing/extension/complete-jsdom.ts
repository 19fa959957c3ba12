import { options } from 'preact';
import { vi } from 'vitest';

/** Adds what a page of ours needs of a browser, and jsdom lacks. */
export function completeJsdom(): void {
  vi.stubGlobal('__BROWSER__', 'chrome');
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  // Effects at once: a later one would meet a document that is gone.
  options.requestAnimationFrame = queueMicrotask;
  // Each reading is a second later, so that a button counts as readable at its first press.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1_000;
    return now;
  });
}
