import { useCallback, useEffect, useRef } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { minuteMs } from '../../../shared/durations.ts';
import type { BackgroundToPages, PageMessage, PageReply, PageRequest } from '../../messages/pages.ts';
import { ok, type Refusal, type Result } from '../../messages/result.ts';
import { sendRequest } from './send-request.ts';
import { useLatest } from './use-latest.ts';

type LoadState<T> = { state: 'loading' } | { state: 'error'; error: Refusal } | { state: 'ready'; value: T };

type Change = BackgroundToPages['what'];

/** How long a page waits before it repeats a failed request. No event reports that a relay is back. */
export const tryAgainMs = 30_000;

/**
 * The background's reply to a request. The request is sent again whenever one of `changes` happens, and after a
 * failure.
 * @returns the reply, a function that replaces it, and one that asks again. Replies to a save carry the new state.
 */
export function useReply<M extends PageMessage>(
  type: M,
  fields: PageRequest<M>,
  changes: readonly Change[],
): [LoadState<PageReply<M>>, (value: PageReply<M>) => void, () => Promise<Result<PageReply<M>> | undefined>] {
  const { value, reload, replace } = useLatest(JSON.stringify(fields), () => sendRequest(type, fields));
  useChanges(changes, reload);
  useNewDay(changes.includes('calls'), reload);
  useTabChanges(changes.includes('tab'), reload);
  useWindowFocus(changes.includes('tab'), reload);
  useVisibleInterval(value?.ok === false && tryAgainMs, reload);
  const replaceValue = useCallback((newValue: PageReply<M>) => replace(ok(newValue)), [replace]);
  return [
    !value
      ? { state: 'loading' }
      : value.ok
        ? { state: 'ready', value: value.value }
        : { state: 'error', error: value.error },
    replaceValue,
    reload,
  ];
}

/** The last value of a reply, undefined before the first. It stays while a request fails or a newer one is sent. */
export function useLastRead<T>(reply: LoadState<T>) {
  const last = useRef<T | undefined>(undefined);
  if (reply.state === 'ready') last.current = reply.value;
  return last;
}

/**
 * Calls back if another tab is activated or a page was loaded. Open panels listen themselves: tabs then do not wake the
 * background while no panel is open.
 * @param ofTab the tab whose pages are reported; by default all tabs.
 */
export function useTabChanges(isEnabled: boolean, callback: () => void, ofTab?: number): void {
  useEffect(() => {
    if (!isEnabled) return;
    // An application may change the address without loading a page, and then shows another record.
    const loaded = (tabId: number, change: { status?: string; url?: string }) => {
      if (ofTab !== undefined && tabId !== ofTab) return;
      if (change.status === 'complete' || change.url !== undefined) callback();
    };
    browser.tabs.onActivated.addListener(callback);
    browser.tabs.onUpdated.addListener(loaded);
    return () => {
      browser.tabs.onActivated.removeListener(callback);
      browser.tabs.onUpdated.removeListener(loaded);
    };
  }, [isEnabled, callback, ofTab]);
}

/**
 * Calls back if the agent goes to another window. Its tab is then the active one, but no tab was activated. Each window
 * may have an open panel.
 */
function useWindowFocus(isEnabled: boolean, callback: () => void): void {
  useEffect(() => {
    if (!isEnabled) return;
    const { windows } = browser;
    const focused = (windowId: number) => windowId !== windows.WINDOW_ID_NONE && callback();
    windows.onFocusChanged.addListener(focused);
    return () => windows.onFocusChanged.removeListener(focused);
  }, [isEnabled, callback]);
}

/** Calls back at an interval while the page is visible. @param ms false for never. */
export function useVisibleInterval(ms: number | false, callback: () => void): void {
  useEffect(() => {
    if (ms === false) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && callback(), ms);
    return () => clearInterval(timer);
  }, [ms, callback]);
}

/** Calls back within a minute after midnight: a side panel stays open for days, and shows the calls of today. */
function useNewDay(isEnabled: boolean, callback: () => void): void {
  useEffect(() => {
    if (!isEnabled) return;
    let day = new Date().toDateString();
    const timer = setInterval(() => {
      const today = new Date().toDateString();
      if (today !== day) callback();
      day = today;
    }, minuteMs);
    return () => clearInterval(timer);
  }, [isEnabled, callback]);
}

/** Calls back if the background reports one of these changes. */
export function useChanges(changes: readonly Change[], callback: () => void): void {
  const wanted = changes.join();
  useEffect(() => {
    const listener = (message: unknown): undefined => {
      const { type, what } = message as Partial<BackgroundToPages>;
      if (type === 'background.changed' && what && wanted.split(',').includes(what)) callback();
    };
    browser.runtime.onMessage.addListener(listener);
    return () => browser.runtime.onMessage.removeListener(listener);
  }, [wanted, callback]);
}
