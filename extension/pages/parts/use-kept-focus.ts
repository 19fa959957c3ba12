import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the focus in a part of a page if the focused element is removed, such as a pressed button. Otherwise an agent
 * who works by keyboard would be at the top of the page again.
 * @param selector of the elements that may get the focus in that part; the first one gets it.
 * @returns the part's ref.
 */
export function useKeptFocus<Part extends HTMLElement>(selector: string) {
  const part = useRef<Part>(null);
  // Read now, because this rendering may remove the focused element.
  const focused = part.current?.contains(document.activeElement) ? document.activeElement : null;
  useLayoutEffect(() => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return;
    part.current?.querySelector<HTMLElement>(selector)?.focus();
  });
  return part;
}
