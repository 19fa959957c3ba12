import type { TestBrowser } from '../testing/browsers/browser.ts';
import { buildStale, type Part } from './build.ts';

const parts = ['chrome', 'widget', 'crm'] as const satisfies Part[];
type Reloadable = Pick<TestBrowser, 'extensionOrigin' | 'newTab' | 'openTabs' | 'reloadExtension'>;

/**
 * Builds what is stale, and reloads the extension and the pages that show it.
 * @returns the parts that were built.
 * @throws Error of a failed build.
 */
export async function rebuild(
  browser: Reloadable,
  build: (parts: readonly Part[]) => Promise<Part[]> = buildStale,
): Promise<Part[]> {
  const built = await build(parts);
  if (built.includes('chrome')) await reloadExtension(browser);
  if (built.length > 0)
    for (const tab of await browser.openTabs()) if (/^https?:/.test(await tab.url())) await tab.reload();
  return built;
}

/**
 * The browser closes the extension's own pages when the extension is reloaded. The pages that were open are opened
 * again.
 */
async function reloadExtension(browser: Reloadable): Promise<void> {
  const own = async () => {
    const urls = await Promise.all((await browser.openTabs()).map((tab) => tab.url()));
    return urls.filter((url) => url.startsWith(`${browser.extensionOrigin}/`));
  };
  const before = await own();
  await browser.reloadExtension();
  const after = new Set(await own());
  for (const url of before) if (!after.has(url)) await browser.newTab(url);
}
