/**
 * A system of the operator's own: every logged call as a Standard Webhook. The receiver recognises a repetition by its
 * `webhook-id`, so there is nothing to look for.
 */
import { hash } from 'node:crypto';
import { signedHeaders } from '../../forward/sign.ts';
import type { Connector } from './connector.ts';
import { CrmError } from './crm-error.ts';

/** @param path of the address, with its query. */
export function webhookConnector(path: string, secret: Buffer): Connector {
  return {
    async create({ record, part, kind, text, call }, client) {
      const data = { record, part, kind, text, call };
      const body = { type: 'call.logged', timestamp: new Date().toISOString(), data };
      // The id contains the record, because a moved call has a first entry on each of its records.
      const place = hash('sha256', JSON.stringify([record.system, record.kind, record.id]), 'base64url');
      const id = `log_${call.id}_${place.slice(0, 12)}_${part}`;
      const reply = await client.request({
        method: 'POST',
        path,
        headers: signedHeaders(id, Date.now(), JSON.stringify(body), [secret]),
        body,
        isWrite: true,
        hasAnyReply: true,
      });
      if (reply.status === 410) throw new CrmError('needsAgent', 'gone');
      if (reply.status >= 300) throw new CrmError('later', `http${reply.status}`);
      return {};
    },

    async check() {
      return { who: 'a webhook', missing: [], untested: 'it is not asked without a call' };
    },
  };
}
