/** POST /v1/tickets: gives a site's backend a short-lived ticket for one of its callers (Law 5). */
import type { FastifyInstance } from 'fastify';
import { TicketRequest } from '../../shared/protocol/messages.ts';
import { linkedRecord } from '../../shared/record/template.ts';
import { parseInput } from '../../shared/server/parse-input.ts';
import { authenticate, requireRight } from '../access/principal.ts';
import { makeTicket } from '../access/ticket.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';

const defaultTtlSeconds = 600;

export function ticketRoutes(app: FastifyInstance, relay: RelayContext): void {
  app.post('/v1/tickets', async (request, reply) => {
    const principal = await authenticate(request, relay.access);
    requireRight(principal.kind === 'site', 'Making tickets needs a site key.');
    const body = parseInput(TicketRequest, request.body);
    if (!principal.callers.includes(body.from))
      throw new ProblemError('callerNotYours', { detail: 'This site key may not act for that caller.' });
    if (body.record && !linkedRecord(body.record, relay.rules.current.templates))
      throw new ProblemError('recordUnknown', { detail: 'No template of this relay has such a record.' });
    const expires = Date.now() + (body.ttl ?? defaultTtlSeconds) * 1000;
    const ticket = makeTicket(relay.access.signer, {
      site: principal.keyId,
      from: body.from,
      rights: body.rights,
      ...(body.record ? { record: body.record } : {}),
      expires,
    });
    reply.code(201).header('cache-control', 'no-store');
    return { ticket, expiresAt: new Date(expires).toISOString() };
  });
}
