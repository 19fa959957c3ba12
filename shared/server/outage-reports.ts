/** Reports each error once in an outage: the same attempt fails every few seconds, also for a whole night. */
export class OutageReports {
  private readonly reported = new Set<string>();

  constructor(private readonly onError: (error: Error) => void) {}

  report(error: Error): void {
    if (this.reported.has(error.message)) return;
    this.reported.add(error.message);
    this.onError(error);
  }

  /** The next error begins another outage. */
  end(): void {
    this.reported.clear();
  }
}
