import { vi } from 'vitest';

/** Counts the characters that searches read, or that are copied, while `act` runs. */
export async function charactersLookedAt(act: () => unknown): Promise<number> {
  let count = 0;
  const { exec } = RegExp.prototype;
  const { lastIndexOf, slice } = String.prototype;
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    const from = this.lastIndex;
    const found = exec.call(this, text);
    count += (found ? found.index + found[0].length : text.length) - from;
    return found;
  });
  vi.spyOn(String.prototype, 'lastIndexOf').mockImplementation(function (this: string, part, from) {
    const found = lastIndexOf.call(this, part, from);
    count += Math.min(from ?? this.length, this.length) - found;
    return found;
  });
  vi.spyOn(String.prototype, 'slice').mockImplementation(function (this: string, ...range) {
    const found = slice.apply(this, range);
    count += found.length;
    return found;
  });
  await act();
  vi.restoreAllMocks();
  return count;
}
