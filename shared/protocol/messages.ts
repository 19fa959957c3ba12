/** The relay's HTTP and SSE: one schema per shape, used by relay, extension and widget. */
import { z } from 'zod/mini';
import { Call, callErrorCodes } from '../call/call.ts';
import { LinkedRecord } from '../record/call-parts.ts';
import { RecordKey } from '../record/template.ts';
import { WrapUpOutcome } from '../record/wrap-up.ts';
import { CalleeDigits, CallerCode, CallerId, TimeoutSeconds } from '../service/request.ts';
import { Reason, ShownEntry } from './do-not-call.ts';
import { ItemKey } from './sheets.ts';

/** POST /v1/calls/{id}/record: the record that gets the call's entry; `none`: no record. */
export const RecordRequest = z.union([RecordKey, z.strictObject({ none: z.literal(true) })]);
export type RecordRequest = z.infer<typeof RecordRequest>;

/** POST /v1/calls. `placedBy: "client"` announces a call that the client sends to the provider itself. */
export const PlaceCallRequest = z.strictObject({
  to: CalleeDigits,
  from: z.optional(CallerCode),
  timeout: z.optional(TimeoutSeconds),
  force_from: z.optional(z.enum(['yes', 'no'])),
  callerid: z.optional(CallerId),
  placedBy: z.optional(z.enum(['relay', 'client'])),
  /**
   * The record of the call; agent keys only. `none`: no record, and the relay does not look for one. `choose`: the
   * agent chooses the record afterwards, for this reason.
   */
  record: z.optional(
    z.union([RecordRequest, z.strictObject({ choose: z.enum(['recordUnknown', 'recordNotShown']) })]),
  ),
  /** The name beside the number on the page. It is kept if no directory knows a name; agent keys only. */
  name: z.optional(z.string().check(z.maxLength(200, 'expected at most 200 characters'))),
  /** The item of a sheet that is called; its caller has claimed it. */
  item: z.optional(ItemKey),
  /** Why the team's rules are not to stop this call; needs the key's right `override`. */
  override: z.optional(z.strictObject({ reason: Reason })),
});
export type PlaceCallRequest = z.infer<typeof PlaceCallRequest>;

/** 201 to an announced call. */
export const AnnouncedCall = z.object({ call: Call, returnUrl: z.string() });
export type AnnouncedCall = z.infer<typeof AnnouncedCall>;

/**
 * POST /v1/calls/{id}/reply: the result of an announced call. `reply` is the provider's JSON object as received, with
 * its HTTP status. `error` says why there is no reply. An error without `kind` proves nothing and counts as
 * `notAnswered`.
 */
export const ReportReply = z.union([
  z.strictObject({ reply: z.record(z.string(), z.unknown()), httpStatus: z.optional(z.int()) }),
  z.strictObject({
    error: z.object({
      kind: z.optional(z.enum(['refused', 'notSent', 'notAnswered'])),
      code: z.enum(callErrorCodes),
      message: z.string().check(z.maxLength(500)),
    }),
  }),
]);
export type ReportReply = z.infer<typeof ReportReply>;

/** GET /v1/calls: newest first; `next` is the `before` of the following page, absent on the last. */
export const CallPage = z.object({
  calls: z.array(Call),
  next: z.optional(z.string()),
  /** The callers whose calls the key or ticket may place and read. */
  callers: z.optional(z.array(z.string())),
});
export type CallPage = z.infer<typeof CallPage>;

/** GET /v1/events with `Accept: application/json`: the same events as one page. */
export const EventPage = z.object({
  reset: z.boolean(),
  events: z.array(z.object({ id: z.string(), call: Call })),
  /** Cursor for the next page; present even when there are no events. */
  cursor: z.string(),
});
export type EventPage = z.infer<typeof EventPage>;

export const rights = ['watch', 'dial', 'hangup', 'record', 'wrapUp', 'names'] as const;
export const TicketRequest = z.strictObject({
  from: CallerCode,
  /** What every call of this ticket is about. */
  record: z.optional(RecordKey),
  rights: z.array(z.enum(rights)).check(z.minLength(1, `expected at least one of ${rights.join(', ')}`)),
  /** Seconds. */
  ttl: z.optional(
    z
      .int()
      .check(z.minimum(10, 'expected at least 10 seconds'), z.maximum(3600, 'expected at most 3600 seconds')),
  ),
});
export type TicketRequest = z.infer<typeof TicketRequest>;

/** 201 to POST /v1/tickets. `expiresAt` ISO 8601 UTC. */
export const Ticket = z.object({ ticket: z.string(), expiresAt: z.string() });
export type Ticket = z.infer<typeof Ticket>;

/** GET /v1/callbacks: calls to be repeated, by `wrapUp.callBackAt`. */
export const CallbackPage = z.object({ calls: z.array(Call) });
export type CallbackPage = z.infer<typeof CallbackPage>;

/** GET /v1/calls/{id}/records: what a call without a record may be about. */
export const RecordCandidate = z.object({
  record: LinkedRecord,
  name: z.string(),
  organisation: z.optional(z.string()),
});
export type RecordCandidate = z.infer<typeof RecordCandidate>;
export const RecordCandidates = z.object({ candidates: z.array(RecordCandidate) });

/** RFC 9457. `code` is ours, from a closed list per route; `errors` names the fields that were wrong. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.optional(z.string()),
  code: z.optional(z.string()),
  instance: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** The outcomes that are known, if the wrap-up's outcome is not. */
  outcomes: z.optional(z.array(WrapUpOutcome)),
  /** The callers that `from` may name, if it is missing. */
  callers: z.optional(z.array(z.string())),
  /** The call, if the problem is about a call that exists. */
  call: z.optional(Call),
  /** `doNotCall`: who asked for it, and when. Absent for a ticket. */
  doNotCall: z.optional(ShownEntry),
  /** `unauthorized`: the key was revoked, and notes of calls that were made with it are to be removed. */
  removeNotes: z.optional(z.boolean()),
  /**
   * `leased`: since when somebody is calling the number. `by` is absent for another team. For a ticket, the whole field
   * is absent.
   */
  lease: z.optional(z.object({ by: z.optional(z.string()), since: z.string() })),
});
export type Problem = z.infer<typeof Problem>;
