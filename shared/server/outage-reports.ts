import { hourMs } from '../durations.ts';

/** Reports each error of an outage once an hour: the same attempt fails every few seconds, also for a whole night. */
export class OutageReports {
  /** When each message was reported, in the milliseconds of `performance`. */
  private readonly reported = new Map<string, number>();

  constructor(private readonly onError: (error: Error) => void) {}

  report(error: Error): void {
    const now = performance.now();
    if (now - (this.reported.get(error.message) ?? Number.NEGATIVE_INFINITY) < hourMs) return;
    this.reported.set(error.message, now);
    this.onError(error);
  }

  /** The next error begins another outage. */
  end(): void {
    this.reported.clear();
  }
}
