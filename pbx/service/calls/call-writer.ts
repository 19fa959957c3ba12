/**
 * Writes what became of calls into the store, and keeps what a failing store did not take until it does. Nothing here
 * throws: a call at Asterisk goes on, whatever the disk does.
 */
import type { Logger } from 'pino';
import type { PbxStore } from '../store/pbx-store.ts';
import type { OwedNotification, StoredCall } from '../store/schema.ts';

const retryMs = 1000;

type PendingWrite = Pick<StoredCall, 'callid' | 'phase' | 'progress'>;

export class CallWriter {
  /** The newest state of each callid, and the notifications owed for all states since the last one stored. */
  private readonly waiting = new Map<
    string,
    { change: PendingWrite; owed: OwedNotification[]; at: number }
  >();
  private timer: NodeJS.Timeout | undefined;

  /** @param onWritten called after notifications were written. */
  constructor(
    private readonly store: Pick<PbxStore, 'saveCall'>,
    private readonly onWritten: () => void,
    private readonly log: Logger,
  ) {}

  /** Whether the store did not take everything. */
  get isBehind(): boolean {
    return this.waiting.size > 0;
  }

  write({ callid, phase, progress }: PendingWrite, owed: readonly OwedNotification[], at: number): void {
    const isFailing = this.isBehind;
    const before = this.waiting.get(callid)?.owed ?? [];
    this.waiting.set(callid, { change: { callid, phase, progress }, owed: [...before, ...owed], at });
    // A locked store would hold the process up with every event of a call.
    if (!isFailing) this.flush();
  }

  /** Tries once more, for the last time: what the store still does not take ends `unknown` at the next start. */
  stop(): void {
    clearTimeout(this.timer);
    if (this.isBehind) this.flush();
    clearTimeout(this.timer);
  }

  private flush(): void {
    try {
      for (const [callid, { change, owed, at }] of this.waiting) {
        this.store.saveCall(change, owed, at);
        this.waiting.delete(callid);
        if (owed.length > 0) this.onWritten();
      }
    } catch (error) {
      this.log.error(
        { error: (error as Error).message, calls: this.waiting.size },
        'the store does not take the state of calls; the service tries again',
      );
      this.timer = setTimeout(() => this.flush(), retryMs).unref();
    }
  }
}
