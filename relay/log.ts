/**
 * Structured logs. Requests are logged by the pattern of their route, never by their address, since an address may be a
 * capability; credentials and numbers are kept out where they arise, and redaction here is the second fence (Law 7).
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from './settings.ts';

export function makeLog(level: Settings['logLevel'], destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'token',
          '*.token',
          'url',
          '*.url',
          'headers',
          '*.headers',
          'body',
          '*.body',
        ],
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}
