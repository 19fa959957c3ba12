/** The messages of our own pages about what follows a call: wrap-up, its record, and calls to be repeated. */
import { z } from 'zod/mini';
import { type Call, CallId } from '../../shared/call/call.ts';
import type { RecordCandidate } from '../../shared/protocol/messages.ts';
import type { Rules } from '../../shared/protocol/rules.ts';
import { RecordKey } from '../../shared/record/template.ts';
import { type WrapUpOutcome, WrapUpRequest } from '../../shared/record/wrap-up.ts';
import { replyOf, shortText } from './fields.ts';

/** `isOutdated`: somebody else changed the wrap-up meanwhile, and `call` has theirs. */
export interface WrapUpReply {
  call: Call;
  isOutdated: boolean;
}

/** A call to be repeated at `call.wrapUp.callBackAt`. */
export interface Callback {
  call: Call;
  /** The number as it was clicked; its digits where another browser placed the call. */
  display: string;
  name?: string | undefined;
  extension?: string | undefined;
  /** Whether this browser placed the call. Other calls have only digits, which dial rules have changed. */
  isOwn: boolean;
  /** The agent wants it on no record; known where this browser placed it. */
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
  /** The callbacks due by the end of today. Only a relay knows them. */
  callbacks?: number | undefined;
  /** The relay did not answer: these are the calls of this browser alone. */
  isOffline?: boolean;
}

export const wrapUpMessages = {
  /** Saves what is there; what is absent stays. @param revision of the wrap-up that the agent saw, 0 for none. */
  'page.wrapUp': {
    request: z.object({
      callId: CallId,
      revision: z.int().check(z.nonnegative()),
      ...WrapUpRequest.shape,
    }),
    reply: replyOf<WrapUpReply>(),
  },
  /** Lists a number, as displayed, among those that must not be called: for the whole team. */
  'page.doNotCall': {
    request: z.object({ display: shortText, reason: z.optional(shortText) }),
    reply: replyOf<null>(),
  },
  /** Lists records that a call without one may be about. */
  'page.recordCandidates': { request: z.object({ callId: CallId }), reply: replyOf<RecordCandidate[]>() },
  /** Has the call's entry go to this record; null: nowhere. */
  'page.chooseRecord': {
    request: z.object({ callId: CallId, record: z.nullable(RecordKey) }),
    reply: replyOf<Call>(),
  },
  /** Reads a call again: its entry changes after its end. */
  'page.readCall': { request: z.object({ callId: CallId }), reply: replyOf<null>() },
  /** Lists the calls to be repeated, the earliest first; null without a relay. */
  'page.callbacks': { request: z.object({}), reply: replyOf<Callback[] | null>() },
  'page.myDay': { request: z.object({}), reply: replyOf<DayView>() },
  /** The team's rules; null without a relay. */
  'page.rules': { request: z.object({}), reply: replyOf<Rules | null>() },
} as const;
