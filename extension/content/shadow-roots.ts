/** Finds shadow roots; closed ones are visible to extensions only. */
import { shadowHostNames } from './selectors.ts';

const htmlNamespace = 'http://www.w3.org/1999/xhtml';

type WithClosedRoots = Element & { openOrClosedShadowRoot?: ShadowRoot | null };

/** Open or closed root of an element. Looking up every `div` of a long page would cost more than scanning it. */
export function shadowRootOf(element: Element | null | undefined): ShadowRoot | null {
  if (element?.shadowRoot) return element.shadowRoot;
  return element && mayHideARoot(element) ? closedRootOf(element) : null;
}

/**
 * Open or closed root of any element. Only HTML elements have a root. Chrome's function is slow and accepts only HTML
 * elements.
 */
export function closedRootOf(element: Element): ShadowRoot | null {
  if (!canBeAHost(element) || element.namespaceURI !== htmlNamespace) return null;
  const root = isFirefox
    ? (element as WithClosedRoots).openOrClosedShadowRoot
    : chrome.dom?.openOrClosedShadowRoot(element as HTMLElement);
  return root ?? null;
}

/** Firefox has the property on every element, Chrome the function in `chrome.dom`. */
export const isFirefox = 'openOrClosedShadowRoot' in Element.prototype;

const isCustom = ({ localName }: Element) => localName.includes('-');
const canBeAHost = (element: Element) => shadowHostNames.has(element.localName) || isCustom(element);

/** True for a custom element, or a possible host without children. Only a closed root could show content there. */
export function mayHideARoot(element: Element): boolean {
  return isCustom(element) || (!element.firstChild && canBeAHost(element));
}
