/**
 * Whether a CRM is away. While it is, one entry at a time asks whether it is back, and the others wait without an
 * attempt. So an outage of days costs no entry its attempts, and all of them are due when the CRM is back.
 */
import { minuteMs, secondMs } from '../../shared/durations.ts';

/** How many failures in a row mean that the system is away. One entry that always fails does not mean it. */
const maxFailures = 4;
const firstPauseMs = 5 * secondMs;
const maxPauseMs = minuteMs;

export class SystemPause {
  private failures = 0;
  private until = 0;
  /** Until when the system itself has asked the relay to wait. */
  private askedUntil = 0;
  private failedAt = 0;

  /** Called when the system has answered, even if it refused the entry. @returns whether it was away until now. */
  succeed(): boolean {
    const wasAway = this.isAway;
    this.failures = 0;
    return wasAway;
  }

  /** The system could not be reached, failed, or refuses the relay as such. */
  fail(now: number, retryAfterMs = 0): void {
    this.failures += 1;
    this.failedAt = now;
    this.askedUntil = Math.max(this.askedUntil, now + retryAfterMs);
    if (!this.isAway) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** (this.failures - maxFailures), maxPauseMs);
    this.until = now + pauseMs;
  }

  /** How many entries may be claimed now. If none may, `next` is when the next one may be claimed. */
  admit(limit: number, now: number): { limit: number; next?: number } {
    // If the clock was set back, the pause would last longer by the difference.
    if (now < this.failedAt) this.until = this.askedUntil = 0;
    const until = Math.max(this.askedUntil, this.isAway ? this.until : 0);
    if (now < until) return { limit: 0, next: until };
    return { limit: this.isAway ? Math.min(limit, 1) : limit };
  }

  private get isAway(): boolean {
    return this.failures >= maxFailures;
  }
}
