/** Request Tracker by REST 2 (tried with 5.0.3), as one user: for calls on its tickets, and for names. */
import type { CrmSettings } from './connector.ts';
import type { CrmClient, CrmReply, CrmRequest } from './crm-client.ts';
import { CrmError } from './crm-error.ts';

type RtRest = (client: CrmClient, request: CrmRequest) => Promise<CrmReply>;

/** @param settings `token` is an authentication token, or with `user` the password. */
export function rtRest({ user, token = '' }: Partial<CrmSettings>): RtRest {
  const authorization =
    user === undefined ? `token ${token}` : `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;
  return async (client, request) => {
    const path = `/REST/2.0${request.path}`;
    const reply = await client.request({ ...request, path, headers: { authorization } });
    if (reply.status === 403) throw new CrmError('needsAgent', 'forbidden');
    if (reply.status === 404) throw new CrmError('needsAgent', 'notFound');
    return reply;
  };
}
