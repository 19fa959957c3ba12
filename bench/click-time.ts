/** When a person's click in a page was made, by the page's own clock. */
import type { Tab } from '../testing/browsers/browser.ts';

/** Begins to note the clicks. By the release: a click on a marked number is ours, and the page gets no event of it. */
export const watchClicks = (tab: Tab): Promise<unknown> =>
  tab.evaluate(
    `addEventListener('pointerup', ({ timeStamp }) => { window.clickedAt = performance.timeOrigin + ` +
      'timeStamp; }, true)',
  );

/** The time of the newest click, in milliseconds since the epoch. @throws Error where there was none. */
export async function clickedAt(tab: Tab): Promise<number> {
  const at = await tab.evaluate<number | null>('window.clickedAt ?? null');
  if (at === null) throw new Error('the page saw no click');
  return at;
}
