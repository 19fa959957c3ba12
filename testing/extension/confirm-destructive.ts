import type { Tab } from '../browsers/browser.ts';
import { until } from '../until.ts';

/** Says yes to the question with this id, which ignores clicks in its first half second. */
export async function confirmDestructive(page: Tab, id: string): Promise<void> {
  await until(async () => {
    if ((await page.count(`#${id}-yes`)) === 0) return true;
    await page.click(`#${id}-yes`).catch(() => {}); // It may have gone just now.
    return false;
  }, `the yes to ${id}`);
}
