/**
 * How long the result of a check is shared. Anybody may ask whether the store takes writes, and each check is a write
 * to the disk.
 */
const reuseMs = 1000;

export class Readiness {
  private newest: Promise<void> | undefined;
  private checkedAt = 0;

  /** @param checkStore rejects where the store cannot be written. */
  constructor(private readonly checkStore: () => Promise<void>) {}

  /** Resolves where the store takes writes, or took one within the last second. Rejects with the store's error. */
  check(): Promise<void> {
    if (this.newest && performance.now() - this.checkedAt < reuseMs) return this.newest;
    const check = this.checkStore();
    this.newest = check;
    // A check that waits for a locked file is shared for as long as it waits.
    this.checkedAt = Number.POSITIVE_INFINITY;
    check.then(
      () => {
        this.checkedAt = performance.now();
      },
      () => this.forget(),
    );
    return check;
  }

  /** Forgets the result after an error of the store. The next question starts a new check. */
  forget(): void {
    this.newest = undefined;
  }
}
