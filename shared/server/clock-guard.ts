/**
 * Stops deletions by age while the clock may be wrong. What is deleted because a clock is months ahead does not come
 * back when the clock is set right.
 */
import type { Logger } from 'pino';
import { dayMs, hourMs } from '../durations.ts';

/** A running clock is never set so far ahead to correct it. */
const maxJumpMs = dayMs;
/** After this time the clock is believed. A machine that was suspended for days has the right time. */
const waitMs = dayMs;

interface ClockGuardOptions {
  log: Logger;
  now?: () => number;
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number;
}

export class ClockGuard {
  private readonly log: Logger;
  private readonly now: () => number;
  private readonly elapsed: () => number;
  /** What the clock that is believed shows when the monotonic clock is 0. */
  private zero: number;
  /** By the monotonic clock. Undefined while the clock is believed. */
  private doubtedSince: number | undefined;

  constructor({ log, now = Date.now, elapsed = () => performance.now() }: ClockGuardOptions) {
    this.log = log;
    this.now = now;
    this.elapsed = elapsed;
    this.zero = now() - elapsed();
  }

  /** False for a day after the clock was set ahead by more than a day, or until it is set back. Ask it at intervals. */
  mayDelete(): boolean {
    const at = this.elapsed();
    const zero = this.now() - at;
    const jumpMs = zero - this.zero;
    if (jumpMs <= maxJumpMs || (this.doubtedSince !== undefined && at - this.doubtedSince >= waitMs)) {
      this.zero = zero;
      this.doubtedSince = undefined;
      return true;
    }
    if (this.doubtedSince === undefined) {
      this.doubtedSince = at;
      this.log.error(
        { hours: Math.round(jumpMs / hourMs) },
        'the clock went ahead; nothing is deleted by its age for a day. If it is wrong, set it before a restart',
      );
    }
    return false;
  }
}
