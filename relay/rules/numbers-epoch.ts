/**
 * The epoch changes with what agents read beside a number: names, do not call, leases. Browsers forget what they stored
 * under another epoch, so a tip that opens after a change is right at once.
 */
import type { Principal } from '../access/principal.ts';

/** The shortest time between two events about leases. A busy team takes leases all the time. */
const leaseIntervalMs = 1000;

export class NumbersEpoch {
  /** Part of the epoch, because each process counts its revisions from 0. */
  private readonly startedAt = Date.now().toString(36);
  private revision = 0;
  private timer: NodeJS.Timeout | undefined;
  private hasWaitingLeases = false;

  /**
   * @param directory the directory's own epoch; undefined if no source of names is set.
   * @param publish called with every change. If only leases changed, open pages need not ask again.
   */
  constructor(
    private readonly directory: () => string | undefined,
    private readonly publish: (leasesOnly: boolean) => void,
  ) {}

  /** A ticket is in a web page. The page must not learn about the team's calls, not even when they change. */
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
