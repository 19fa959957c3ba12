/** What every application's stories ask of a page with and without us. */
import type { Tab } from '../../testing/browsers/browser.ts';
import { ask } from '../../testing/extension/ask-background.ts';
import { expect } from '../fixtures.ts';

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
