/** Reports when the page begins or ends to cover a part of ours. */
import { coverOf } from './cover.ts';
import { isFirefox } from './shadow-roots.ts';
import type { TopLayer } from './top-layer.ts';

/**
 * The longest random pause between two searches for covers, as Firefox (153) does not report them. A page cannot
 * foresee a search and uncover our part for it.
 */
const maxCoverIntervalMs = 250;
/** The largest share of the time that searches for covers may take on a page of many elements. */
const maxCoverShare = 0.05;

interface CoverReport extends IntersectionObserverEntry {
  /** Firefox (153) has no such property. */
  isVisible?: boolean;
}

export function watchCovers(
  { host, readLayers }: Pick<TopLayer, 'host' | 'readLayers'>,
  parts: readonly HTMLElement[],
  onCover: (part: HTMLElement, isCovered: boolean) => void,
  signal: AbortSignal,
) {
  const covered = new Set<Element>();
  const setCovered = (part: HTMLElement, isCovered: boolean) => {
    if (covered.has(part) === isCovered) return;
    if (isCovered) covered.add(part);
    else covered.delete(part);
    onCover(part, isCovered);
  };
  const observe = (observed: readonly HTMLElement[], onReport?: () => void) => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isVisible } of entries as CoverReport[])
          if (isVisible !== undefined) setCovered(target as HTMLElement, !isVisible && target.isConnected);
        onReport?.();
      },
      { trackVisibility: true, delay: 100 } as IntersectionObserverInit,
    );
    for (const part of observed) observer.observe(part);
    return observer;
  };
  const observer = observe(parts);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  const look = async () => {
    clearTimeout(timer);
    if (!isFirefox || isLooking || signal.aborted || !parts.some((part) => part.isConnected)) return;
    isLooking = true;
    const start = performance.now();
    const layers = await readLayers();
    for (const part of parts) setCovered(part, part.isConnected && coverOf(part, host, layers) === 'covered');
    isLooking = false;
    const took = performance.now() - start;
    timer = setTimeout(look, Math.max(maxCoverIntervalMs * Math.random(), took / maxCoverShare));
  };
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    observer.disconnect();
  });

  return {
    /** Begins to look, where the browser does not report covers. */
    look,
    /** Waits for a new report on a part. On a busy page, the last report may be older than a cover. */
    report: (part: HTMLElement) =>
      new Promise<void>((onReport) => {
        // Messages that wait are handled first. One of them may report that a page of another site covers this frame.
        setTimeout(() => {
          const asked = observe([part], () => {
            asked.disconnect();
            onReport();
          });
        });
      }),
    isCovered: (part: Element) => covered.has(part),
  };
}
