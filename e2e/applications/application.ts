/** What every application's stories ask of a page with and without us. */
import { callable } from '../../testing/applications/people.ts';
import type { Tab } from '../../testing/browsers/browser.ts';
import { Cleanup } from '../../testing/cleanup.ts';
import { ask, ownPage, resetExtension } from '../../testing/extension/ask-background.ts';
import { clickNumber } from '../../testing/extension/marked-numbers.ts';
import { expect, test } from '../fixtures.ts';

/** The first start of an application makes its tables, of Directus ninety: minutes on a busy machine. */
const startTimeoutMs = 600_000;

interface RunningApplication {
  logIn(tab: Tab, host: string): Promise<void>;
}

/** Filled before the first story of a file. */
interface OpenedApplication<Application> {
  application: Application;
  own: Tab;
  /** The same application with us and, under another name, without. */
  withUs: Tab;
  withoutUs: Tab;
}

/** Starts an application for the stories of a file, and logs in with us and without. */
export function openApplication<Application extends RunningApplication>(
  start: (cleanup: Cleanup) => Promise<Application>,
): OpenedApplication<Application> {
  const cleanup = new Cleanup();
  const opened = {} as OpenedApplication<Application>;
  test.beforeAll(async ({ workstation }) => {
    test.setTimeout(startTimeoutMs);
    opened.application = await start(cleanup);
    await resetExtension(workstation);
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
    opened.own = await ownPage(workstation);
    opened.withoutUs = await workstation.browser.newTab();
    await opened.application.logIn(opened.withoutUs, 'localhost');
    opened.withUs = await workstation.browser.newTab();
    await opened.application.logIn(opened.withUs, '127.0.0.1');
  });
  test.afterAll(async () => {
    for (const tab of [opened.withUs, opened.withoutUs]) await tab?.close();
    await cleanup.run();
  });
  return opened;
}

/** Adds the stories of an application's views: just their numbers are marked, and the callable one of `list` dials. */
export function addStoriesOfViews<View extends string>(
  opened: OpenedApplication<{ url(view: View, host?: string): string }>,
  shownPhones: Readonly<Record<View, readonly string[]>>,
  list: View,
): void {
  for (const view of Object.keys(shownPhones) as View[])
    test(`the numbers of its ${view} are marked, with no id among them`, async () => {
      const { application, own, withUs, withoutUs } = opened;
      await withoutUs.goto(application.url(view, 'localhost'));
      await withUs.goto(application.url(view));
      await withUs.activate();
      await expectMarked(own, application.url(view), shownPhones[view]);
      expectNoOwnErrors(withUs, withoutUs);
    });

  test(`a number of its ${list} is dialled`, async ({ calls }) => {
    const { application, own, withUs } = opened;
    await withUs.goto(application.url(list));
    await withUs.activate();
    await expectMarked(own, application.url(list), shownPhones[list]);
    await calls.expectOnly(() => clickNumber(withUs, callable.text), callable.to);
  });
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Digits of every number marked in the tab whose address begins so, in all its frames. */
async function markedNumbers(own: Tab, address: string): Promise<string[]> {
  const tabId = await own.evaluate<number | null>(`(globalThis.browser ?? chrome).tabs.query({})
    .then((tabs) => tabs.find(({ url }) => url?.startsWith(${JSON.stringify(address)}))?.id ?? null)`);
  if (tabId === null) return [];
  const { value } = await ask<{ source: { text: string } }[]>(own, { type: 'page.numbersOnPage', tabId });
  return [...new Set(value.map(({ source }) => digitsOf(source.text)))].sort();
}

/** Fails unless just these numbers are marked, each as it is written: one that is not is lost, any other is false. */
export async function expectMarked(own: Tab, address: string, wanted: readonly string[]): Promise<void> {
  const digits = [...new Set(wanted.map(digitsOf))].sort();
  await expect.poll(() => markedNumbers(own, address)).toEqual(digits);
}

/** Fails where the console has an error that it has not without us. */
export function expectNoOwnErrors(withUs: Tab, withoutUs: Tab): void {
  const known = withoutUs.errors().map(withoutHost);
  expect(withUs.errors().filter((error) => !known.includes(withoutHost(error)))).toEqual([]);
}

const withoutHost = (error: string) => error.replaceAll(/127\.0\.0\.1|localhost/g, 'host');
