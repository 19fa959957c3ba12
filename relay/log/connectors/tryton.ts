/**
 * Tryton by JSON-RPC (tried with 6.0.29): the entry is a note (`ir.note`) of the record. Tryton writes it as the relay's user, so
 * the text names the extension.
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

interface Session {
  userId: number;
  key: string;
}

/** @param settings `token` is the password of `user` in `database`. */
export function trytonConnector({ database = '', user = '', token = '' }: CrmSettings): Connector {
  let session: Session | undefined;

  const rpc = async (
    client: CrmClient,
    method: string,
    params: unknown[],
    isWrite = false,
  ): Promise<unknown> => {
    const headers: Record<string, string> = session
      ? {
          authorization: `Session ${Buffer.from(`${user}:${session.userId}:${session.key}`).toString('base64')}`,
        }
      : {};
    const { status, json } = await client.request({
      method: 'POST',
      path: `/${encodeURIComponent(database)}/`,
      headers,
      body: { id: 1, method, params },
      isWrite,
    });
    if (status === 403) throw new CrmError('needsAgent', 'forbidden');
    if (status === 404) throw new CrmError('misconfigured', 'unknownDatabase');
    const { result, error } = (json ?? {}) as { result?: unknown; error?: unknown };
    if (error !== undefined && error !== null) throw failureOf(error);
    return result;
  };
  const logIn = async (client: CrmClient): Promise<void> => {
    session = undefined;
    const login = await rpc(client, 'common.db.login', [user, { password: token }]);
    if (!Array.isArray(login)) throw new CrmError('misconfigured', 'unauthorized');
    session = { userId: login[0] as number, key: login[1] as string };
  };
  /** A session ends after a time without requests: then 401, and nothing was done. */
  const execute = async (
    client: CrmClient,
    method: string,
    params: unknown[],
    isWrite = false,
  ): Promise<unknown> => {
    if (!session) await logIn(client);
    const withContext = [...params, {}];
    return rpc(client, method, withContext, isWrite).catch(async (error: CrmError) => {
      if (error.reason !== 'unauthorized') throw error;
      await logIn(client);
      return rpc(client, method, withContext, isWrite);
    });
  };

  return {
    async find({ marker, record }: LogEntry, client): Promise<FoundEntry | undefined> {
      const conditions = [
        ['resource', '=', `${record.kind},${record.id}`],
        ['message', 'ilike', `%${marker}%`],
      ];
      const notes = await execute(client, 'model.ir.note.search_read', [
        conditions,
        0,
        100,
        null,
        ['message'],
      ]);
      return (notes as { message: string }[]).some(({ message }) => endsWithMarker(message, marker))
        ? {}
        : undefined;
    },

    async create({ record, text }, client) {
      const resource = `${record.kind},${record.id}`;
      const found = await execute(client, `model.${record.kind}.search_count`, [
        [['id', '=', Number(record.id)]],
      ]);
      if (found !== 1) throw new CrmError('needsAgent', 'notFound');
      await execute(client, 'model.ir.note.create', [[{ resource, message: text }]], true);
      return {};
    },

    async check(client) {
      await logIn(client);
      await execute(client, 'model.ir.note.search_count', [[['id', '=', 0]]]);
      return `Tryton as ${user}, database ${database}`;
    },
  };
}

/** Tryton's errors are lists whose first member names the exception. */
function failureOf(error: unknown): CrmError {
  const name = String(Array.isArray(error) ? error[0] : error);
  if (/Unauthorized|^401/.test(name)) return new CrmError('misconfigured', 'unauthorized');
  if (/^Database .*exist/.test(name)) return new CrmError('misconfigured', 'unknownDatabase');
  if (/AccessError|Forbidden|^403/.test(name)) return new CrmError('needsAgent', 'forbidden');
  return new CrmError('needsAgent', name.slice(0, 60));
}
