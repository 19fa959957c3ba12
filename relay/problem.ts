/** Every error that the relay answers, from one closed list. */
import {
  commonProblems,
  HttpProblem,
  type ProblemDetails,
  type ProblemTable,
} from '../shared/server/problem.ts';

const problems = {
  ...commonProblems,
  idempotencyKeyMissing: [400, 'The Idempotency-Key header is missing or wrong'],
  unauthorized: [401, 'A valid key or ticket is needed'],
  ticketExpired: [401, 'The ticket has expired'],
  forbidden: [403, 'This key or ticket may not do that'],
  callerNotYours: [403, 'This key or ticket may not act for that caller'],
  numberNotAllowed: [403, 'This number may not be dialled'],
  doNotCall: [403, 'This number asked not to be called'],
  listTooOld: [403, 'A list of numbers is too old'],
  callingHours: [403, 'Calls are not allowed at this hour'],
  leased: [409, 'Somebody is calling this number'],
  itemTaken: [409, 'This item of the sheet is not yours any more'],
  cannotHangUp: [409, 'This call cannot be hung up from here'],
  outdated: [412, 'It was changed meanwhile'],
  preconditionMissing: [428, 'The If-Match header is missing'],
  outcomeRequired: [409, 'The last call needs an outcome first'],
  callFinished: [409, 'This call is over'],
  idempotencyKeyReused: [422, 'The Idempotency-Key belongs to another request'],
  recordUnknown: [422, 'This is not a record of a known system'],
  wrapUpIncomplete: [422, 'The wrap-up is not complete'],
  numberUnknown: [422, 'The number cannot be read'],
  notANotification: [422, 'This is not the notification of a call'],
  tooManyCalls: [429, 'Too many calls'],
  tooManyAttempts: [429, 'This number was tried often enough today'],
  providerUnreachable: [502, 'The calling service cannot be asked'],
  tooManyStreams: [503, 'Too many open streams'],
  widgetNotBuilt: [503, 'The widget is not built'],
  storeUnavailable: [503, 'The store cannot take this now'],
  stopping: [503, 'The relay is stopping'],
  storeUnwritable: [507, 'The store cannot keep this'],
} as const satisfies ProblemTable;

export class ProblemError extends HttpProblem {
  constructor(code: keyof typeof problems, details?: ProblemDetails) {
    super(code, problems, details);
  }
}
