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

export const startFakeProvider = (): Promise<FakeProvider> =>
  startRecordingServer(
    ({ method, headers, url }, body) => {
      const { searchParams: query } = new URL(url!, 'http://localhost');
      const fields = body.length === 0 ? Object.fromEntries(query) : JSON.parse(String(body));
      return { method: method!, headers, query, fields };
    },
    (_call, response) => answerTrying(response),
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
