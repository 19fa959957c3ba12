/** The demo CRM's data about calls: the entries that a relay logs on its tickets by webhook, and that pages read. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod/mini';
import { serviceError } from '../shared/server/service-error.ts';
import { parseJson } from '../shared/service/json.ts';

const Logged = z.object({
  data: z.object({ text: z.string(), call: z.object({ record: z.object({ id: z.string() }) }) }),
});

export function crmEntryRoutes(app: FastifyInstance): void {
  /** The texts of each ticket, by `webhook-id`. A repeated request is the same entry. */
  const tickets = new Map<string, Map<string, string>>();
  app.post('/crm/entries', async (request, reply) => {
    const logged = Logged.safeParse(parseJson(typeof request.body === 'string' ? request.body : ''));
    const id = request.headers['webhook-id'];
    if (!logged.success || typeof id !== 'string')
      throw serviceError(400, 'not-an-entry', 'expected a logged call');
    const { text, call } = logged.data.data;
    const entries = tickets.get(call.record.id) ?? new Map<string, string>();
    tickets.set(call.record.id, entries.set(id, text));
    reply.code(204);
  });
  app.get<{ Params: { ticket: string } }>('/crm/entries/:ticket', async (request) => [
    ...(tickets.get(request.params.ticket)?.values() ?? []),
  ]);
}
