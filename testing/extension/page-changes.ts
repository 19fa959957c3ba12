/** Sends messages to our own pages as the background does, in a test without a background. */
import type { BackgroundToPages } from '../../extension/messages/pages.ts';

type Listener = (message: unknown) => void;
const listeners = new Set<Listener>();

/** Stands in for `browser.runtime.onMessage`. */
export const onMessage = {
  addListener: (listener: Listener) => void listeners.add(listener),
  removeListener: (listener: Listener) => void listeners.delete(listener),
};

/** Reports a change to every page that listens. */
export function publishChange(what: BackgroundToPages['what']): void {
  for (const listener of [...listeners]) listener({ type: 'background.changed', what });
}

/** Before another page of the same test file. */
export const forgetListeners = () => listeners.clear();
