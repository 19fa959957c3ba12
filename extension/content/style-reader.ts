/** Reads each element's computed style once: style objects are dear to collect, and long blocks repeat elements. */

export type StyleOf = (element: Element) => CSSStyleDeclaration;

/** The elements around a text are few. Keeping all of a long block would cost more memory than its text. */
const maxKept = 256;

/** @returns styles that show what the page has at the time of each reading of a property. */
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
