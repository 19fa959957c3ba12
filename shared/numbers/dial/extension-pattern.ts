/** Internal extensions, as an administrator writes them: plain digits, or Asterisk's `_` patterns. */

const CLASSES: Readonly<Record<string, string>> = { X: '0123456789', Z: '123456789', N: '23456789' };

/** Whether `digits` is the extension that `pattern` names: `1105`, `_1XXX`, `_[2-4]XX` (X 0-9, Z 1-9, N 2-9). */
export function matchesExtensionPattern(pattern: string, digits: string): boolean {
  if (!pattern.startsWith('_')) return pattern === digits;
  let position = 0;
  for (let at = 1; at < pattern.length; at++) {
    let allowed: string = CLASSES[pattern[at]!.toUpperCase()] ?? pattern[at]!;
    if (pattern[at] === '[') {
      const close = pattern.indexOf(']', at);
      if (close < 0) return false;
      allowed = expand(pattern.slice(at + 1, close));
      at = close;
    }
    const digit = digits[position++];
    if (digit === undefined || !allowed.includes(digit)) return false;
  }
  return position === digits.length && position > 0;
}

/** `2-47` is 2, 3, 4 and 7. */
function expand(ranges: string): string {
  let all = '';
  for (let at = 0; at < ranges.length; at++) {
    if (ranges[at + 1] === '-' && at + 2 < ranges.length) {
      for (let digit = Number(ranges[at]); digit <= Number(ranges[at + 2]); digit++) all += digit;
      at += 2;
    } else all += ranges[at];
  }
  return all;
}
