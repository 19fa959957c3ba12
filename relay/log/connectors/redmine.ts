/**
 * Redmine (tried with 5.0.4): the entry is a note of the issue. With an administrator's key the relay writes as the
 * agent's own user (`X-Redmine-Switch-User`).
 */
import {
  type Connector,
  type CrmSettings,
  endsWithMarker,
  type FoundEntry,
  type LogEntry,
} from './connector.ts';
import type { CrmClient, CrmReply, CrmRequest } from './crm-client.ts';
import { CrmError } from './crm-error.ts';

interface Issue {
  issue: { id: number; journals?: { id: number; notes?: string }[] };
}

/** @param settings `token` is the API key. */
export function redmineConnector({ token = '' }: CrmSettings): Connector {
  const ask = async (client: CrmClient, request: CrmRequest, login?: string): Promise<CrmReply> => {
    const reply = await client.request({
      ...request,
      headers: {
        'x-redmine-api-key': token,
        ...(login === undefined ? {} : { 'x-redmine-switch-user': encodeURIComponent(login) }),
      },
    });
    if (reply.status === 403) throw new CrmError('needsAgent', 'forbidden');
    if (reply.status === 404) throw new CrmError('needsAgent', 'notFound');
    if (reply.status === 412) throw new CrmError('misconfigured', `unknownUser:${login}`);
    if (reply.status >= 400) throw new CrmError('needsAgent', `http${reply.status}`);
    return reply;
  };
  const find = async ({ marker, record }: LogEntry, client: CrmClient): Promise<FoundEntry | undefined> => {
    const { json } = await ask(client, { method: 'GET', path: `/issues/${record.id}.json?include=journals` });
    const journal = (json as Issue).issue.journals?.find(({ notes = '' }) => endsWithMarker(notes, marker));
    return journal && { url: `${record.url}#change-${journal.id}` };
  };
  return {
    find,

    async create(entry, client) {
      const { record, text, login } = entry;
      await ask(
        client,
        { method: 'PUT', path: `/issues/${record.id}.json`, body: { issue: { notes: text } }, isWrite: true },
        login,
      );
      // 204 also where the user may edit the issue and not add notes: then there is none.
      const found = await find(entry, client).catch((error: unknown) => {
        throw error instanceof CrmError ? new CrmError('unsure', error.reason) : error;
      });
      if (!found) throw new CrmError('needsAgent', 'notesNotAllowed');
      return found;
    },

    async check(client) {
      const { json } = await ask(client, { method: 'GET', path: '/users/current.json' });
      const { user } = json as { user: { login: string; admin?: boolean } };
      return `Redmine as ${user.login}${user.admin ? ', who may write as the agents' : ''}`;
    },
  };
}
