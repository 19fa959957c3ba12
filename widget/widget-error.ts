/** The error codes of the connection. `texts.ts` has the texts for people; `message` is for developers. */
export type Fault =
  /** An attribute is missing or wrong: the page's author has to correct it. */
  | 'setUp'
  /** The site or the relay cannot reply at present. */
  | 'unavailable'
  /** The site replied 401 or 403 to the request for a ticket. */
  | 'signedOut'
  /** The relay does not accept the ticket. */
  | 'unauthorized'
  | 'offline'
  /** The reply does not come from a relay. */
  | 'notUnderstood';

/** The error codes of `dial()`. Some of them are the relay's own. */
export const dialFaults = [
  'notANumber',
  'emergency',
  'busy',
  'forbidden',
  'numberNotAllowed',
  'tooManyCalls',
  'notPlaced',
  /** The call may have been placed. */
  'perhapsPlaced',
] as const;
export type DialFault = (typeof dialFaults)[number];

/** The `detail` of `dialmark:error`, and the error with which `dial()` rejects. */
export class WidgetError extends Error {
  constructor(
    readonly code: Fault | DialFault,
    message: string,
  ) {
    super(message);
  }
}
