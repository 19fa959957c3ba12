/** The reply to an accepted `/call` (section 2.2), or what the scenario puts in its place. */
import type { ServerResponse } from 'node:http';
import { answerJson } from './exchange.ts';
import type { PlacedCall } from './placed-call.ts';
import type { Scenario } from './scenarios.ts';

/** @returns the status sent; 0 where the connection was reset. */
export function sendReply(response: ServerResponse, { reply }: Scenario, { callid }: PlacedCall): number {
  switch (reply) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return 0;
    case 'htmlPage':
      response.writeHead(502, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr>gateway\n');
      return 502;
    case 'notJson':
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end('Call in Progress\n');
      return 200;
    case 'lostCall':
      answerJson(response, 200, {
        status: 'ERROR',
        callstatus: 'lost-call',
        message: 'lost-call: the agent did not answer',
        callid,
      });
      return 200;
    case 'refused':
    case 'trying':
      answerJson(response, 200, { status: 'OK', callstatus: 'Trying', message: 'Call in Progress', callid });
      return 200;
  }
}
