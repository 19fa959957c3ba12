/** Sends one request on a new connection. A CRM with few processes keeps one busy for each open connection. */
import { request as requestHttp } from 'node:http';
import { buffer } from 'node:stream/consumers';

interface FreshRequest {
  method?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | string | undefined;
}

export function freshRequest(
  url: string,
  { method = 'GET', headers = {}, body }: FreshRequest,
): Promise<{ status: number; type: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = requestHttp(url, { method, headers, agent: false }, (response) => {
      buffer(response).then(
        (read) =>
          resolve({ status: response.statusCode!, type: response.headers['content-type'], body: read }),
        reject,
      );
    });
    request.once('error', reject);
    request.end(body);
  });
}
