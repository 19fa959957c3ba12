import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the focus in a list when the row that has it is removed: the next row takes it, else the one before. Without
 * it, an agent who works by keyboard is back at the top of the page.
 * @param selector what takes the focus in another row.
 * @param emptyId the element that takes the focus from the only row.
 * @returns the row's ref.
 */
export function usePassFocusOn<Row extends HTMLElement>(selector: string, emptyId: string) {
  const ref = useRef<Row>(null);
  useLayoutEffect(
    () => () => {
      // The row is still in the page here.
      const row = ref.current;
      if (!row?.contains(document.activeElement)) return;
      const other = (row.nextElementSibling ?? row.previousElementSibling)?.querySelector<HTMLElement>(
        selector,
      );
      (other ?? document.getElementById(emptyId))?.focus();
    },
    [selector, emptyId],
  );
  return ref;
}
