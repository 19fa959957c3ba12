/**
 * Request Tracker by REST 2 (tried with 5.0.3): the entry is a comment, with the talk as time worked. A `moved` entry
 * takes this time back. RT cannot write in another user's name by token, so the text names the extension. A ticket that
 * was merged answers under its id as another ticket.
 */
import { dayMs } from '../../../shared/durations.ts';
import {
  absentEntry,
  type Connector,
  type CrmSettings,
  endsWithMarker,
  type FoundEntry,
  type LogEntry,
  type SoughtEntry,
} from './connector.ts';
import type { CrmClient } from './crm-client.ts';
import { CrmError } from './crm-error.ts';
import { rtRest } from './rt-rest.ts';

/** The most items in one answer of RT. */
const pageSize = 100;

const newestFirst = (limit: number) => ({ per_page: String(limit), orderby: 'id', order: 'DESC' });

/** A search reads a time in the zone of the relay's user in RT: one more day covers every zone. */
const sinceText = (placedAt: string) =>
  new Date(Date.parse(placedAt) - dayMs).toISOString().slice(0, 19).replace('T', ' ');

/** RT counts whole minutes: even a short talk counts as one. */
const minutesWorked = (talkSeconds: number) => Math.ceil(talkSeconds / 60);

interface TransactionsPage {
  items: { id: string; Content?: string }[];
}

export function rtConnector({ user, token = '' }: CrmSettings): Connector {
  const ask = rtRest({ user, token });
  const list = async (path: string, client: CrmClient) =>
    ((await ask(client, { method: 'GET', path })).json as TransactionsPage).items;
  const find = async (
    { marker, record, placedAt }: SoughtEntry,
    client: CrmClient,
  ): Promise<FoundEntry | undefined> => {
    const query = `TicketId = ${record.id} AND Type = 'Comment' AND Created > '${sinceText(placedAt)}'`;
    for (let page = 1, isLast = false; !isLast; page++) {
      const parameters = new URLSearchParams({ query, ...newestFirst(pageSize), page: String(page) });
      const comments = await list(`/transactions?${parameters}`, client);
      for (const { id } of comments) {
        const parts = await list(`/transaction/${id}/attachments?fields=Content`, client);
        if (parts.some(({ Content = '' }) => endsWithMarker(Content, marker)))
          return { url: `${record.url}#txn-${id}` };
      }
      isLast = comments.length < pageSize;
    }
    return undefined;
  };
  return {
    find,

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
      const who = own === undefined ? version : `${version} as ${await nameOf(own, client)}`;
      const query = new URLSearchParams({ query: 'id > 0', ...newestFirst(1) });
      const [newest] = await list(`/tickets?${query}`, client);
      if (!newest)
        return { who, missing: [], untested: 'it shows this user no ticket, so its rights are not known' };
      await find(absentEntry('ticket', newest.id), client);
      const ticket = await ask(client, { method: 'GET', path: `/ticket/${newest.id}` });
      // RT shows a user's rights as links of the ticket: one link for each thing that the user may do.
      const links = (ticket.json as { _hyperlinks: { ref: string }[] })._hyperlinks;
      const mayComment = links.some(({ ref }) => ref === 'comment');
      const missing = mayComment ? [] : [`CommentOnTicket on the queue of ticket ${newest.id}`];
      // A user who may not read comments gets an empty list, as if there were no comments.
      const comments = new URLSearchParams({ query: "TicketId > 0 AND Type = 'Comment'", ...newestFirst(1) });
      const [comment] = await list(`/transactions?${comments}`, client);
      const untested = comment ? undefined : 'it shows this user no comment: ShowTicketComments is not known';
      return { who, missing, ...(untested !== undefined && { untested }) };
    },
  };

  async function nameOf(nameOrId: string, client: CrmClient): Promise<string> {
    const { json } = await ask(client, { method: 'GET', path: `/user/${encodeURIComponent(nameOrId)}` });
    return (json as { Name: string }).Name;
  }
}
