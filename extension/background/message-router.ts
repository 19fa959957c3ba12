/**
 * Two tables by trust: what a content script may ask, and what only our own pages may. A message is parsed by its schema,
 * its sender checked, and always answered by a `Result`: errors that are thrown lose their fields on the way.
 */
import type { Runtime } from 'webextension-polyfill';
import type { z } from 'zod/mini';
import { contentMessages, type ErrorCode, pageMessages, type Result } from '../messages.ts';
import type { ContentSender } from './senders.ts';

type ContentType = keyof typeof contentMessages;
type PageType = keyof typeof pageMessages;

export type ContentHandlers = {
  [K in ContentType]: (
    message: z.infer<(typeof contentMessages)[K]>,
    sender: ContentSender,
  ) => Promise<Result<unknown>>;
};
export type PageHandlers = {
  [K in PageType]: (message: z.infer<(typeof pageMessages)[K]>) => Promise<Result<unknown>>;
};

export interface RouterParts {
  content: ContentHandlers;
  page: PageHandlers;
  isOwnPage: (sender: Runtime.MessageSender) => boolean;
  contentSender: (sender: Runtime.MessageSender) => Promise<ContentSender | undefined>;
}

const no = (code: ErrorCode): Result<never> => ({ ok: false, error: { code } });

/**
 * @returns the listener for `runtime.onMessage`. It answers undefined, synchronously, to what it does not own: returning a
 * promise claims a message from every other listener.
 */
export function messageRouter(parts: RouterParts) {
  return (message: unknown, sender: Runtime.MessageSender): Promise<Result<unknown>> | undefined => {
    const type = typeOf(message);
    if (type === undefined) return undefined;
    if (Object.hasOwn(pageMessages, type))
      return safely(() => fromPage(parts, type as PageType, message, sender));
    if (Object.hasOwn(contentMessages, type))
      return safely(() => fromContent(parts, type as ContentType, message, sender));
    return undefined;
  };
}

async function fromPage(parts: RouterParts, type: PageType, message: unknown, sender: Runtime.MessageSender) {
  if (!parts.isOwnPage(sender)) return no('notAllowedHere');
  const parsed = pageMessages[type].safeParse(message);
  if (!parsed.success) return no('badMessage');
  return (parts.page[type] as (message: unknown) => Promise<Result<unknown>>)(parsed.data);
}

async function fromContent(
  parts: RouterParts,
  type: ContentType,
  message: unknown,
  sender: Runtime.MessageSender,
) {
  const from = await parts.contentSender(sender);
  if (!from) return no('notAllowedHere');
  const parsed = contentMessages[type].safeParse(message);
  if (!parsed.success) return no('badMessage');
  const handler = parts.content[type] as (message: unknown, from: ContentSender) => Promise<Result<unknown>>;
  return handler(parsed.data, from);
}

async function safely(answer: () => Promise<Result<unknown>>): Promise<Result<unknown>> {
  try {
    return await answer();
  } catch (error) {
    console.error('a message could not be answered', error);
    return no('internal');
  }
}

function typeOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type } = message as { type?: unknown };
  return typeof type === 'string' ? type : undefined;
}
