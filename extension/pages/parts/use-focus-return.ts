import { useRef } from 'preact/hooks';

/**
 * Remembers which element has the focus before a question takes it.
 * @param element another element to return to: a button that its own press disabled has already lost the focus.
 * @returns a function that gives the focus back, for an agent who works by keyboard.
 */
export function useFocusReturn(element: Element | null = document.activeElement): () => void {
  const before = useRef(element);
  return () => before.current instanceof HTMLElement && before.current.focus();
}
