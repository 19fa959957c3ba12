import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the focus in a list when its focused row is removed: the next row gets it, else the row before. Otherwise an
 * agent who works by keyboard would be at the top of the page again.
 * @param selector of the element in another row that gets the focus.
 * @param emptyId the element that gets the focus if there is no other row. If that is disabled, as by a policy, its
 * section gets it.
 * @returns the row's ref.
 */
export function usePassFocusOn<Row extends HTMLElement>(selector: string, emptyId: string) {
  const ref = useRef<Row>(null);
  useLayoutEffect(
    () => () => {
      // At this time the row is still in the page.
      const row = ref.current;
      if (!row?.contains(document.activeElement)) return;
      const other = (row.nextElementSibling ?? row.previousElementSibling)?.querySelector<HTMLElement>(
        selector,
      );
      const next = other ?? document.getElementById(emptyId);
      (next?.matches(':disabled') ? next.closest<HTMLElement>('section') : next)?.focus();
    },
    [selector, emptyId],
  );
  return ref;
}
