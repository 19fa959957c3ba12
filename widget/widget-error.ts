/** What can go wrong, from a closed list; the words for people are in `words/`. `message` is for developers. */
export type Fault =
  /** An attribute is missing or wrong: the page's author has to act. */
  | 'setUp'
  /** The site or the relay cannot answer just now. */
  | 'unavailable'
  /** The site answered 401 or 403 where a ticket was asked for. */
  | 'signedOut'
  /** The relay does not accept the ticket. */
  | 'unauthorized'
  | 'offline'
  /** What answers is no relay, or lies. */
  | 'notUnderstood';

/** The relay's own codes are among them. */
export const dialFaults = [
  'notANumber',
  'emergency',
  'busy',
  'forbidden',
  'numberNotAllowed',
  'tooManyCalls',
  /** Nothing was placed. */
  'notPlaced',
  /** It may have been placed, and we cannot tell. */
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
