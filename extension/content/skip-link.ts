/**
 * Leads to the numbers by keyboard where no shortcut does: a stop of the Tab key before the page's own. Enter focuses
 * the first number; from there the arrows lead to the next and the previous one. Our own element is the stop, so that
 * the page's tree stays as it is.
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
