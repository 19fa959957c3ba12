/**
 * The way to the numbers by keyboard where no shortcut is set: the Tab key stops at an element of ours before those of
 * the page. Enter focuses the first number; the arrows lead to the next and the previous one. The page's elements
 * stay as they are.
 */
import { div } from './elements.ts';
import { listen } from './listen.ts';
import type { PageOverlay } from './overlay.ts';

export function createSkipLink(
  overlay: PageOverlay,
  step: (to: 'next' | 'previous') => unknown,
  signal: AbortSignal,
) {
  const { host } = overlay;
  const words = div('skip');
  const onKey = (event: KeyboardEvent) => {
    if (!event.isTrusted || event.target !== host || event.repeat) return;
    const { key } = event;
    const isOnStop = document.activeElement === host && !overlay.hasInnerFocus();
    const isEntered = isOnStop && (key === 'Enter' || key === ' ');
    const isArrow = overlay.hasFocus() && (key === 'ArrowDown' || key === 'ArrowUp');
    if (!isEntered && !isArrow) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void step(key === 'ArrowUp' ? 'previous' : 'next');
  };
  listen('keydown', onKey, signal);

  return {
    /** Offers it, or takes it back. */
    set(isOffered: boolean) {
      if (isOffered === host.hasAttribute('tabindex')) return;
      if (!isOffered) {
        host.removeAttribute('tabindex');
        words.remove();
        return;
      }
      words.textContent = host.ariaLabel = overlay.text('skip');
      host.role = 'link';
      // Before the page's own stops, wherever our element is in its tree.
      host.tabIndex = 1;
      overlay.showInPlace(words);
    },
  };
}
