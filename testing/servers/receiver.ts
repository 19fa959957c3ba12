/** A `returnurl` for tests: keeps what is posted to it, answers 204 or as set, and lets a test wait for it. */
import type { IncomingHttpHeaders } from 'node:http';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export type Receiver = RecordingServer<Received>;

export async function startReceiver(): Promise<Receiver> {
  const server = await startRecordingServer<Received>(
    ({ method, headers }, body) =>
      method === 'POST' ? { headers, body: JSON.parse(String(body)) } : undefined,
    (_one, response) => void response.writeHead(204).end(),
  );
  return Object.assign(server, { url: `${server.url}/ended?call=1` });
}
