/**
 * What was typed and not saved yet, kept until the browser closes: a popup is gone at the first click beside it.
 * The browser's session storage is closed to web pages and content scripts.
 */
import browser from 'webextension-polyfill';

export async function readDraft<T>(name: string): Promise<T | undefined> {
  const key = `draft:${name}`;
  return (await browser.storage.session.get(key))[key] as T | undefined;
}

/** @param draft undefined once it was saved or given up. */
export function keepDraft(name: string, draft: unknown): void {
  const { session } = browser.storage;
  const key = `draft:${name}`;
  void (draft === undefined ? session.remove(key) : session.set({ [key]: draft }));
}
