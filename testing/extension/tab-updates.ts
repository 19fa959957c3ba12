/** The events of the browser's tabs that our pages listen to, in memory. */

type Updated = (tabId: number, change: { status?: string }) => void;
const listeners = new Set<Updated>();

export const tabEvents = {
  onActivated: { addListener() {}, removeListener() {} },
  onUpdated: {
    addListener: (listener: Updated) => void listeners.add(listener),
    removeListener: (listener: Updated) => void listeners.delete(listener),
  },
};

/** As the browser reports that a tab has loaded a page. */
export function reportLoaded(tabId: number): void {
  for (const listener of listeners) listener(tabId, { status: 'complete' });
}
