/** The messages of our own pages about the time after a call: its wrap-up, its record, and calls to be repeated. */
import { z } from 'zod/mini';
import { type Call, CallId } from '../../shared/call/call.ts';
import type { RecordCandidate } from '../../shared/protocol/messages.ts';
import type { Rules } from '../../shared/protocol/rules.ts';
import { RecordKey } from '../../shared/record/template.ts';
import { type WrapUpOutcome, WrapUpRequest } from '../../shared/record/wrap-up.ts';
import { replyOf, shortText } from './fields.ts';

/** `isOutdated`: somebody else has changed the wrap-up meanwhile, and `call` has that version. */
export interface WrapUpReply {
  call: Call;
  isOutdated: boolean;
}

/** A call to be repeated at `call.wrapUp.callBackAt`. */
export interface Callback {
  call: Call;
  /** The number as it was clicked, or only its digits if another browser placed the call. */
  display: string;
  name?: string | undefined;
  extension?: string | undefined;
  /** Whether this browser placed the call. Other calls have only digits, which dial rules have changed. */
  isOwn: boolean;
  /** The agent wants the call on no record. It is known only if this browser placed the call. */
  isNotLogged?: boolean;
}

/** The agent's own day, from midnight by the browser's clock. */
export interface DayView {
  calls: number;
  answered: number;
  talkSeconds: number;
  /** The most frequent first. */
  outcomes: { outcome: WrapUpOutcome; count: number }[];
  withoutOutcome: number;
  /** How many callbacks are due by the end of today. Only a relay knows it. */
  callbacks?: number | undefined;
  /** The relay did not reply, so these are only the calls of this browser. */
  isOffline?: boolean;
}

export const wrapUpMessages = {
  /**
   * Saves the fields that are present; absent fields stay as they are.
   * @param revision of the wrap-up that the agent saw, or 0 without one.
   */
  'page.wrapUp': {
    request: z.object({
      callId: CallId,
      revision: z.int().check(z.nonnegative()),
      ...WrapUpRequest.shape,
    }),
    reply: replyOf<WrapUpReply>(),
  },
  /** Adds a number, as displayed, to the list that must not be called, for the whole team. */
  'page.doNotCall': { request: z.object({ display: shortText }), reply: replyOf<null>() },
  /** Lists the records that a call without a record may be about. */
  'page.recordCandidates': { request: z.object({ callId: CallId }), reply: replyOf<RecordCandidate[]>() },
  /** Logs the call on this record; null: on no record. */
  'page.chooseRecord': {
    request: z.object({ callId: CallId, record: z.nullable(RecordKey) }),
    reply: replyOf<Call>(),
  },
  /** Reads a call again, because its log entry changes after the call's end. */
  'page.readCall': { request: z.object({ callId: CallId }), reply: replyOf<null>() },
  /** Lists the calls to be repeated, the earliest first; null without a relay. */
  'page.callbacks': { request: z.object({}), reply: replyOf<Callback[] | null>() },
  'page.myDay': { request: z.object({}), reply: replyOf<DayView>() },
  /** The team's rules; null without a relay. */
  'page.rules': { request: z.object({}), reply: replyOf<Rules | null>() },
} as const;
