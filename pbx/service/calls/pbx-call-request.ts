/** The request of `/call` as this service takes it: the interface's fields (2.1) and one of our own. */
import { z } from 'zod/mini';
import { CallRequest } from '../../../shared/service/request.ts';

/** `events: "all"` asks for `ringing` and `answer` too, and for who ended the call and why. */
export const PbxCallRequest = z.extend(CallRequest, { events: z.optional(z.enum(['hangup', 'all'])) });
export type PbxCallRequest = z.infer<typeof PbxCallRequest>;

/** The origin as the service shows it: `0000<extension>` unless `force_from=yes` (2.1). */
export function shownOrigin({ from, force_from }: Pick<CallRequest, 'from' | 'force_from'>): string {
  return force_from === 'yes' ? from : `0000${from}`;
}
