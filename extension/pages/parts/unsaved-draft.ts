/**
 * Keeps what was typed and not saved yet until the browser closes: a popup closes at the first click beside it. Web
 * pages and content scripts cannot read the browser's session storage.
 */
import { useEffect, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';

const keyOf = (name: string) => `draft:${name}`;

export async function readDraft<T>(name: string): Promise<T | undefined> {
  const key = keyOf(name);
  return (await browser.storage.session.get(key))[key] as T | undefined;
}

/** @param draft undefined after it was saved or given up. */
export function keepDraft(name: string, draft: unknown): void {
  const { session } = browser.storage;
  const key = keyOf(name);
  void (draft === undefined ? session.remove(key) : session.set({ [key]: draft }));
}

/** Calls back with the draft, first when it was read and then whenever this page or another one changes it. */
export function useDraftReader<T>(name: string, callback: (draft: T | undefined) => void): void {
  useEffect(() => {
    const read = () => void readDraft<T>(name).then(callback);
    const changed = (changes: object) => keyOf(name) in changes && read();
    const { onChanged } = browser.storage.session;
    read();
    onChanged.addListener(changed);
    return () => onChanged.removeListener(changed);
  }, [name, callback]);
}

/** The present draft. It also follows changes in another part of the page, or in another window. */
export function useDraft<T>(name: string): T | undefined {
  const [draft, setDraft] = useState<T>();
  useDraftReader<T>(name, setDraft);
  return draft;
}
