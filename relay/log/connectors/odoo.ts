/**
 * Odoo by JSON-RPC (tried with 14.0): the entry is an internal note (`message_post`), whose author is the agent where `_USERS`
 * maps the extension to a user.
 */
import {
  type Connector,
  type CrmSettings,
  endsWithMarker,
  type FoundEntry,
  type LogEntry,
} from './connector.ts';
import type { CrmClient } from './crm-client.ts';
import { CrmError } from './crm-error.ts';

interface RpcReply {
  result?: unknown;
  error?: { data?: { name?: string } };
}

/** Odoo's exceptions, by the end of their names. */
const failures: readonly (readonly [RegExp, 'needsAgent' | 'misconfigured' | 'later', string])[] = [
  [/MissingError$/, 'needsAgent', 'notFound'],
  [/AccessError$/, 'needsAgent', 'forbidden'],
  [/AccessDenied$/, 'misconfigured', 'unauthorized'],
  [/(SerializationFailure|OperationalError)$/, 'later', 'databaseBusy'],
];

/** @param settings `token` is the password or API key of `user` in `database`. */
export function odooConnector({ database = '', user = '', token = '' }: CrmSettings): Connector {
  let userId: number | undefined;

  const rpc = async (
    client: CrmClient,
    service: string,
    method: string,
    args: unknown[],
    isWrite = false,
  ) => {
    const { json } = await client.request({
      method: 'POST',
      path: '/jsonrpc',
      body: { jsonrpc: '2.0', method: 'call', id: 1, params: { service, method, args } },
      isWrite,
    });
    const { result, error } = (json ?? {}) as RpcReply;
    if (!error) return result;
    const name = error.data?.name ?? '';
    const [, kind, reason] = failures.find(([pattern]) => pattern.test(name)) ?? [];
    throw new CrmError(kind ?? 'needsAgent', reason ?? (name.split('.').at(-1) || 'unknownError'));
  };
  const logIn = async (client: CrmClient): Promise<number> => {
    const id = await rpc(client, 'common', 'login', [database, user, token]);
    if (typeof id !== 'number') throw new CrmError('misconfigured', 'unauthorized');
    return id;
  };
  const execute = async (
    client: CrmClient,
    [model, method]: readonly [string, string],
    args: unknown[],
    named: object = {},
    isWrite = false,
  ) => {
    userId ??= await logIn(client);
    return rpc(
      client,
      'object',
      'execute_kw',
      [database, userId, token, model, method, args, named],
      isWrite,
    );
  };

  return {
    async find({ marker, record }: LogEntry, client): Promise<FoundEntry | undefined> {
      const conditions = [
        ['model', '=', record.kind],
        ['res_id', '=', Number(record.id)],
        ['body', 'ilike', marker],
      ];
      const messages = (await execute(client, ['mail.message', 'search_read'], [conditions, ['body']])) as {
        body: string;
      }[];
      return messages.some(({ body }) => endsWithMarker(textOf(body), marker)) ? {} : undefined;
    },

    async create({ record, text, login }, client) {
      const authors = login === undefined ? [] : await authorsNamed(login, client);
      if (login !== undefined && authors.length !== 1)
        throw new CrmError('misconfigured', `unknownUser:${login}`);
      await execute(
        client,
        [record.kind, 'message_post'],
        [[Number(record.id)]],
        {
          body: htmlOf(text),
          subtype_xmlid: 'mail.mt_note',
          ...(authors[0] ? { author_id: authors[0].partner_id[0] } : {}),
        },
        true,
      );
      return {};
    },

    async check(client) {
      userId = await logIn(client);
      const version = (await rpc(client, 'common', 'version', [])) as { server_version: string };
      await execute(client, ['mail.message', 'search_count'], [[['id', '=', 0]]]);
      return `Odoo ${version.server_version} as ${user}, database ${database}`;
    },
  };

  async function authorsNamed(login: string, client: CrmClient) {
    const conditions = [['login', '=', login]];
    return (await execute(client, ['res.users', 'search_read'], [conditions, ['partner_id']])) as {
      partner_id: [number, string];
    }[];
  }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Odoo takes a message's body for HTML. */
const htmlOf = (text: string) =>
  text.replace(/[&<>"]/g, (character) => escapes[character]!).replaceAll('\n', '<br/>');

/** Only as much of HTML as `htmlOf` writes and Odoo's cleaning adds. */
const textOf = (html: string) => html.replace(/<br\s*\/?>/g, '\n').replace(/<[^>]*>/g, '');
