/** A server with Redmine's interface for notes. It can fail as networks and CRMs do. */
import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { serveAsync } from '../servers/serve-async.ts';
import { proxyFaults, type RequestFault, redirectTo } from './cutting-proxy.ts';

function answer(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

const answers =
  (status: number): RequestFault =>
  async (_add, response) =>
    answer(response, status);

/** A fault that ends with `After` still adds the note. */
const crmFaults = {
  ...proxyFaults,
  error500Before: answers(500),
  tooMany: async (_add, response) => answer(response.setHeader('retry-after', '7'), 429),
  login: async (_add, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html><form action="/login"></form></html>');
  },
  redirect: redirectTo('http://127.0.0.1:9/login'),
  forbidden: answers(403),
  unauthorized: answers(401),
} satisfies Record<string, RequestFault>;

export type CrmFault = keyof typeof crmFaults;

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
    const add = () => own.push(body.issue.notes);
    const addAndAnswer = () => {
      add();
      answer(response, 204);
    };
    if (fault === undefined) return addAndAnswer();
    if (typeof fault === 'function') return fault(addAndAnswer, response);
    const added = async () => {
      add();
      return { status: 204, type: undefined, body: Buffer.alloc(0) };
    };
    return crmFaults[fault](added, response);
  });
  return {
    url: server.url,
    notes: (issue) => notes.get(issue) ?? [],
    failNext: (...next) => void faults.push(...next),
    requests,
    stop: server.close,
  };
}
