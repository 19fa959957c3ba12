/**
 * Bounds the numbers of which a tab learns what the team knows. An agent points at a few in a minute; a content script
 * that was taken over could ask for every number that exists.
 */
const maxNumbers = 60;
const periodMs = 60_000;

/** By tab: its numbers, and when each was first asked for. */
const askedBy = new Map<number, Map<string, number>>();

/** A number that the tab asked for within the minute counts once. */
export function mayAskAbout(number: string, tabId: number): boolean {
  const now = Date.now();
  for (const [tab, asked] of askedBy) {
    for (const [each, at] of asked) if (at + periodMs <= now) asked.delete(each);
    if (asked.size === 0) askedBy.delete(tab);
  }
  const asked = askedBy.get(tabId) ?? new Map<string, number>();
  if (asked.has(number)) return true;
  if (asked.size >= maxNumbers) return false;
  askedBy.set(tabId, asked.set(number, now));
  return true;
}
