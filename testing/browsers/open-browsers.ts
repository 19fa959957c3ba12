/** The browsers that this process launched and has not closed, for the report of a failed story. */
import type { Tab, TestBrowser } from './browser.ts';

const open = new Set<TestBrowser>();

/** Notes a browser until it is closed. @returns the browser to use. */
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

/** What is on every open tab, as text: its address, the start of what can be read there, and its console's errors. */
export async function describeOpenTabs(): Promise<string> {
  const lines: string[] = [];
  for (const browser of open) {
    const tabs = await browser.openTabs().catch((error) => void lines.push(`${browser.name}: ${error}`));
    for (const tab of tabs ?? []) lines.push(await within(5_000, wordsOf(browser, tab)));
  }
  return lines.join('\n');
}

const mostText = 800;

async function wordsOf(browser: TestBrowser, tab: Tab): Promise<string> {
  const [address, seen] = await Promise.all(
    [tab.url(), tab.text('body')].map((asked) => asked.catch((error) => `(unknown: ${error})`)),
  );
  const text = seen!.replace(/\s*\n\s*/g, ' | ').slice(0, mostText);
  return [`--- ${browser.name}: ${address}`, text, ...tab.errors().map((error) => `console: ${error}`)].join(
    '\n',
  );
}

/** A tab that hangs must not hide the others. */
function within(milliseconds: number, telling: Promise<string>): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, '--- a tab that does not answer');
    void telling.then(resolve, (error) => resolve(`--- ${error}`)).finally(() => clearTimeout(timer));
  });
}
