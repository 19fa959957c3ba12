/**
 * Routes messages by trust: what a content script may request, and what only our own pages may request. Each request is
 * parsed by its schema, and its sender is checked. The reply is always a `Result`, because thrown errors lose their
 * fields on the way.
 */
import type { Runtime } from 'webextension-polyfill';
import {
  type ContentMessage,
  type ContentReply,
  type ContentRequest,
  contentMessages,
} from '../messages/content.ts';
import { type PageMessage, type PageReply, type PageRequest, pageMessages } from '../messages/pages.ts';
import { type Result, refuse } from '../messages/result.ts';
import type { ContentSender } from './senders.ts';

export type ContentHandlers = {
  [M in ContentMessage]: (
    request: ContentRequest<M>,
    sender: ContentSender,
  ) => Promise<Result<ContentReply<M>>>;
};
export type PageHandlers = {
  [M in PageMessage]: (request: PageRequest<M>) => Promise<Result<PageReply<M>>>;
};
type AnyReply = ContentReply<ContentMessage> | PageReply<PageMessage>;
/** A handler of some message, once the message has passed that message's own schema. */
type AnyHandler = (request: unknown, sender?: ContentSender) => Promise<Result<AnyReply>>;

export interface RouterParts {
  content: ContentHandlers;
  page: PageHandlers;
  isOwnPage: (sender: Runtime.MessageSender) => boolean;
  contentSender: (sender: Runtime.MessageSender) => Promise<ContentSender | undefined>;
  openPanel: (sender: Runtime.MessageSender) => void;
}

/**
 * @returns the listener for `runtime.onMessage`. For a message that is not ours, it returns undefined, synchronously. A
 * returned promise claims the message from every other listener.
 */
export function messageRouter({ content, page, isOwnPage, contentSender, openPanel }: RouterParts) {
  return (message: unknown, sender: Runtime.MessageSender): Promise<Result<AnyReply>> | undefined => {
    const type = messageTypeOf(message);
    if (isKeyOf(pageMessages, type))
      return safely(async () => {
        if (!isOwnPage(sender)) return refuse('notAllowedHere');
        const { success, data } = pageMessages[type].request.safeParse(message);
        return success ? (page[type] as AnyHandler)(data) : refuse('badMessage');
      });
    // This must happen before anything is awaited, also before the sender is checked. Later, the gesture of the click
    // is gone.
    if (type === 'content.openPanel') openPanel(sender);
    if (isKeyOf(contentMessages, type))
      return safely(async () => {
        const from = await contentSender(sender);
        if (!from) return refuse('notAllowedHere');
        const { success, data } = contentMessages[type].request.safeParse(message);
        return success ? (content[type] as AnyHandler)(data, from) : refuse('badMessage');
      });
    return undefined;
  };
}

async function safely(handle: () => Promise<Result<AnyReply>>): Promise<Result<AnyReply>> {
  try {
    return await handle();
  } catch (error) {
    console.error('a message handler failed', error);
    return refuse(isOfStorage(error) ? 'storageFailed' : 'internal');
  }
}

/**
 * Whether IndexedDB failed for want of space, or could not open its files. On a full disk, Chromium (156) reports first
 * the one, then the other.
 */
const isOfStorage = (error: unknown): boolean =>
  error instanceof DOMException && ['QuotaExceededError', 'UnknownError'].includes(error.name);

function messageTypeOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
}

function isKeyOf<T extends object>(table: T, key: unknown): key is keyof T {
  return typeof key === 'string' && Object.hasOwn(table, key);
}
