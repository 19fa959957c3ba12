/** Ends a run early. The message says what to do next and holds no secret. */
export class RegistrationError extends Error {
  constructor(
    message: string,
    /** Whether the record may hold the change already. */
    readonly mayBeWritten = false,
  ) {
    super(message);
    this.name = 'RegistrationError';
  }
}
