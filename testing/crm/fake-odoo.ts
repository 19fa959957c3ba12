/** A server with Odoo's interface for contacts and their notes. */
import { json } from 'node:stream/consumers';
import { serveAsync } from '../servers/serve-async.ts';
import { withPrefix } from '../with-prefix.ts';

export interface FakeOdoo {
  url: string;
  /** Notes of a contact, as HTML. */
  notes(id: number): readonly string[];
  /** Settings of the relay by which it reads names and logs calls there, as the system `odoo`. */
  relaySettings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface FakeContact {
  id: number;
  name: string;
  phone: string;
  /** False where a program has put the contact into the database. */
  write_date?: string | false;
}

const database = 'demo';

export async function startFakeOdoo(contacts: readonly FakeContact[]): Promise<FakeOdoo> {
  const notes = new Map(contacts.map(({ id }) => [id, [] as string[]]));
  const rows = contacts.map((contact) => ({ active: true, write_date: '2026-11-23 12:00:00', ...contact }));
  const byId = contacts.map(({ id }) => id);

  // biome-ignore lint/suspicious/noExplicitAny: each method knows its own arguments
  const methods: Record<string, (args: any, named: any) => unknown> = {
    'res.partner.fields_get': () => ({ name: {}, phone: {} }),
    // The first condition is where the page begins.
    'res.partner.search_read': ([[[, , after]]]) => rows.filter(({ id }) => id > after),
    'res.partner.search_count': () => rows.length,
    'res.partner.search': (_args, { limit }) => (limit === 1 ? byId.slice(-1) : byId),
    'res.partner.message_post': ([[id]], { body }) => notes.get(id)!.push(body),
    'mail.message.search_read': () => [...notes.values()].flat().map((body) => ({ body })),
    'mail.message.search_count': () => 0,
  };
  const server = await serveAsync(async (request, response) => {
    const { params } = (await json(request)) as { params: { service: string; args: unknown[] } };
    const { service, args } = params;
    const [, , , model, method, ...rest] = args;
    const answer = methods[`${model}.${method}`];
    const result = service === 'common' ? 2 : answer?.(rest[0], rest[1] ?? {});
    const missing = { data: { name: 'odoo.exceptions.UserError' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(result === undefined ? { error: missing } : { result }));
  });
  const own = { KIND: 'odoo', URL: server.url, DATABASE: database, USER: 'admin', TOKEN: 'k' };
  return {
    url: server.url,
    notes: (id) => notes.get(id) ?? [],
    relaySettings: { ...withPrefix('CRM_ODOO_', own), ...withPrefix('DIRECTORY_ODOO_', own) },
    stop: server.close,
  };
}
