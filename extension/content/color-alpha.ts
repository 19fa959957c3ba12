/**
 * Alpha of a computed colour: `rgba(1, 2, 3, 0.5)`, `color(srgb 0 0 0 / 0.5)`. It is 1 if the colour does not name it.
 */
export function alphaOf(color: string): number {
  const [, alpha = 1] = /^rgba\(.*,\s*([\d.e-]+)\)$/.exec(color) ?? /\/\s*([\d.e-]+)\)$/.exec(color) ?? [];
  return Number(alpha);
}
