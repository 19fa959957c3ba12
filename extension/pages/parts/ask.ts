/** Asks the background, from a page of ours, in the words of `messages.ts`. */
import browser from 'webextension-polyfill';
import type { PageMessage, Reply, Request, Result } from '../../messages.ts';

/** Milliseconds after which a silent background counts as broken. What goes out to servers has limits of its own. */
const patience = 15_000;
const longPatience = 60_000;
const slow: ReadonlySet<PageMessage> = new Set(['page.testConnection', 'page.checkRecording', 'page.dial']);

/**
 * Never rejects and never hangs: a background that does not answer is an `internal` error like any other. One that was stopped over the
 * question is asked once more; every question may be, a call's click id makes it the same call.
 */
export async function ask<M extends PageMessage>(type: M, fields: Request<M>): Promise<Result<Reply<M>>> {
  const first = await askOnce(type, fields);
  return first.ok || first.error.code !== 'internal' ? first : askOnce(type, fields);
}

async function askOnce<M extends PageMessage>(type: M, fields: Request<M>): Promise<Result<Reply<M>>> {
  try {
    const reply: Result<Reply<M>> | undefined = await Promise.race([
      browser.runtime.sendMessage<unknown, Result<Reply<M>> | undefined>({ type, ...fields }),
      silence(slow.has(type) ? longPatience : patience),
    ]);
    return reply ?? { ok: false, error: { code: 'internal' } };
  } catch (error) {
    return {
      ok: false,
      error: { code: 'internal', detail: error instanceof Error ? error.message : String(error) },
    };
  }
}

const silence = (milliseconds: number) =>
  new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds, undefined));
