/** The reply to an accepted `/call` (section 2.2), or what the scenario sends instead. */
import type { FastifyReply } from 'fastify';
import type { PlacedCall } from './placed-call.ts';

const gatewayPage = '<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr>gateway\n';

/** @returns the HTTP status that was sent; 0 if the connection was reset. */
export function sendReply(reply: FastifyReply, { scenario, callid }: PlacedCall): number {
  switch (scenario.reply) {
    case 'reset':
      reply.hijack();
      reply.raw.socket?.resetAndDestroy();
      return 0;
    case 'htmlPage':
      reply.code(502).type('text/html; charset=utf-8').send(gatewayPage);
      return 502;
    case 'notJson':
      reply.type('text/plain').send('Call in Progress\n');
      return 200;
    case 'lostCall': {
      const message = 'lost-call: the agent did not answer';
      reply.send({ status: 'ERROR', callstatus: 'lost-call', message, callid });
      return 200;
    }
    case 'refused':
    case 'trying':
      reply.send({ status: 'OK', callstatus: 'Trying', message: 'Call in Progress', callid });
      return 200;
  }
}
