/** A proxy between relay and CRM. It can lose a request, or the answer to a request that it passed on. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveAsync } from '../servers/serve-async.ts';
import { freshRequest } from './fresh-request.ts';
import type { RealCrm } from './real-crm.ts';

type Answered = Awaited<ReturnType<typeof freshRequest>>;

/** Handles one request that creates an entry. `passOn` sends it to the CRM and returns the answer. */
export type RequestFault = (passOn: () => Promise<Answered>, response: ServerResponse) => Promise<void>;

export const proxyFaults = {
  cutBefore: async (_passOn, response) => {
    response.socket?.destroy();
  },
  cutAfter: async (passOn, response) => {
    await passOn();
    response.socket?.destroy();
  },
  error500After: async (passOn, response) => {
    await passOn();
    response.writeHead(500).end('{}');
  },
  halfBodyAfter: async (passOn, response) => {
    const { type = 'application/json', body } = await passOn();
    response.writeHead(200, { 'content-type': type, 'content-length': String(body.length + 100) });
    response.write('{"');
    response.socket?.end();
  },
} satisfies Record<string, RequestFault>;
/** Holds the CRM's answer back until the relay has given up. */
export const answerTooLate: RequestFault = async (passOn, response) => {
  await passOn();
  if (!response.closed) await once(response, 'close');
};

/** Redirects to another address, as a login page in front of the CRM does. */
export const redirectTo =
  (location: string): RequestFault =>
  async (_passOn, response) =>
    void response.writeHead(302, { location }).end();

export const tooManyRequests: RequestFault = async (_passOn, response) =>
  void response.writeHead(429, { 'retry-after': '90' }).end();

export type ProxyFault = keyof typeof proxyFaults;

export interface CuttingProxy {
  url: string;
  /** Each of the next requests that create an entry fails by one of these faults. */
  failNext(...faults: (ProxyFault | RequestFault)[]): void;
  /** While true, every connection ends without an answer. */
  isAway: boolean;
  /** How many requests that create an entry reached the CRM. */
  readonly passedOn: number;
  stop(): Promise<void>;
}

export async function startCuttingProxy({
  url,
  isCreation,
}: Pick<RealCrm, 'url' | 'isCreation'>): Promise<CuttingProxy> {
  const faults: RequestFault[] = [];
  let passedOn = 0;
  let isAway = false;
  const server = await serveAsync(async (request, response) => {
    if (isAway) return void response.socket?.destroy();
    try {
      const body = await buffer(request);
      const isWanted = isCreation(request.method!, request.url!, body.toString());
      const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>;
      const passOn = () => {
        if (isWanted) passedOn += 1;
        return freshRequest(url + request.url, { method: request.method, headers, body });
      };
      const fault = isWanted ? faults.shift() : undefined;
      if (fault) return await fault(passOn, response);
      const answered = await passOn();
      const { status, type = 'application/json' } = answered;
      response.writeHead(status, { 'content-type': type }).end(answered.body);
    } catch {
      // The CRM was killed, or the relay.
      response.socket?.destroy();
    }
  });
  return {
    url: server.url,
    failNext: (...next) =>
      void faults.push(...next.map((fault) => (typeof fault === 'string' ? proxyFaults[fault] : fault))),
    get isAway() {
      return isAway;
    },
    set isAway(value) {
      isAway = value;
    },
    get passedOn() {
      return passedOn;
    },
    stop: server.close,
  };
}
