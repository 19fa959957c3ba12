/**
 * Messages between the content script and the background. If the extension is updated, disabled or removed, the script
 * keeps running as an orphan. Each of its API calls then throws. The AbortController then undoes everything, without a
 * line in the page's console.
 */
import type { ContentMessage, ContentReply, ContentRequest, ToContent } from '../messages/content.ts';
import type { Result } from '../messages/result.ts';

const api: typeof chrome = (globalThis as { browser?: typeof chrome }).browser ?? chrome;

export interface BackgroundConnection {
  /** False if the script is orphaned. The first check that finds this aborts everything. */
  isAlive(): boolean;
  /** Sends a request to the background. Never rejects: a background that cannot be reached is an `internal` error. */
  send<M extends ContentMessage>(type: M, fields: ContentRequest<M>): Promise<Result<ContentReply<M>>>;
  /** Replies to the background's messages with what `handle` resolves to. */
  onMessage(handle: (message: ToContent) => Promise<unknown>): void;
}

export function connectToBackground(controller: AbortController): BackgroundConnection {
  const { signal } = controller;
  const isAlive = (): boolean => {
    if (signal.aborted) return false;
    try {
      // An orphan's `runtime` has no id; in some versions reading it throws.
      if (api.runtime?.id) return true;
    } catch {}
    controller.abort();
    return false;
  };

  return {
    isAlive,
    async send(type, fields) {
      // If the background stopped while handling a message, the message is sent again. With the same click id, it is
      // the same call.
      for (let tries = 0; tries < 2; tries++) {
        try {
          if (isAlive()) {
            const reply = await api.runtime.sendMessage({ type, ...fields });
            if (reply?.ok !== undefined) return reply;
          }
        } catch {
          isAlive();
        }
      }
      return { ok: false, error: { code: 'internal' } };
    },
    onMessage(handle) {
      const listener = (
        message: ToContent,
        sender: chrome.runtime.MessageSender,
        reply: (value: unknown) => void,
      ) => {
        if (signal.aborted || sender.id !== api.runtime.id) return;
        void handle(message).then(reply);
        return true; // Keeps the channel open for a later reply, in both browsers.
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
