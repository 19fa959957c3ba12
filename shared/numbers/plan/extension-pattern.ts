/** Internal extensions, as an administrator writes them: plain digits, or Asterisk's `_` patterns. */

import { memoize } from '../memoize.ts';

const digitClasses: Readonly<Record<string, string>> = { X: '\\d', Z: '[1-9]', N: '[2-9]' };

/** Whether `digits` is the extension that `pattern` names: `1105`, `_1XXX`, `_[2-4]XX` (X 0-9, Z 1-9, N 2-9). */
export function matchesExtensionPattern(pattern: string, digits: string): boolean {
  if (!pattern.startsWith('_')) return pattern === digits;
  return compiled(pattern)?.test(digits) ?? false;
}

/** @returns undefined if the text is not a pattern. It then does not match any digits. */
function compile(body: string): RegExp | undefined {
  if (!/^(?:[\dXZN]|\[[\d-]+\])+$/i.test(body)) return undefined;
  try {
    return new RegExp(`^${body.replace(/[XZN]/gi, (letter) => digitClasses[letter.toUpperCase()]!)}$`);
  } catch {
    return undefined; // a range out of order, [4-2]
  }
}

const compiled = memoize((pattern: string) => compile(pattern.slice(1)), 1000);
