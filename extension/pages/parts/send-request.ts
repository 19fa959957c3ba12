/** Sends a page's requests to the background. */
import browser from 'webextension-polyfill';
import type { PageMessage, PageReply, PageRequest } from '../../messages/pages.ts';
import { type Result, refuse } from '../../messages/result.ts';

/** After this time a background that does not reply counts as broken; requests that go out to servers take longer. */
const timeoutMs = 15_000;
const longTimeoutMs = 60_000;
const slow: ReadonlySet<PageMessage> = new Set([
  'page.testConnection',
  'page.checkRecording',
  'page.dial',
  'page.hangUp',
]);

/**
 * Never rejects and never hangs: no reply is an `internal` error like any other. A request that failed so is sent once
 * more, since the background may have been stopped while handling it; a call's click id makes that the same call.
 */
export async function sendRequest<M extends PageMessage>(
  type: M,
  fields: PageRequest<M>,
): Promise<Result<PageReply<M>>> {
  const first = await sendMessageOnce(type, fields);
  return first.ok || first.error.code !== 'internal' ? first : sendMessageOnce(type, fields);
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
