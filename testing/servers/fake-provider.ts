/** A calling service for tests: keeps the requests that it gets, and replies as set. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from './listen.ts';

interface ReceivedCall {
  method: string;
  headers: IncomingMessage['headers'];
  query: URLSearchParams;
  fields: Record<string, unknown>;
}

export interface FakeProvider {
  url: string;
  calls: ReceivedCall[];
  /** Replaces the answer to the next calls. */
  answer: (call: ReceivedCall, response: ServerResponse) => void | Promise<void>;
  stop(): Promise<void>;
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const { url, close } = await listen(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { searchParams } = new URL(request.url!, 'http://localhost');
    const call: ReceivedCall = {
      method: request.method!,
      headers: request.headers,
      query: searchParams,
      fields: text === '' ? Object.fromEntries(searchParams) : JSON.parse(text),
    };
    provider.calls.push(call);
    await provider.answer(call, response);
  });
  const provider: FakeProvider = {
    url,
    calls: [],
    answer: (_call, response) => answerTrying(response),
    stop: close,
  };
  return provider;
}

export function answerTrying(response: ServerResponse, callid = 'provider-1'): void {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ status: 'OK', callstatus: 'Trying', message: 'Call in Progress', callid }));
}
