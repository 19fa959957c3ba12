/**
 * Call: our record of one click, in the shape that relay, extension and widget store, publish and show.
 * A Fact is what may change it; only `transition.ts` decides how.
 */
import { z } from 'zod/mini';
import { EntryStatus, LinkedRecord, WrapUp } from '../record/call-parts.ts';

/** `callingCallee` and `connected` occur only if the service reports them; the provider's cloud does not. */
export const callStates = [
  'initiating',
  'callingCaller',
  'callingCallee',
  'connected',
  'disconnected',
  'failed',
  'unknown',
] as const;
/** How a call that the service accepted can end. */
export const endReasons = [
  'hangUp',
  'callerNoAnswer',
  'callerBusy',
  'callerRefused',
  'callerFailure',
  'calleeNoAnswer',
  'calleeBusy',
  'calleeRefused',
  'calleeUnknown',
] as const;
export const callReasons = [...endReasons, 'refused', 'notSent', 'notAnswered', 'other'] as const;

/** Closed list of a Call's `error.code`; the texts for people are in each part's message files. */
export const callErrorCodes = [
  'lostCall',
  'refusedByProvider',
  'wrongToken',
  'wrongPath',
  'notJson',
  'unreadableReply',
  'unreachable',
  'notFound',
  'insecure',
  'redirected',
  'noAnswerInTime',
  'connectionLost',
  'interrupted',
  'notConfigured',
  'badRequest',
] as const;
export type CallErrorCode = (typeof callErrorCodes)[number];

/** One channel of the callflow (interface 2.3), in the order the PBX created them. */
export const Leg = z.object({
  id: z.string(),
  channel: z.optional(z.string()),
  state: z.optional(z.string()),
  exten: z.optional(z.string()),
  callerNumber: z.optional(z.string()),
  callerName: z.optional(z.string()),
  connectedNumber: z.optional(z.string()),
  connectedName: z.optional(z.string()),
  context: z.optional(z.string()),
});
export type Leg = z.infer<typeof Leg>;

export const CallError = z.object({ code: z.enum(callErrorCodes), message: z.string() });
export type CallError = z.infer<typeof CallError>;

const parties = ['caller', 'callee'] as const;
export type Party = (typeof parties)[number];

/** One of `values`, or `nearest` for a text that only a newer relay knows: a page keeps its widget for years. */
const enumOrNearest = <const T extends string>(values: readonly T[], nearest: NoInfer<T>) =>
  z.pipe(z.string(), z.catch(z.enum(values), nearest) as z.ZodMiniType<T, string>);

const naturalNumber = z.int().check(z.nonnegative());

/** 128 random bits as base64url (`newCallId`). */
export const CallId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/, 'expected the id of a call'));

export const Call = z.object({
  id: CallId,
  callid: z.optional(z.string()),
  from: z.string(),
  to: z.string(),
  /** Who has the number: "Ana Prado, Acme", or of several people "Acme (8)". */
  name: z.optional(z.string()),
  state: enumOrNearest(callStates, 'callingCaller'),
  reason: z.optional(enumOrNearest(callReasons, 'other')),
  createdAt: z.string(),
  acceptedAt: z.optional(z.string()),
  /** When the callee answered, where the service reports it. */
  connectedAt: z.optional(z.string()),
  startedAt: z.optional(z.string()),
  endedAt: z.optional(z.string()),
  /** Who hung up, where the service reports it; `system` is the PBX. */
  endedBy: z.optional(enumOrNearest([...parties, 'system'], 'system')),
  /** True while the relay can have this call hung up; absent otherwise. */
  canHangUp: z.optional(z.boolean()),
  talkSeconds: z.optional(naturalNumber),
  totalSeconds: z.optional(naturalNumber),
  recordingUrl: z.optional(z.string()),
  legs: z.optional(z.array(Leg)),
  uniqueid: z.optional(z.string()),
  linkedid: z.optional(z.string()),
  mainchannel: z.optional(z.string()),
  route: z.optional(z.string()),
  audioFile: z.optional(z.string()),
  /** Absent if only a newer relay knows the code of the error. */
  error: z.optional(z.catch(z.optional(CallError), undefined)),
  /** What the call is about in a CRM. */
  record: z.optional(LinkedRecord),
  wrapUp: z.optional(WrapUp),
  /** The item of a call sheet that the call is for. */
  item: z.optional(z.object({ sheet: z.string(), id: naturalNumber })),
  /** The CRM's entry of this call. */
  entry: z.optional(EntryStatus),
  revision: naturalNumber,
});
export type Call = z.infer<typeof Call>;

/** The details in a notification, read from either version and with `map` undone (`shared/service`). */
export type EndDetails = Partial<
  Omit<
    Call,
    | 'id'
    | 'from'
    | 'to'
    | 'state'
    | 'reason'
    | 'createdAt'
    | 'acceptedAt'
    | 'canHangUp'
    | 'error'
    | 'name'
    | 'record'
    | 'wrapUp'
    | 'entry'
    | 'item'
    | 'revision'
  >
> & { reason?: (typeof endReasons)[number] };

/** Evidence about a call. `at` is ISO 8601 UTC, when it became known. */
export type Fact =
  /** The provider replied `OK` / `Trying` (interface 2.2). */
  | { kind: 'accepted'; at: string; callid?: string | undefined; canHangUp?: boolean }
  /**
   * The phone of this party rings. Only a service that reports more than the end sends this, `answered` and
   * `endUnknown`.
   */
  | { kind: 'ringing'; at: string; party: Party; callid?: string | undefined }
  /** This party answered, at `at`. The callee is called after the caller, so its answer connects the two. */
  | { kind: 'answered'; at: string; party: Party; callid?: string | undefined }
  /** The agent asked the service to end the call. The service reports this end as its own. */
  | { kind: 'hangUpAsked'; at: string }
  /** The service lost sight of the call: how it ended will not be known. */
  | { kind: 'endUnknown'; at: string }
  /** The provider refused. */
  | { kind: 'refused'; at: string; error: CallError }
  /** Proven: no byte of the request left (Law 1). */
  | { kind: 'notSent'; at: string; error: CallError }
  /** The request was sent, but its reply was lost or unreadable: the phone may be ringing. */
  | { kind: 'notAnswered'; at: string; error: CallError }
  /** `lost-call` (interface 7), in a reply or a notification: the caller did not pick up. */
  | { kind: 'lostCall'; at: string; details?: EndDetails | undefined }
  /** The hang-up notification (interface 2.3). */
  | { kind: 'hungUp'; at: string; details: EndDetails }
  /** No notification came within the time that a call can last, or this call is not followed. */
  | { kind: 'noNotification'; at: string };

/** Whether only a late notification can still change the call. */
export function isFinished(call: Pick<Call, 'state'>): boolean {
  return call.state === 'disconnected' || call.state === 'failed' || call.state === 'unknown';
}

/**
 * Makes 128 random bits, base64url, before anything is sent, so that a click has an id whatever fails later. It never
 * begins with a dash: a command would take it for an option.
 */
export function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const id = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return id.startsWith('-') ? newCallId() : id;
}

/** @param now ISO 8601 UTC. */
export function newCall({ id, from, to, now }: { id: string; from: string; to: string; now: string }): Call {
  return { id, from, to, state: 'initiating', createdAt: now, revision: 0 };
}
