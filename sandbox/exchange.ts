/** One HTTP exchange: its body in, JSON out. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { maxCallBytes, type RequestRefusal } from '../shared/service/read-call.ts';

export function refuse(response: ServerResponse, { status, code, message, errors }: RequestRefusal): void {
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  answerJson(response, status, { status: 'ERROR', code, message, errors });
}

export function notFound(response: ServerResponse, url: URL, known: readonly string[]): void {
  const allowed = known
    .filter((route) => route.endsWith(` ${url.pathname}`))
    .map((route) => route.split(' ')[0]);
  if (allowed.length > 0) {
    response.setHeader('allow', allowed.join(', '));
    answerJson(response, 405, {
      status: 'ERROR',
      code: 'wrong-method',
      message: `method: expected ${allowed.join(' or ')} for ${url.pathname}`,
    });
    return;
  }
  answerJson(response, 404, {
    status: 'ERROR',
    code: 'wrong-path',
    message: `path: nothing at ${url.pathname}; calls are placed at /call`,
  });
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** The body as text; undefined where there is none, `cut` where the client went away in the middle of it. */
export async function readBody(request: IncomingMessage): Promise<string | 'cut' | 'tooLong' | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Read on, so that the client gets to the answer; keep nothing more.
      if (bytes <= maxCallBytes) chunks.push(chunk);
    }
  } catch {
    return 'cut';
  }
  if (bytes > maxCallBytes) return 'tooLong';
  return bytes === 0 ? undefined : Buffer.concat(chunks).toString('utf8');
}
