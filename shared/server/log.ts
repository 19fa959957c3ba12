/**
 * Structured logs. Requests are logged by the pattern of their route, since an address may be a capability. Credentials
 * and numbers are kept out where they arise; redaction is the second fence (Law 7).
 */
import { EventEmitter } from 'node:events';
import { type DestinationStream, type Logger, pino } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

const secretFields = ['authorization', 'token', 'url', 'headers', 'body'];

/** @param destination stdout where absent. */
export function makeLog(level: (typeof logLevels)[number], destination?: DestinationStream): Logger {
  const output = destination ?? pino.destination({ fd: 1, sync: true });
  // A full disk or a closed pipe costs log lines, never the server.
  if (output instanceof EventEmitter) output.on('error', () => {});
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    output,
  );
}

/** A phone number as a log may hold it (Law 7): its length and last two digits. Extensions stay readable. */
export function maskNumber(number: string): string {
  return number.length < 7 ? number : `${'*'.repeat(number.length - 2)}${number.slice(-2)}`;
}
