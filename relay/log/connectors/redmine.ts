/**
 * Redmine (tried with 5.0.4): the entry is a note of the issue. With an administrator's key the relay writes as the
 * agent's own user (`X-Redmine-Switch-User`).
 */
import {
  absentEntry,
  type Connector,
  type CrmSettings,
  endsWithMarker,
  type FoundEntry,
  type SoughtEntry,
} from './connector.ts';
import type { CrmClient, CrmReply, CrmRequest } from './crm-client.ts';
import { CrmError, UnknownUser } from './crm-error.ts';

interface Issue {
  issue: { id: number; journals?: { id: number; notes?: string | null }[] };
}

interface CurrentUser {
  user: {
    login: string;
    admin?: boolean;
    memberships?: { project: { name: string }; roles: { id: number }[] }[];
  };
}

/** @param settings `token` is the API key. */
export function redmineConnector({ token = '', users = {} }: CrmSettings): Connector {
  const ask = askWith(token);
  const find = async (
    { marker, record }: SoughtEntry,
    client: CrmClient,
  ): Promise<FoundEntry | undefined> => {
    const { json } = await ask(client, { method: 'GET', path: `/issues/${record.id}.json?include=journals` });
    const { issue } = json as Issue;
    if (String(issue.id) !== record.id) throw new CrmError('later', 'unreadable');
    // If another program made a change without a note, `notes` is null.
    const journal = issue.journals?.find(({ notes }) => endsWithMarker(notes ?? '', marker));
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
      // Redmine also answers 204 if the user may edit the issue but not add notes. The note is then missing.
      const found = await find(entry, client).catch((error: unknown) => {
        throw error instanceof CrmError ? new CrmError('unsure', error.reason) : error;
      });
      if (!found) throw new CrmError('needsAgent', 'notesNotAllowed');
      return found;
    },

    async check(client) {
      const { user } = await read<CurrentUser>(client, '/users/current.json');
      const path = '/issues.json?status_id=*&sort=id:desc&limit=1';
      const { issues } = await read<{ issues: { id: number }[] }>(client, path);
      for (const { id } of issues) await find(absentEntry('issue', String(id)), client);
      const who = `Redmine as ${user.login}${user.admin ? ', who may write as the agents' : ''}`;
      const missing: string[] = [];
      const outsiders: string[] = [];
      const known = new Map<number, boolean>();
      // An administrator's key writes as the agents, and each of them needs the right.
      for (const login of user.admin ? new Set(Object.values(users)) : [undefined]) {
        const asked = await read<CurrentUser>(client, '/users/current.json?include=memberships', login);
        const { login: writer, admin: needsNone, memberships = [] } = asked.user;
        if (needsNone) continue;
        if (memberships.length === 0) outsiders.push(writer);
        for (const { project, roles } of memberships)
          if (!(await mayAddNotes(roles, known, client)))
            missing.push(`"Add notes" in ${project.name} for ${writer}`);
      }
      if (outsiders.length === 0) return { who, missing };
      const untested = `${outsiders.join(', ')} is in no project: whether notes can be added is not known`;
      return { who, missing, untested };
    },
  };

  async function read<T>(client: CrmClient, path: string, login?: string): Promise<T> {
    return (await ask(client, { method: 'GET', path }, login)).json as T;
  }

  /** @param known whether each role may add notes; every role is asked for once. */
  async function mayAddNotes(
    roles: readonly { id: number }[],
    known: Map<number, boolean>,
    client: CrmClient,
  ): Promise<boolean> {
    for (const { id } of roles) {
      if (known.has(id)) continue;
      const { role } = await read<{ role: { permissions: string[] } }>(client, `/roles/${id}.json`);
      known.set(id, role.permissions.includes('add_issue_notes'));
    }
    return roles.some(({ id }) => known.get(id));
  }
}

/** @returns a function that asks as the token's user, or as the user of a login. */
const askWith =
  (token: string) =>
  async (client: CrmClient, request: CrmRequest, login?: string): Promise<CrmReply> => {
    const reply = await client.request({
      ...request,
      headers: {
        'x-redmine-api-key': token,
        ...(login === undefined ? {} : { 'x-redmine-switch-user': encodeURIComponent(login) }),
      },
    });
    if (reply.status === 403) throw new CrmError('needsAgent', 'forbidden');
    if (reply.status === 404) throw new CrmError('needsAgent', 'notFound');
    if (reply.status === 412)
      throw login === undefined ? new CrmError('misconfigured', 'http412') : new UnknownUser(login);
    if (reply.status >= 400) throw new CrmError('needsAgent', `http${reply.status}`);
    return reply;
  };
