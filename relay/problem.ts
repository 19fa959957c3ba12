/** RFC 9457 problems: every error the relay answers, from one closed list. */
import type { Call } from '../shared/call/call.ts';
import type { Problem } from '../shared/protocol/messages.ts';

/** code -> HTTP status and title. */
const problems = {
  badRequest: [400, 'The request is not understood'],
  invalidFields: [400, 'Some fields are wrong'],
  idempotencyKeyMissing: [400, 'The Idempotency-Key header is missing or wrong'],
  unauthorized: [401, 'A valid key or ticket is needed'],
  ticketExpired: [401, 'The ticket has expired'],
  forbidden: [403, 'This key or ticket may not do that'],
  callerNotYours: [403, 'This key or ticket may not act for that caller'],
  numberNotAllowed: [403, 'This number may not be dialled'],
  notFound: [404, 'There is nothing here'],
  bodyTooLarge: [413, 'The body is too large'],
  addressTooLong: [414, 'The address is too long'],
  notJson: [415, 'The body must be JSON'],
  idempotencyKeyReused: [422, 'The Idempotency-Key belongs to another request'],
  notANotification: [422, 'This is not the notification of an end'],
  tooManyRequests: [429, 'Too many requests'],
  tooManyCalls: [429, 'Too many calls'],
  tooManyStreams: [503, 'Too many open streams'],
  widgetNotBuilt: [503, 'The widget is not built'],
  storeUnavailable: [503, 'The store cannot take this now'],
  stopping: [503, 'The relay is stopping'],
  internal: [500, 'Something went wrong in the relay'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof problems;

interface ProblemDetails {
  detail?: string;
  errors?: { path: string; message: string }[];
  call?: Call;
  /** Seconds, for the Retry-After header. */
  retryAfter?: number;
}

/** Thrown anywhere in a route; the error handler answers it. `message` is for people and holds nothing secret. */
export class ProblemError extends Error {
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ProblemCode,
    private readonly details: ProblemDetails = {},
  ) {
    super(details.detail ?? problems[code][1]);
    this.status = problems[code][0];
    this.retryAfter = details.retryAfter;
  }

  toBody(instance: string): Problem {
    const { detail, errors, call } = this.details;
    return {
      type: `urn:dialmark:problem:${this.code}`,
      title: problems[this.code][1],
      status: this.status,
      code: this.code,
      instance,
      ...(detail === undefined ? {} : { detail }),
      ...(errors === undefined ? {} : { errors }),
      ...(call === undefined ? {} : { call }),
    };
  }
}

export const problemType = 'application/problem+json; charset=utf-8';
