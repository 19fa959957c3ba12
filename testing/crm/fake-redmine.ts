/** A server with Redmine's interface for notes. It can fail as networks and CRMs do. */
import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { serveAsync } from '../servers/serve-async.ts';

/** A fault that ends with `After` still adds the note. */
export type CrmFault =
  | 'cutBefore'
  | 'cutAfter'
  | 'error500Before'
  | 'error500After'
  | 'tooMany'
  | 'login'
  | 'redirect'
  | 'halfBodyAfter'
  | 'forbidden'
  | 'unauthorized';

/** Handles one request that would add a note. `add` adds it and answers. */
type HeldRequest = (add: () => void, response: ServerResponse) => void;

export interface FakeRedmine {
  url: string;
  /** Notes by issue, in the order they were added. */
  notes(issue: string): readonly string[];
  /** Each of the next requests that would add a note fails by one of these faults. */
  failNext(...faults: (CrmFault | HeldRequest)[]): void;
  /** Requests that reached it, also those that failed. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** @param issues the ids of the issues that exist. */
export async function startFakeRedmine(...issues: string[]): Promise<FakeRedmine> {
  const notes = new Map(issues.map((issue) => [issue, [] as string[]]));
  const faults: (CrmFault | HeldRequest)[] = [];
  const requests: string[] = [];

  const answer = (response: ServerResponse, status: number, body?: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const before: Partial<Record<CrmFault, (response: ServerResponse) => void>> = {
    cutBefore: (response) => response.socket?.destroy(),
    error500Before: (response) => answer(response, 500),
    tooMany: (response) => {
      response.setHeader('retry-after', '7');
      answer(response, 429);
    },
    login: (response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><form action="/login"></form></html>');
    },
    redirect: (response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/login' });
      response.end();
    },
    forbidden: (response) => answer(response, 403),
    unauthorized: (response) => answer(response, 401),
  };
  const after: Partial<Record<CrmFault, (response: ServerResponse) => void>> = {
    cutAfter: (response) => response.socket?.destroy(),
    error500After: (response) => answer(response, 500),
    halfBodyAfter: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"issue":');
      response.socket?.end();
    },
  };
  const server = await serveAsync(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const issue = /^\/issues\/(\d+)\.json/.exec(request.url ?? '')?.[1];
    const own = issue === undefined ? undefined : notes.get(issue);
    if (!own) return answer(response, 404);
    if (request.method === 'GET') {
      const journals = own.map((text, index) => ({ id: index + 1, notes: text }));
      return answer(response, 200, { issue: { id: Number(issue), journals } });
    }
    const body = (await json(request)) as { issue: { notes: string } };
    const fault = faults.shift();
    const add = () => {
      own.push(body.issue.notes);
      answer(response, 204);
    };
    if (typeof fault === 'function') return fault(add, response);
    const fail = fault && before[fault];
    if (fail) return fail(response);
    const failLater = fault && after[fault];
    if (!failLater) return add();
    own.push(body.issue.notes);
    failLater(response);
  });
  return {
    url: server.url,
    notes: (issue) => notes.get(issue) ?? [],
    failNext: (...next) => void faults.push(...next),
    requests,
    stop: server.close,
  };
}
