/** Sends a page's requests to the background. */
import browser from 'webextension-polyfill';
import type { ErrorCode } from '../../messages/error-codes.ts';
import type { PageMessage, PageReply, PageRequest } from '../../messages/pages.ts';
import { type Result, refuse } from '../../messages/result.ts';

/**
 * How long a page waits for the background, which then counts as broken. Requests that go on to servers take longer.
 */
const timeoutMs = 15_000;
const longTimeoutMs = 60_000;
const slow: ReadonlySet<PageMessage> = new Set([
  'page.testConnection',
  'page.checkRecording',
  'page.dial',
  'page.hangUp',
]);

const repeated: ReadonlySet<ErrorCode> = new Set(['internal', 'storageFailed']);

/**
 * Never rejects and always ends: a missing reply is an `internal` error like any other. After an `internal` error, it
 * sends the request once more, since the background may have been stopped meanwhile. It also does so after an error of
 * the storage, which is then opened again. The click id of a call prevents a second call.
 */
export async function sendRequest<M extends PageMessage>(
  type: M,
  fields: PageRequest<M>,
): Promise<Result<PageReply<M>>> {
  const first = await sendMessageOnce(type, fields);
  return !first.ok && repeated.has(first.error.code) ? sendMessageOnce(type, fields) : first;
}

async function sendMessageOnce<M extends PageMessage>(
  type: M,
  fields: PageRequest<M>,
): Promise<Result<PageReply<M>>> {
  try {
    const reply = await Promise.race([
      browser.runtime.sendMessage<unknown, Result<PageReply<M>> | undefined>({ type, ...fields }),
      timeout(slow.has(type) ? longTimeoutMs : timeoutMs),
    ]);
    return reply ?? refuse('internal');
  } catch (error) {
    return refuse('internal', error instanceof Error ? error.message : String(error));
  }
}

const timeout = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined));
