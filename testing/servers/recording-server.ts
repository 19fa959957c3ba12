import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveAsync } from './serve-async.ts';

/** A server of a test's own: keeps what it receives, replies as set, and lets a test wait for more. */
export interface RecordingServer<Received> {
  readonly url: string;
  readonly received: Received[];
  /** Resolves with everything received once that is so many. */
  until(count: number): Promise<Received[]>;
  /** Resolves with the n-th, from 1, once it is there. */
  nth(n: number): Promise<Received>;
  /** Replaces the answer to the next requests. */
  answer: (one: Received, response: ServerResponse) => void | Promise<void>;
  close(): Promise<void>;
}

/**
 * @param read what a request is kept as; undefined where it is not to be kept.
 * @param answer until a test replaces it.
 * @param answerOthers to what is not kept.
 */
export async function startRecordingServer<Received>(
  read: (request: IncomingMessage, body: Buffer) => Received | undefined | Promise<Received>,
  answer: RecordingServer<Received>['answer'],
  answerOthers = (response: ServerResponse): void => void response.writeHead(405).end(),
): Promise<RecordingServer<Received>> {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const { url, close } = await serveAsync(async (request, response) => {
    const one = await read(request, await buffer(request));
    if (one === undefined) return answerOthers(response);
    received.push(one);
    const answered = server.answer(one, response);
    for (const wake of waiting.splice(0)) wake();
    await answered;
  });
  const server: RecordingServer<Received> = {
    url,
    received,
    answer,
    close,
    async until(count) {
      while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return received;
    },
    nth: async (n) => (await server.until(n))[n - 1]!,
  };
  return server;
}
