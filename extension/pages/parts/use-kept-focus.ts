import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the focus in a part of a page when the element that has it is removed, such as a button by its own press.
 * Without it, an agent who works by keyboard is back at the top of the page.
 * @param selector what takes the focus in that part, the first one that is there.
 * @returns the part's ref.
 */
export function useKeptFocus<Part extends HTMLElement>(selector: string) {
  const part = useRef<Part>(null);
  // Read before this rendering removes it.
  const focused = part.current?.contains(document.activeElement) ? document.activeElement : null;
  useLayoutEffect(() => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return;
    part.current?.querySelector<HTMLElement>(selector)?.focus();
  });
  return part;
}
