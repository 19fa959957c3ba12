/** Reports when the page begins or ends to cover a part of ours. */
import { coverOf } from './cover.ts';
import { isFirefox } from './shadow-roots.ts';
import type { TopLayer } from './top-layer.ts';

/**
 * Firefox (153) does not report covers: they are looked for while something of ours is shown, at random, so that a page
 * cannot uncover it each time.
 */
const maxCoverIntervalMs = 250;
/** A search for covers may take so much of the time, on a page of many elements. */
const maxCoverShare = 0.05;

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
  const observer = new IntersectionObserver(
    (entries) => {
      // Firefox (153) has no such property.
      for (const { target, isVisible } of entries as (IntersectionObserverEntry & { isVisible?: boolean })[])
        if (isVisible !== undefined) setCovered(target as HTMLElement, !isVisible && target.isConnected);
    },
    { trackVisibility: true, delay: 100 } as IntersectionObserverInit,
  );
  for (const part of parts) observer.observe(part);
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
    isCovered: (part: Element) => covered.has(part),
  };
}
