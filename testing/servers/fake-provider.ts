/** A calling service for tests: keeps the requests that it gets, and replies as set. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

interface ReceivedCall {
  method: string;
  headers: IncomingMessage['headers'];
  query: URLSearchParams;
  fields: Record<string, unknown>;
}

export type FakeProvider = RecordingServer<ReceivedCall>;

/** @param health what its health route answers, which is not kept as a call; undefined: it has none, as the cloud. */
export const startFakeProvider = (
  health: () => object | undefined = () => undefined,
): Promise<FakeProvider> =>
  startRecordingServer(
    ({ method, headers, url }, body) => {
      if (url === '/healthz') return undefined;
      const { searchParams: query } = new URL(url!, 'http://localhost');
      const fields = body.length === 0 ? Object.fromEntries(query) : JSON.parse(String(body));
      return { method: method!, headers, query, fields };
    },
    (_call, response) => answerTrying(response),
    (response) => {
      const announced = health();
      response.writeHead(announced ? 200 : 404).end(JSON.stringify(announced));
    },
  );

export function answerTrying(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      status: 'OK',
      callstatus: 'Trying',
      message: 'Call in Progress',
      callid: 'provider-1',
    }),
  );
}
