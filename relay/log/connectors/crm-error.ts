/**
 * Why an entry is not there (yet).
 * - `later`: proven that nothing was created; try again, not before `retryAfterMs`.
 * - `unsure`: it may have been created; look for it before the next attempt.
 * - `needsAgent`: the record is gone, moved or closed to us; an agent chooses another one.
 * - `misconfigured`: the CRM refuses the relay itself, whatever the record: wrong address, key or right.
 */
export type CrmFailure = 'later' | 'unsure' | 'needsAgent' | 'misconfigured';

export class CrmError extends Error {
  constructor(
    readonly kind: CrmFailure,
    /** For agent and operator: a short code from the connector, for example `notFound` or `merged:4800`. */
    readonly reason: string,
    readonly retryAfterMs?: number,
  ) {
    super(reason);
  }
}

/** The CRM has no user with the login of an agent. It refuses the entries of this agent alone. */
export class UnknownUser extends CrmError {
  constructor(login: string) {
    super('misconfigured', `unknownUser:${login}`);
  }
}
