/**
 * The browser's own API object, and what becomes of us when the extension is updated, disabled or removed while the page
 * stays open: the script lives on as an orphan whose every API call throws. One AbortController undoes everything then,
 * silently: nothing of ours may show up in the page's console.
 */
import type { ContentMessage, Reply, Request, Result, ToContent } from '../messages.ts';

const api: typeof chrome = (globalThis as { browser?: typeof chrome }).browser ?? chrome;

export interface Runtime {
  /** False once orphaned; aborts everything on the first time it is noticed. */
  alive(): boolean;
  /** Never rejects: a background that cannot be reached is an `internal` error. */
  ask<M extends ContentMessage>(type: M, fields: Request<M>): Promise<Result<Reply<M>>>;
  /** Answers messages of the background with what `answer` resolves to. */
  listen(answer: (message: ToContent) => Promise<unknown>): void;
}

export function connectRuntime(controller: AbortController): Runtime {
  const { signal } = controller;
  const alive = (): boolean => {
    if (signal.aborted) return false;
    try {
      // An orphan's `runtime` has no id; in some versions reading it throws.
      if (api.runtime?.id) return true;
    } catch {}
    controller.abort();
    return false;
  };

  return {
    alive,
    async ask(type, fields) {
      // A background that is stopped over a message is asked once more: the click's id makes that the same call.
      for (let tries = 0; tries < 2; tries++) {
        try {
          if (alive()) {
            const reply = await api.runtime.sendMessage({ type, ...fields });
            if (typeof reply?.ok === 'boolean') return reply;
          }
        } catch {
          alive();
        }
      }
      return { ok: false, error: { code: 'internal' } };
    },
    listen(answer) {
      const listener = (
        message: ToContent,
        sender: chrome.runtime.MessageSender,
        reply: (value: unknown) => void,
      ) => {
        if (signal.aborted || sender.id !== api.runtime.id) return;
        void answer(message).then(reply);
        return true; // The reply comes later: both browsers take this form.
      };
      api.runtime.onMessage.addListener(listener);
      signal.addEventListener('abort', () => {
        try {
          api.runtime.onMessage.removeListener(listener);
        } catch {}
      });
    },
  };
}
