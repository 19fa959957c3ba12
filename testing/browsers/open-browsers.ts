/** The browsers that this process has open, for the report of a failed test. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Tab, TestBrowser } from './browser.ts';

const open = new Set<TestBrowser>();

/** Keeps a browser in the list until it is closed. @returns the browser to use. */
export function trackOpen<B extends TestBrowser>(browser: B): B {
  const launched: B = {
    ...browser,
    async close() {
      open.delete(launched);
      await browser.close();
    },
  };
  open.add(launched);
  return launched;
}

/** Describes every open tab: its address, the start of its text, and the errors in its console. */
export async function describeOpenTabs(): Promise<string> {
  const lines: string[] = [];
  for (const browser of open) {
    const tabs = await browser.openTabs().catch((error) => void lines.push(`${browser.name}: ${error}`));
    // The report must not wait for a tab that hangs.
    const late = () => wait(5_000, `--- ${browser.name}: a tab that does not reply`, { ref: false });
    for (const tab of tabs ?? [])
      lines.push(await Promise.race([describeTab(browser, tab).catch(String), late()]));
  }
  return lines.join('\n');
}

const maxTextLength = 800;

async function describeTab(browser: TestBrowser, tab: Tab): Promise<string> {
  const [address, seen] = await Promise.all(
    [tab.url(), tab.text('body')].map((asked) => asked.catch((error) => `(unknown: ${error})`)),
  );
  const text = seen!.replace(/\s*\n\s*/g, ' | ').slice(0, maxTextLength);
  return [`--- ${browser.name}: ${address}`, text, ...tab.errors().map((error) => `console: ${error}`)].join(
    '\n',
  );
}
