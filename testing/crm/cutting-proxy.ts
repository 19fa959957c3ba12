/** A proxy between relay and CRM that loses an answer after the request was passed on, or the request before. */
import { serveHttp } from '../../shared/server/serve-http.ts';
import { freshRequest, readBody } from './fresh-request.ts';
import type { RealCrm } from './real-crm.ts';

export type ProxyFault = 'cutBefore' | 'cutAfter' | 'error500After' | 'halfBodyAfter';

export interface CuttingProxy {
  url: string;
  /** The next requests that create an entry fail so, one each. */
  failNext(...faults: ProxyFault[]): void;
  /** How many requests that create an entry reached the CRM. */
  readonly passedOn: number;
  stop(): Promise<void>;
}

export async function startCuttingProxy({
  url,
  isCreation,
}: Pick<RealCrm, 'url' | 'isCreation'>): Promise<CuttingProxy> {
  const faults: ProxyFault[] = [];
  let passedOn = 0;
  const server = await serveHttp(async (request, response) => {
    const body = await readBody(request);
    const isWanted = isCreation(request.method!, request.url!, body.toString());
    const fault = isWanted ? faults.shift() : undefined;
    if (fault === 'cutBefore') return void response.socket?.destroy();
    if (isWanted) passedOn += 1;
    const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>;
    const answered = await freshRequest(url + request.url, { method: request.method, headers, body });
    const { type = 'application/json', body: answer } = answered;
    if (fault === 'cutAfter') return void response.socket?.destroy();
    if (fault === 'error500After') return void response.writeHead(500).end('{}');
    if (fault === 'halfBodyAfter') {
      response.writeHead(200, { 'content-type': type, 'content-length': String(answer.length + 100) });
      response.write('{"');
      return void response.socket?.end();
    }
    response.writeHead(answered.status, { 'content-type': type }).end(answer);
  });
  return {
    url: server.url,
    failNext: (...next) => void faults.push(...next),
    get passedOn() {
      return passedOn;
    },
    stop: server.close,
  };
}
