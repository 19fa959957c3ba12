/** Small helpers for elements: ours, and the focused one of the page. */
import { shadowRootOf } from './shadow-roots.ts';

/** Makes an element of our overlay, with a class. */
export function overlayElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  kind: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = kind;
  made.append(...content);
  return made;
}
export const div = (kind: string, ...content: (Node | string)[]) => overlayElement('div', kind, ...content);
export const divIf = (kind: string, content: string | false | undefined) =>
  content ? div(kind, content) : '';

export const hasInertAttribute = (element: Element): boolean => element.matches('[inert]');

/** The focused element, also inside shadow roots. */
export function deepActiveElement(): Element | null {
  let active = document.activeElement;
  for (let inner = shadowRootOf(active); inner?.activeElement; inner = shadowRootOf(active))
    active = inner.activeElement;
  return active;
}
