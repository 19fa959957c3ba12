/**
 * Gets each element's computed style once. Style objects are costly for the garbage collector, and long blocks repeat
 * elements.
 */

export type StyleOf = (element: Element) => CSSStyleDeclaration;

/**
 * The most styles that are kept. The elements around a text are few. All styles of a long block would need more memory
 * than its text.
 */
const maxKept = 256;

/** @returns live styles: each reading of a property gives what the page has at that time. */
export function createStyleReader(): StyleOf {
  const known = new Map<Element, CSSStyleDeclaration>();
  return (element) => {
    let style = known.get(element);
    if (style) return style;
    if (known.size >= maxKept) known.clear();
    style = getComputedStyle(element);
    known.set(element, style);
    return style;
  };
}
