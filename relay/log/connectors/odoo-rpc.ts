/** Odoo by JSON-RPC (tried with 14.0), as one user in one database: for calls on its records, and for names. */
import type { CrmSettings } from './connector.ts';
import type { CrmClient } from './crm-client.ts';
import { CrmError } from './crm-error.ts';

interface RpcReply {
  result?: unknown;
  error?: { data?: { name?: string } };
}

/** Odoo's exceptions by their names. An error of the database driver proves nothing about the record. */
const failures: readonly (readonly [RegExp, 'needsAgent' | 'misconfigured' | 'unsure', string])[] = [
  [/MissingError$/, 'needsAgent', 'notFound'],
  [/AccessError$/, 'needsAgent', 'forbidden'],
  [/AccessDenied$/, 'misconfigured', 'unauthorized'],
  [/^psycopg2\./, 'unsure', 'databaseBusy'],
];

interface OdooRpc {
  logIn(client: CrmClient): Promise<number>;
  /** The server's version, which needs no login. */
  version(client: CrmClient): Promise<string>;
  /** Calls a model's method as the user. Logs the user in first if needed. */
  execute(
    client: CrmClient,
    modelAndMethod: readonly [string, string],
    args: unknown[],
    named?: object,
    isWrite?: boolean,
  ): Promise<unknown>;
}

/** @param settings `token` is the password or API key of `user` in `database`. */
export function odooRpc({ database = '', user = '', token = '' }: Partial<CrmSettings>): OdooRpc {
  let userId: number | undefined;

  const rpc = async (
    client: CrmClient,
    service: string,
    method: string,
    args: unknown[],
    isWrite = false,
  ): Promise<unknown> => {
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
    // If the password is wrong, Odoo answers false. Without a result, another program has answered.
    if (typeof id !== 'number')
      throw new CrmError('misconfigured', id === undefined ? 'unreadable' : 'unauthorized');
    userId = id;
    return id;
  };
  return {
    logIn,
    version: async (client) =>
      ((await rpc(client, 'common', 'version', [])) as { server_version: string }).server_version,
    async execute(client, [model, method], args, named = {}, isWrite = false) {
      const id = userId ?? (await logIn(client));
      const call = [database, id, token, model, method, args, named];
      return rpc(client, 'object', 'execute_kw', call, isWrite);
    },
  };
}
