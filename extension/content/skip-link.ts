/**
 * The way to the numbers by keyboard if the command `next-number` has no shortcut. The Tab key stops at our element
 * before the page's elements. Enter focuses the first number, the arrows the next and the previous number. The page's
 * elements stay as they are.
 */
import { deepActiveElement, div, setWords } from './elements.ts';
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
    const isOnStop = deepActiveElement() === host;
    const isEntered = isOnStop && (key === 'Enter' || key === ' ');
    const isArrow = overlay.hasFocus() && (key === 'ArrowDown' || key === 'ArrowUp');
    if (!isEntered && !isArrow) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void step(key === 'ArrowUp' ? 'previous' : 'next');
  };
  listen('keydown', onKey, signal);

  return {
    /** Offers the skip link, or removes it. */
    set(isOffered: boolean) {
      if (isOffered === host.hasAttribute('tabindex')) return;
      if (!isOffered) {
        host.removeAttribute('tabindex');
        words.remove();
        return;
      }
      const label = overlay.text('skip');
      setWords(words, label);
      host.ariaLabel = label;
      host.role = 'link';
      // Our stop is before the page's own stops, wherever our element is in the tree.
      host.tabIndex = 1;
      overlay.showInPlace(words);
    },
  };
}
