/** Sets the extension up as its user does: on its options page, by clicks and keys. The one place that knows its fields. */
import type { Page } from 'playwright';
import type { DemoBrowser } from './open-browser.ts';

export interface ExtensionSetup {
  relayUrl: string;
  agentKey: string;
  /** Extension of the agent. */
  from: string;
  /** Of numbers written without one. */
  country: string;
  /** Site to mark numbers on. */
  host: string;
}

export async function configureExtension(browser: DemoBrowser, setup: ExtensionSetup): Promise<void> {
  const hosts = new Set([setup.host, new URL(setup.relayUrl).hostname]);
  for (const host of hosts) await allowHost(browser, host);
  const page = await browser.context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${browser.extensionOrigin}/extension/pages/options/index.html`);

  // A tab in the background draws nothing, and a click waits for it to draw.
  const click = async (selector: string) => {
    await page.bringToFront();
    await page.locator(selector).click();
  };

  await click('#mode-relay');
  await page.locator('#relay-url').fill(setup.relayUrl);
  await page.locator('#agent-from').fill(setup.from);
  await page.locator('#country').selectOption(setup.country);
  await click('#save');
  await page.locator('#saved').waitFor();

  await page.locator('#agent-key').fill(setup.agentKey);
  await click('#save-agent-key');
  await page.locator('#agent-key-state[data-state=saved]').waitFor();

  await page.locator('#site-host').fill(setup.host);
  await click('#add-site');
  await page.locator('#sites [data-state=enabled]', { hasText: setup.host }).waitFor();
  await waitForPermission(page, setup.host);
  await page.close();
}

/**
 * Lets the next `permissions.request` for this host succeed without the native prompt, which no page can click
 * (Chromium 156); the click that asks is still a real one.
 */
async function allowHost(browser: DemoBrowser, host: string): Promise<void> {
  const page = await browser.context.newPage();
  // Its interface takes seconds to draw; its API is there at once.
  await page.goto('chrome://extensions/', { waitUntil: 'commit' });
  await page.waitForFunction(
    () => 'developerPrivate' in (globalThis as unknown as { chrome: object }).chrome,
  );
  await page.evaluate(
    ([id, pattern]) => {
      const { chrome } = globalThis as unknown as {
        chrome: { developerPrivate: { addHostPermission(id: string, pattern: string): Promise<void> } };
      };
      return chrome.developerPrivate.addHostPermission(id, pattern);
    },
    [new URL(browser.extensionOrigin).host, `*://${host}/*`] as const,
  );
  await page.close();
}

async function waitForPermission(page: Page, host: string): Promise<void> {
  await page.waitForFunction(
    (origin) =>
      (
        globalThis as unknown as { chrome: { permissions: { contains(p: object): Promise<boolean> } } }
      ).chrome.permissions.contains({ origins: [origin] }),
    `*://${host}/*`,
  );
}
