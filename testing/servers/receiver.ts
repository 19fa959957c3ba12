/** A `returnurl` for tests: keeps what is posted to it, answers as set and lets a test wait for it. */
import type { ServerResponse } from 'node:http';
import { listen } from './listen.ts';

interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Resolves with the n-th (from 1) once it is there. */
  nth(count: number): Promise<Received>;
  /** Replaces the answer to the next ones: 204 at once. */
  answer: (one: Received, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { count: number; resolve: (one: Received) => void }[] = [];
  const { url, close } = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const one = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
    received.push(one);
    receiver.answer(one, response);
    for (const { count, resolve } of waiting) if (received[count - 1]) resolve(received[count - 1]!);
  });
  const receiver: Receiver = {
    url: `${url}/ended?call=1`,
    received,
    nth: (count) =>
      new Promise((resolve) => {
        const there = received[count - 1];
        if (there) resolve(there);
        else waiting.push({ count, resolve });
      }),
    answer: (_one, response) => void response.writeHead(204).end(),
    close,
  };
  return receiver;
}
