/** Error codes of the connection. What people read is in `texts.ts`; `message` is for developers. */
export type Fault =
  /** An attribute is missing or wrong: the page's author has to act. */
  | 'setUp'
  /** The site or the relay cannot reply just now. */
  | 'unavailable'
  /** The site replied 401 or 403 to the request for a ticket. */
  | 'signedOut'
  /** The relay does not accept the ticket. */
  | 'unauthorized'
  | 'offline'
  /** The reply is not a relay's. */
  | 'notUnderstood';

/** Error codes of `dial()`, the relay's own among them. */
export const dialFaults = [
  'notANumber',
  'emergency',
  'busy',
  'forbidden',
  'numberNotAllowed',
  'tooManyCalls',
  'notPlaced',
  /** It may have been placed. */
  'perhapsPlaced',
] as const;
export type DialFault = (typeof dialFaults)[number];

/** `detail` of `dialmark:error`, and what `dial()` rejects with. */
export class WidgetError extends Error {
  constructor(
    readonly code: Fault | DialFault,
    message: string,
  ) {
    super(message);
  }
}
