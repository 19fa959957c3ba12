import type { Tab } from '../browsers/browser.ts';
import { until } from '../until.ts';

/** Answers a question with yes, as soon as the button is enabled. Then waits until the question has gone. */
export async function confirmDestructive(page: Tab, id: string): Promise<void> {
  await until(() => page.count(`#${id}-yes:enabled`), `the yes to ${id}`);
  await page.click(`#${id}-yes`);
  await until(async () => (await page.count(`#${id}-yes`)) === 0, `the end of the question ${id}`);
}
