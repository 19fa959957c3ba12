/** A CRM's client for one attempt: it writes only while the claim of the entry holds, and reads no longer than that. */
import { type CrmClient, maxRequestMs } from './connectors/crm-client.ts';
import { CrmError } from './connectors/crm-error.ts';

/** How long a claim lasts from when it is made or confirmed: longer than two requests. */
export const claimMs = 60_000;

/**
 * @param confirm confirms and extends the claim, just before each request that changes something. A connector may have
 * spent a long time on reads before.
 */
export function claimedClient(client: CrmClient, now: () => number, confirm: () => Promise<void>): CrmClient {
  const endOfReads = () => now() + claimMs - maxRequestMs;
  let readsEnd = endOfReads();
  return {
    async request(request) {
      if (!request.isWrite) {
        if (now() > readsEnd) throw new CrmError('later', 'noAnswerInTime');
        return client.request(request);
      }
      await confirm();
      const end = endOfReads();
      readsEnd = end;
      // A process that stood still while it connected may have lost its claim to another attempt.
      return client.request({ ...request, mayStillSend: () => now() <= end });
    },
  };
}
