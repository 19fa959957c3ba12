/** Internal extensions, as an administrator writes them: plain digits, or Asterisk's `_` patterns. */

const CLASSES: Readonly<Record<string, string>> = { X: '\\d', Z: '[1-9]', N: '[2-9]' };
const compiled = new Map<string, RegExp | undefined>();

/** Whether `digits` is the extension that `pattern` names: `1105`, `_1XXX`, `_[2-4]XX` (X 0-9, Z 1-9, N 2-9). */
export function matchesExtensionPattern(pattern: string, digits: string): boolean {
  if (!pattern.startsWith('_')) return pattern === digits;
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern.slice(1)));
  return compiled.get(pattern)?.test(digits) ?? false;
}

/** @returns undefined where it is no pattern, and so matches nothing. */
function compile(body: string): RegExp | undefined {
  if (!/^(?:[\dXZN]|\[[\d-]+\])+$/i.test(body)) return undefined;
  try {
    return new RegExp(`^${body.replace(/[XZN]/gi, (letter) => CLASSES[letter.toUpperCase()]!)}$`);
  } catch {
    return undefined; // a range out of order, [4-2]
  }
}
