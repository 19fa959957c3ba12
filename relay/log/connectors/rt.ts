/**
 * Request Tracker by REST 2 (tried with 5.0.3): the entry is a comment, with the talk as time worked, which an entry
 * that the call was moved takes back. RT cannot write in another user's name by token, so the text names the extension.
 * A ticket that was merged answers under its id as another ticket.
 */
import { dayMs } from '../../../shared/durations.ts';
import {
  type Connector,
  type CrmSettings,
  endsWithMarker,
  type FoundEntry,
  type LogEntry,
} from './connector.ts';
import { CrmError } from './crm-error.ts';
import { rtRest } from './rt-rest.ts';

/** RT answers with at most so many. */
const pageSize = 100;

/** Searches understand a time in the zone of the relay's user there: a day more covers every zone. */
const sinceText = (placedAt: string) =>
  new Date(Date.parse(placedAt) - dayMs).toISOString().slice(0, 19).replace('T', ' ');

/** RT counts whole minutes: a talk of any length is one at least. */
const minutesWorked = (talkSeconds: number) => Math.ceil(talkSeconds / 60);

interface Listed {
  items: { id: string; Content?: string }[];
}

export function rtConnector({ user, token = '' }: CrmSettings): Connector {
  const ask = rtRest({ user, token });
  return {
    async find({ marker, record, placedAt }: LogEntry, client): Promise<FoundEntry | undefined> {
      const query = `TicketId = ${record.id} AND Type = 'Comment' AND Created > '${sinceText(placedAt)}'`;
      const order = { per_page: String(pageSize), orderby: 'id', order: 'DESC' };
      const list = async (path: string) =>
        ((await ask(client, { method: 'GET', path })).json as Listed).items;
      for (let page = 1, isLast = false; !isLast; page++) {
        const parameters = new URLSearchParams({ query, ...order, page: String(page) });
        const comments = await list(`/transactions?${parameters}`);
        for (const { id } of comments) {
          const parts = await list(`/transaction/${id}/attachments?fields=Content`);
          if (parts.some(({ Content = '' }) => endsWithMarker(Content, marker)))
            return { url: `${record.url}#txn-${id}` };
        }
        isLast = comments.length < pageSize;
      }
      return undefined;
    },

    async create({ record, text, talkSeconds, secondsBefore }: LogEntry, client) {
      const { json } = await ask(client, { method: 'GET', path: `/ticket/${record.id}` });
      const ticket = (json ?? {}) as { id?: unknown; Status?: unknown };
      if (ticket.id === undefined) throw new CrmError('later', 'unreadable');
      if (String(ticket.id) !== record.id) throw new CrmError('needsAgent', `merged:${ticket.id}`);
      if (ticket.Status === 'deleted') throw new CrmError('needsAgent', 'deleted');
      const minutes = minutesWorked(talkSeconds) - minutesWorked(secondsBefore);
      const reply = await ask(client, {
        method: 'POST',
        path: `/ticket/${record.id}/comment`,
        body: { Content: text, ContentType: 'text/plain', TimeTaken: String(minutes) },
        isWrite: true,
      });
      // The ticket was readable just before: 400 "could not be recorded" is a missing right, as is 422.
      if (reply.status >= 400) throw new CrmError('needsAgent', 'forbidden');
      if (reply.status !== 201) throw new CrmError('unsure', `http${reply.status}`);
      return {};
    },

    async check(client) {
      const { json } = await ask(client, { method: 'GET', path: '/rt' });
      const version = `Request Tracker ${(json as { Version: string }).Version}`;
      // A token's second part is the number of its user.
      const own = user ?? /^\d+-(\d+)-/.exec(token)?.[1];
      if (own === undefined) return version;
      const { json: found } = await ask(client, { method: 'GET', path: `/user/${encodeURIComponent(own)}` });
      return `${version} as ${(found as { Name: string }).Name}`;
    },
  };
}
