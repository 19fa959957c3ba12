/** One click as the background stores it, from the intent to the end and afterwards as history. */
import type { Call } from '../../../shared/call/call.ts';
import { sendWithinMs } from '../../../shared/call/send-within.ts';
import type { PlaceCallRequest, ReportReply } from '../../../shared/protocol/messages.ts';
import type { ItemKey } from '../../../shared/protocol/sheets.ts';
import type { LinkedRecord } from '../../../shared/record/call-parts.ts';
import type { RecordKey } from '../../../shared/record/template.ts';
import type { CallRequest } from '../../../shared/service/request.ts';
import type { Refusal } from '../../messages/result.ts';
import type { Followed } from '../../messages/views.ts';

/**
 * How far the click got. The phase is written before the step begins. A background that restarts after a kill reads
 * here what it may do:
 * - `asking`: requested from the relay. A repeated request is harmless, the click's id is the Idempotency-Key.
 * - `preparing`: the browser probes the address and announces the call to the relay. The provider has nothing yet.
 * - `sending`: the one request to the provider may have left. Never sent again (Law 1).
 * - `placed`: a reply came, or it is known that a reply will not come.
 */
export type Phase = 'asking' | 'preparing' | 'sending' | 'placed';

export interface CallRecord {
  /** The click's id, made by the page of the click. It is also the Idempotency-Key, and the call's id at the relay. */
  id: string;
  call: Call;
  phase: Phase;
  /** The digest of the click's route (`routeDigest`). After a kill, the call is resumed on this route only. */
  destination: string;
  /**
   * 1: the end of the call is awaited. 2: the call ended, but its wrap-up, callback or log entry is open. 0: nothing is
   * open.
   */
  open: 0 | 1 | 2;
  /** The revision of the relay's Call that is stored in `call`. Absent until the relay has the call. */
  relayRevision?: number;
  followed: Followed;
  /** When following stops, in milliseconds since 1970. Then the call's end is unknown. */
  followUntil: number;
  /** The fields of `/call`, without token; kept to repeat the same request to the relay. */
  request: CallRequest;
  /** The result of the request for an announced call. It is kept until the relay has received it. */
  report?: ReportReply | undefined;
  /** Why nothing was placed, where the call's own state does not show it. */
  failure?: Refusal | undefined;
  display: string;
  /** The name beside the number on the page of the click. A name from a directory is in `call`. */
  name?: string | undefined;
  country?: string | undefined;
  extension?: string | undefined;
  /** The CRM record of the call, if a relay knows the call. Null: the agent chose not to have a record. */
  record?: RecordKey | null | undefined;
  /**
   * The click came before our tip or question showed the record. The agent is asked for a record afterwards (Law 8).
   */
  isRecordUnseen?: boolean | undefined;
  /** The record that the agent removed from the call. Null: the call did not have a record before. */
  removedRecord?: LinkedRecord | null | undefined;
  /** The item of a call sheet that is called. */
  item?: ItemKey | undefined;
  override?: PlaceCallRequest['override'];
  /** The frame of the click. The chip in this frame shows the state. */
  tab?: { id: number; frameId: number } | undefined;
  note: string;
  /**
   * ISO 8601 UTC: when this browser learned of the outcome, or of a later change of it. That may be long after the
   * call.
   */
  outcomeAt?: string | undefined;
  /** ISO 8601 UTC, of the last change. */
  changedAt: string;
  /** ISO 8601 UTC: a copy of `call.createdAt`, for the database index. */
  createdAt: string;
}

export const isFreshClick = ({ createdAt }: CallRecord): boolean =>
  Date.now() - Date.parse(createdAt) < sendWithinMs;

/** The fields of the relay's request that say what the call is about. */
export const aboutCall = ({
  record,
  isRecordUnseen,
  name,
  item,
  override,
}: CallRecord): Partial<PlaceCallRequest> => ({
  ...(record !== undefined && {
    record: isRecordUnseen ? { choose: 'recordNotShown' } : (record ?? { none: true }),
  }),
  ...(name && { name }),
  ...(item && { item }),
  ...(override && { override }),
});
