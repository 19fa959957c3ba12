/**
 * Structured logs. Requests are logged by the pattern of their route, since an address may be a capability. Credentials
 * and numbers are kept out where they arise; redaction is the second fence (Law 7).
 */
import { type DestinationStream, type Logger, pino } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

const secretFields = ['authorization', 'token', 'url', 'headers', 'body'];

/** The most characters of lines that wait until their output takes them. Further lines are dropped. */
const maxWaitingLength = 1024 * 1024;
const retryMs = 200;
/** How long the end of the process waits for lines that were not taken. */
const maxWaitAtExitMs = 2_000;
const pauseAtExitMs = 20;

/** @param output a file descriptor, or a stream. */
export function makeLog(level: (typeof logLevels)[number], output: number | DestinationStream = 1): Logger {
  if (typeof output !== 'number') return logTo(output, level);
  const lines = pino.destination({
    fd: output,
    sync: true,
    maxLength: maxWaitingLength,
    // By default, the process stands still until the reader of a full pipe reads on.
    retryEAGAIN: () => false,
  });
  const log = logTo(lines, level);
  retryWaiting(lines, (dropped) => log.warn({ lines: dropped }, 'log lines are lost: nothing took them'));
  return log;
}

/** A full disk, a full pipe or a closed one costs log lines, never the server. */
function retryWaiting(lines: ReturnType<typeof pino.destination>, onDropped: (count: number) => void): void {
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const retry = () => {
    timer = undefined;
    lines.write('');
    if (timer !== undefined || dropped === 0) return;
    onDropped(dropped);
    dropped = 0;
  };
  const retrySoon = () => {
    timer ??= setTimeout(retry, retryMs).unref();
  };
  const writeAtExit = () => {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (const end = performance.now() + maxWaitAtExitMs; timer !== undefined && performance.now() < end; ) {
      Atomics.wait(pause, 0, 0, pauseAtExitMs);
      clearTimeout(timer);
      retry();
    }
  };
  lines.on('drop', () => {
    dropped += 1;
    retrySoon();
  });
  lines.on('error', retrySoon);
  lines.once('error', () => process.once('exit', writeAtExit));
}

function logTo(output: DestinationStream, level: (typeof logLevels)[number]): Logger {
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
