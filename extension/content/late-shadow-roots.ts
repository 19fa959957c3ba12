/** Elements that may get a shadow root later. Attaching one causes no mutation record, so they are polled. */
import { closedRootOf, mayHideARoot, shadowRootOf } from './shadow-roots.ts';
import type { TimeSlicer } from './time-slicer.ts';

const intervalMs = 2_000;
const maxHosts = 2_000;

export function watchLateShadowRoots(signal: AbortSignal, onDue: () => void) {
  const hosts = new Set<WeakRef<Element>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  signal.addEventListener('abort', () => clearTimeout(timer));

  const start = () => {
    if (hosts.size === 0 || signal.aborted) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      isDue = true;
      onDue();
    }, intervalMs);
  };

  return {
    get isDue() {
      return isDue;
    },
    /** Remembers an element that has no root so far. */
    add(element: Element) {
      if (hosts.size >= maxHosts || !mayHideARoot(element)) return;
      hosts.add(new WeakRef(element));
      start();
    },
    /** @returns the roots that were attached since. */
    async find(slicer: TimeSlicer): Promise<ShadowRoot[]> {
      isDue = false;
      const found: ShadowRoot[] = [];
      for (const reference of hosts) {
        if (slicer.isDue()) await slicer.yieldToPage();
        const host = reference.deref();
        const root = host?.isConnected && (shadowRootOf(host) ?? closedRootOf(host));
        if (root) found.push(root);
        if (!root && host?.isConnected) continue;
        hosts.delete(reference);
      }
      start();
      return found;
    },
  };
}
