/** One click as the background stores it, from the intent to the end and afterwards as history. */
import type { Call } from '../../../shared/call/call.ts';
import type { PlaceCallRequest, ReportReply } from '../../../shared/protocol/messages.ts';
import type { ItemKey } from '../../../shared/protocol/sheets.ts';
import type { LinkedRecord } from '../../../shared/record/call-parts.ts';
import type { RecordKey } from '../../../shared/record/template.ts';
import type { CallRequest } from '../../../shared/service/request.ts';
import type { Refusal } from '../../messages/result.ts';
import type { Followed } from '../../messages/views.ts';

/**
 * How far the click got, written before the step that it names. A killed background reads here what it may do:
 * - `asking`: requested from the relay. A repeated request is harmless, the click's id is the Idempotency-Key.
 * - `preparing`: the browser probes the address and announces the call to the relay. The provider has nothing yet.
 * - `sending`: the one request to the provider may have left. Never sent again (Law 1).
 * - `placed`: an answer came, or it is known that none will.
 */
export type Phase = 'asking' | 'preparing' | 'sending' | 'placed';

export interface CallRecord {
  /** The click's id, made where the click was: also the Idempotency-Key, and the id of the call at the relay. */
  id: string;
  call: Call;
  phase: Phase;
  /** Where the click was going (`routeDigest`): what a killed background left is resumed to there only. */
  destination: string;
  /**
   * 1 while the end is outstanding. 2 while something after the end is: wrap-up, callback or log entry. Else 0.
   * IndexedDB has no index on booleans.
   */
  open: 0 | 1 | 2;
  /** Revision of the relay's account that `call` shows; absent until the relay has the call. */
  relayRevision?: number;
  followed: Followed;
  /** Milliseconds since 1970: then the call is given up as of unknown end. */
  followUntil: number;
  /** The fields of `/call`, without token; kept to repeat the same request to the relay. */
  request: CallRequest;
  /** What became of the request for an announced call, until the relay has it. */
  report?: ReportReply | undefined;
  /** Why nothing was placed, where the call's own state does not show it. */
  failure?: Refusal | undefined;
  display: string;
  /** What stood beside the number where it was clicked; a directory's name is in `call`. */
  name?: string | undefined;
  country?: string | undefined;
  extension?: string | undefined;
  /** What the call is about in a CRM, where a relay hears of it; null: nothing, the agent has said so. */
  record?: RecordKey | null | undefined;
  /** The click came before the record was on the screen: the agent is asked for it afterwards (Law 8). */
  isRecordUnseen?: boolean | undefined;
  /** The record that the agent has taken the call off since; null: it had none. */
  removedRecord?: LinkedRecord | null | undefined;
  /** The item of a call sheet that is called. */
  item?: ItemKey | undefined;
  override?: PlaceCallRequest['override'];
  /** The frame whose click it was; its chip shows the state. */
  tab?: { id: number; frameId: number } | undefined;
  note: string;
  /** ISO 8601 UTC, of the last change of an outcome: when it was learned here, which may be long after the call. */
  outcomeAt?: string | undefined;
  /** ISO 8601 UTC, of the last change. */
  changedAt: string;
  /** ISO 8601 UTC; the call's own, for the index. */
  createdAt: string;
}

/** What a call is about, in its request. */
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
