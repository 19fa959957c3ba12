/** Small helpers for elements: ours, and the focused one of the page. */
import { shadowRootOf } from './shadow-roots.ts';

/** Makes an element of our overlay, with a class and perhaps a text. */
export function overlayElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  kind: string,
  words?: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = kind;
  if (words) setWords(made, words);
  return made;
}
export const div = (kind: string, words?: string) => overlayElement('div', kind, words);
/**
 * Shows words in our overlay, as generated content. `window.find` of the page would find a text in our closed root, and
 * Firefox (153) would give the page its node.
 */
export function setWords(element: HTMLElement, words: string): void {
  element.dataset.words = words;
}
export const divIf = (kind: string, content: string | false | undefined) =>
  content ? div(kind, content) : undefined;

/**
 * Gives an element these parts. Parts that stay keep their order and are not moved: a moved button loses the focus, and
 * seems brought under the resting pointer.
 * @returns whether a part was added or removed
 */
export function setParts(element: Element, parts: readonly Node[]): boolean {
  let hasChanged = false;
  for (const part of [...element.childNodes])
    if (!parts.includes(part)) {
      part.remove();
      hasChanged = true;
    }
  let next: Node | null = null;
  for (const part of parts.toReversed()) {
    if (part.parentNode !== element) {
      element.insertBefore(part, next);
      hasChanged = true;
    }
    next = part;
  }
  return hasChanged;
}

export const hasInertAttribute = (element: Element): boolean => element.matches('[inert]');

/** The focused element, also inside shadow roots. */
export function deepActiveElement(): Element | null {
  let active = document.activeElement;
  for (let inner = shadowRootOf(active); inner?.activeElement; inner = shadowRootOf(active))
    active = inner.activeElement;
  return active;
}
