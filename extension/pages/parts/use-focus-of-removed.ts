import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the focus in a list when its focused row is removed. The row in its place gets the focus, else the last row.
 * Otherwise an agent who works by keyboard would be at the top of the page again.
 * @param count how many rows there are.
 * @param emptyId the element that gets the focus if no row is left.
 * @returns the list's click handler. The buttons that remove a row have the class `remove-row`.
 */
export function useFocusOfRemoved(count: number, emptyId: string) {
  const pressed = useRef<{ list: Element; place: number } | undefined>(undefined);
  useLayoutEffect(() => {
    const { list, place } = pressed.current ?? {};
    pressed.current = undefined;
    if (!list || document.activeElement !== document.body) return;
    const next = removeButtons(list)[Math.min(place!, count - 1)];
    (next ?? document.getElementById(emptyId))?.focus();
  }, [count, emptyId]);
  return ({ currentTarget: list, target }: { currentTarget: Element; target: EventTarget | null }) => {
    if (!(target instanceof Element)) return;
    const place = removeButtons(list).indexOf(target.closest<HTMLElement>('.remove-row')!);
    pressed.current = place < 0 ? undefined : { list, place };
  };
}

const removeButtons = (list: Element) => [...list.querySelectorAll<HTMLElement>('.remove-row')];
