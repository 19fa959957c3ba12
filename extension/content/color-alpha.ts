/** Alpha of a computed colour: `rgba(1, 2, 3, 0.5)`, `color(srgb 0 0 0 / 0.5)`; 1 where it names none. */
export function alphaOf(color: string): number {
  const [, alpha = 1] = /^rgba\(.*,\s*([\d.e-]+)\)$/.exec(color) ?? /\/\s*([\d.e-]+)\)$/.exec(color) ?? [];
  return Number(alpha);
}
