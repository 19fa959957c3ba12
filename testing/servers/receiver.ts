/** A `returnurl` for tests: keeps what is posted to it and lets a test wait for it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves with the n-th (from 1) once it is there. */
  nth(count: number): Promise<Received>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { count: number; resolve: (one: Received) => void }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    response.writeHead(204).end();
    if (request.method !== 'POST') return;
    received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
    for (const { count, resolve } of waiting) if (received[count - 1]) resolve(received[count - 1]!);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ended?call=1`,
    received,
    nth: (count) =>
      new Promise((resolve) => {
        const there = received[count - 1];
        if (there) resolve(there);
        else waiting.push({ count, resolve });
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
