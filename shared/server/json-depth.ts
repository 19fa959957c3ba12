/** Whether parsed JSON is nested deeper than `limit`. Walks without recursion: a hostile body must not end our stack. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const entry of level)
      if (typeof entry === 'object' && entry !== null) {
        for (const member of Object.values(entry))
          if (typeof member === 'object' && member !== null) next.push(member);
      }
    level = next;
  }
  return false;
}
