/** One click as the background keeps it, from the intent to the end and afterwards as history. */
import type { Call } from '../../../shared/call/call.ts';
import type { CallRequest } from '../../../shared/service/request.ts';
import type { ErrorCode, Followed } from '../../messages.ts';

/**
 * How far the click got; written durably before the step it names. A background that was killed finds here what it may do:
 * - `asking`: the relay is being asked to place it. Asking again is harmless, the click id is the Idempotency-Key.
 * - `preparing`: the call will be sent from here; the relay is told of it, an address is probed. Nothing has gone to the provider.
 * - `sending`: the one request to the provider may have left. Never sent again (Law 1).
 * - `placed`: an answer came, or it is known that none will.
 */
export type Phase = 'asking' | 'preparing' | 'sending' | 'placed';

export interface CallRecord {
  /** The click's id: 22 characters of base64url, made where the click was. */
  id: string;
  call: Call;
  phase: Phase;
  /** 1 while the end is outstanding; IndexedDB has no index on booleans. */
  open: 0 | 1;
  /** The relay's id of the call, once known. */
  relayId?: string;
  /** Revision of the relay's account that `call` shows. */
  relayRevision?: number;
  followed: Followed;
  /** Milliseconds since 1970: then the call is given up as of unknown end. */
  followUntil: number;
  /** What `/call` is asked, without token; kept for asking the relay again with the same words. */
  request: CallRequest;
  /** What the provider answered to an announced call, until the relay has taken it. */
  report?: unknown;
  /** Why nothing was placed, in the words of `error_<code>`, where the call's own state does not say it. */
  failure?: { code: ErrorCode; detail?: string };
  display: string;
  country?: string;
  extension?: string;
  /** The frame whose click it was; its chip shows the state. */
  tab?: { id: number; frameId: number };
  note: string;
  /** ISO 8601 UTC, of the last change. */
  changedAt: string;
  /** ISO 8601 UTC; the call's own, for the index. */
  createdAt: string;
}
