/** Tryton by JSON-RPC (tried with 6.0.29), as one user in one database: for calls on its records, and for names. */
import type { CrmSettings } from './connector.ts';
import type { CrmClient } from './crm-client.ts';
import { CrmError } from './crm-error.ts';

interface Session {
  userId: number;
  key: string;
}

interface TrytonRpc {
  logIn(client: CrmClient): Promise<void>;
  /** Calls a model's method as the user. Logs the user in first if needed. */
  execute(
    client: CrmClient,
    method: string,
    params: unknown[],
    options?: { context?: object; isWrite?: boolean },
  ): Promise<unknown>;
}

/** @param settings `token` is the password of `user` in `database`. */
export function trytonRpc({ database = '', user = '', token = '' }: Partial<CrmSettings>): TrytonRpc {
  let session: Session | undefined;

  const rpc = async (
    client: CrmClient,
    method: string,
    params: unknown[],
    isWrite = false,
  ): Promise<unknown> => {
    const own = session && `${user}:${session.userId}:${session.key}`;
    const { status, json } = await client.request({
      method: 'POST',
      path: `/${encodeURIComponent(database)}/`,
      headers: own ? { authorization: `Session ${Buffer.from(own).toString('base64')}` } : {},
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
    if (!Array.isArray(login))
      throw new CrmError('misconfigured', login === undefined ? 'unreadable' : 'unauthorized');
    session = { userId: login[0] as number, key: login[1] as string };
  };
  return {
    logIn,
    /** A session ends after a time without requests. The reply is then 401, and nothing was done. */
    async execute(client, method, params, { context = {}, isWrite = false } = {}) {
      if (!session) await logIn(client);
      const withContext = [...params, context];
      return rpc(client, method, withContext, isWrite).catch(async (error: CrmError) => {
        if (error.reason !== 'unauthorized') throw error;
        await logIn(client);
        return rpc(client, method, withContext, isWrite);
      });
    },
  };
}

/**
 * Tryton's errors are lists. Their first member is the name of Tryton's own exception, or the message of another one. A
 * missing right is a `UserError` in the user's language. If it is another error, for example `database is locked`, it
 * is not known what was done.
 */
function failureOf(error: unknown): CrmError {
  const name = String(Array.isArray(error) ? error[0] : error);
  if (/Unauthorized|^401/.test(name)) return new CrmError('misconfigured', 'unauthorized');
  if (/^Database .*exist/.test(name)) return new CrmError('misconfigured', 'unknownDatabase');
  if (/AccessError|UserError|Forbidden|^403/.test(name)) return new CrmError('needsAgent', 'forbidden');
  return new CrmError(/^User/.test(name) ? 'needsAgent' : 'unsure', name.slice(0, 60));
}
