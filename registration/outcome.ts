/** The ways a run can end: one table for the process's exit code, `--json`, `--help` and docs/registration.md. */
import type { LoginErrorCode } from '../shared/service/registration.ts';

/** Exit code -> its meaning. Scripts rely on these; a number never changes its meaning. */
export const exitCodes = {
  0: 'written, or nothing to change, or --dry-run showed what would change',
  1: 'an unexpected error; where something may have been written, the backup was named',
  2: 'a wrong option or mapping file; nothing was read',
  3: 'you declined, or left; nothing was written',
  10: 'the record cannot be reached: database down, wrong user',
  11: 'the record is not as it must be: no row, two rows, a missing table or column; nothing was written',
  12: 'a key does not fit its column; nothing was written',
  13: 'the record changed since it was read; nothing was written',
  14: 'writing failed and was rolled back; nothing was written',
  15: 'the connection broke at the very end; it may be written or not: run again to see',
  16: 'written, but reading it back gives something else',
  20: 'the service does not accept the e-mail address and password',
  21: 'the service cannot be reached or is down',
  22: 'the service answered something unusable: wrong address, a web page, a refusal',
} as const;
type ExitCode = keyof typeof exitCodes;

/** Code of an error in `--json` -> exit code. */
export const exitCodeOf = {
  internal: 1,
  badOption: 2,
  badMapping: 2,
  declined: 3,
  recordUnreachable: 10,
  noRow: 11,
  severalRows: 11,
  noUuid: 11,
  missingTable: 11,
  missingColumn: 11,
  notText: 11,
  notTransactional: 11,
  otherConsumer: 11,
  keyTooLong: 12,
  changedMeanwhile: 13,
  writeFailed: 14,
  outcomeUnknown: 15,
  readBackDiffers: 16,
  wrongPassword: 20,
  unreachable: 21,
  noAnswerInTime: 21,
  serviceDown: 21,
  badAddress: 2,
  insecure: 2,
  wrongPath: 22,
  refused: 22,
  notJson: 22,
  unreadableReply: 22,
} as const satisfies Record<string, ExitCode> & Record<LoginErrorCode, ExitCode>;
type RegisterErrorCode = keyof typeof exitCodeOf;

/** Ends a run early. The message says what to do next and holds no secret. */
export class RegisterError extends Error {
  readonly code: RegisterErrorCode;
  /** The file that restores what was there before, when something may have been written. */
  backup?: string;
  constructor(code: RegisterErrorCode, message: string) {
    super(message);
    this.name = 'RegisterError';
    this.code = code;
  }
}
