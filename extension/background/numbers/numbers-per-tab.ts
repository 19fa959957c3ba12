/** How many numbers each tab shows, by frame. Lost with the background until frames report again: a hint, not a record. */
const found = new Map<number, Map<number, number>>();
const listeners = new Set<() => void>();

export function onFound(listener: () => void): void {
  listeners.add(listener);
}

export function setFound(tabId: number, frameId: number, count: number): void {
  const frames = found.get(tabId) ?? new Map<number, number>();
  // A top frame that reports is a new page, or the same one again: its frames will report too.
  frames.set(frameId, count);
  found.set(tabId, frames);
  for (const listener of listeners) listener();
}

export function numbersFound(tabId: number): number {
  return [...(found.get(tabId)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
}

export function forgetFound(tabId: number): void {
  found.delete(tabId);
}
