/**
 * Whether a CRM is away. While it is, one entry at a time asks whether it is back, and the others wait without an
 * attempt. So an outage of days costs no entry its attempts, and all of them are due when the CRM is back.
 */
import { minuteMs, secondMs } from '../../shared/durations.ts';

/** One entry that always fails says nothing about the system. */
const maxFailures = 4;
const firstPauseMs = 5 * secondMs;
const maxPauseMs = minuteMs;

export class SystemPause {
  private failures = 0;
  private until = 0;
  /** What the system itself has asked for. */
  private askedUntil = 0;
  private failedAt = 0;

  /** The system has answered: whether it took the entry or not. @returns whether it was away until now. */
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

  /** How many entries may be claimed, and else when the next one may. */
  admit(limit: number, now: number): { limit: number; next?: number } {
    // The clock was set back: the pause would last as long as the difference.
    if (now < this.failedAt) this.until = this.askedUntil = 0;
    const until = Math.max(this.askedUntil, this.isAway ? this.until : 0);
    if (now < until) return { limit: 0, next: until };
    return { limit: this.isAway ? Math.min(limit, 1) : limit };
  }

  private get isAway(): boolean {
    return this.failures >= maxFailures;
  }
}
