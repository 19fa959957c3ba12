/** What moves by itself: one timer every two seconds drives the feed, "last seen" and the number of the support desk. */
import { useEffect, useState } from 'preact/hooks';

const beatMilliseconds = 2000;

/** Beats since the page was opened; always 0 when `still`. */
export function useBeat(still: boolean): number {
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    if (still) return;
    const timer = setInterval(() => setBeat((count) => count + 1), beatMilliseconds);
    return () => clearInterval(timer);
  }, [still]);
  return beat;
}

/** Changes in place, in one text node: what was a number there a moment ago is another one now. */
export const onCallNumbers = ['+55 11 3350-4177', '+55 21 2555-7310', '+55 41 3350-2288'] as const;

/** "just now", "12 s ago", "3 min ago". */
export function ago(seconds: number): string {
  if (seconds < 4) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  return `${Math.floor(seconds / 60)} min ago`;
}

export const secondsOf = (beats: number) => (beats * beatMilliseconds) / 1000;
