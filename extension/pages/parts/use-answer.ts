import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import type { BackgroundToPages, PageMessage, Refusal, Reply, Request } from '../../messages.ts';
import { ask } from './ask.ts';

export type Answer<T> =
  | { state: 'loading' }
  | { state: 'error'; error: Refusal }
  | { state: 'ready'; value: T };

type Change = BackgroundToPages['what'];

/**
 * The background's answer to a question, asked again whenever it says that one of `changes` happened. What was shown stays
 * until the new answer is there, and an answer that was overtaken is dropped.
 * @returns the answer, and a function that puts another in its place (replies to a save carry the new state).
 */
export function useAnswer<M extends PageMessage>(
  type: M,
  fields: Request<M>,
  changes: readonly Change[],
): [Answer<Reply<M>>, (value: Reply<M>) => void] {
  const [answer, setAnswer] = useState<Answer<Reply<M>>>({ state: 'loading' });
  const turn = useRef(0);
  const key = JSON.stringify(fields);

  const refresh = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const result = await ask(type, JSON.parse(key) as Request<M>);
    if (mine !== turn.current) return;
    setAnswer(result.ok ? { state: 'ready', value: result.value } : { state: 'error', error: result.error });
  }, [type, key]);

  useEffect(() => void refresh(), [refresh]);
  useChanges(changes, refresh);
  useTabChanges(changes.includes('tab'), refresh);

  const replace = useCallback((value: Reply<M>) => {
    turn.current += 1;
    setAnswer({ state: 'ready', value });
  }, []);
  return [answer, replace];
}

/**
 * Calls back when another tab is in front or a page was loaded. A panel that stays open listens for itself: the background
 * is not woken by every tab of people who have no panel open.
 */
export function useTabChanges(wanted: boolean, callback: () => void): void {
  useEffect(() => {
    if (!wanted) return;
    const loaded = (_tabId: number, change: { status?: string }) => {
      if (change.status === 'complete') callback();
    };
    browser.tabs.onActivated.addListener(callback);
    browser.tabs.onUpdated.addListener(loaded);
    return () => {
      browser.tabs.onActivated.removeListener(callback);
      browser.tabs.onUpdated.removeListener(loaded);
    };
  }, [wanted, callback]);
}

/** Calls back when the background says that one of these changed. */
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
