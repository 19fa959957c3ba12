import { options } from 'preact';
import { vi } from 'vitest';

/** Adds what our pages need of a browser and jsdom lacks. */
export function completeJsdom(): void {
  vi.stubGlobal('__BROWSER__', 'chrome');
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => {};
  // Effects run at once. A later effect might run after the document is gone.
  options.requestAnimationFrame = queueMicrotask;
  // Each reading of the clock is a second later. So a button counts as readable at its first press.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1_000;
    return now;
  });
}
