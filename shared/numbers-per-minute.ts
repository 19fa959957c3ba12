/** Limits how many numbers one asker may ask about. A number that was asked for within the minute counts once. */
import { minuteMs } from './durations.ts';

export class NumbersPerMinute<Asker> {
  /** When each number was first asked for, the oldest first. */
  private readonly askedBy = new Map<Asker, Map<string, number>>();

  constructor(private readonly maxNumbers: number) {}

  /** @returns false, and counts nothing, if these numbers are more than the asker has left. */
  admits(numbers: readonly string[], asker: Asker): boolean {
    // A clock that is set back would keep each number for longer.
    const now = performance.now();
    for (const [each, asked] of this.askedBy) {
      for (const [number, at] of asked) {
        if (at + minuteMs > now) break;
        asked.delete(number);
      }
      if (asked.size === 0) this.askedBy.delete(each);
    }
    const asked = this.askedBy.get(asker) ?? new Map<string, number>();
    const added = new Set(numbers.filter((number) => !asked.has(number)));
    if (asked.size + added.size > this.maxNumbers) return false;
    for (const number of added) asked.set(number, now);
    this.askedBy.set(asker, asked);
    return true;
  }
}
