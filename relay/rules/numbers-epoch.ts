/**
 * The epoch of what agents read beside a number: names, do not call, leases. Browsers forget what they remember of
 * another epoch, so a tip that opens after a change is right at once.
 */
import type { Principal } from '../access/principal.ts';

/** A busy team takes leases all the time; readers get one event for all of them. */
const leaseIntervalMs = 1000;

export class NumbersEpoch {
  /** Another process counts from 0 again. */
  private readonly startedAt = Date.now().toString(36);
  private revision = 0;
  private timer: NodeJS.Timeout | undefined;
  private hasWaitingLeases = false;

  /**
   * @param directory the directory's own epoch; undefined where no source of names is set.
   * @param publish called with every change. Of leases alone, open pages need not ask again.
   */
  constructor(
    private readonly directory: () => string | undefined,
    private readonly publish: (leasesOnly: boolean) => void,
  ) {}

  /** A ticket is in a web page, which learns nothing of the team's calls: not when they change either. */
  of({ kind }: Pick<Principal, 'kind'>, directory = this.directory() ?? 'none'): string {
    return kind === 'agent' ? `${directory}.${this.startedAt}.${this.revision}` : directory;
  }

  changed(): void {
    this.revision++;
    this.publish(false);
  }

  leasesChanged(): void {
    if (this.timer) {
      this.hasWaitingLeases = true;
      return;
    }
    this.revision++;
    this.publish(true);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (!this.hasWaitingLeases) return;
      this.hasWaitingLeases = false;
      this.leasesChanged();
    }, leaseIntervalMs);
    this.timer.unref();
  }
}
