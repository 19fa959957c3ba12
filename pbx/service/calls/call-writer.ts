/**
 * Writes the state of calls into the store. If the store fails, the state is kept and written later. Nothing here
 * throws: calls at Asterisk go on, whatever the disk does.
 */
import type { Logger } from 'pino';
import type { PbxStore } from '../store/pbx-store.ts';
import type { OwedNotification, StoredCall } from '../store/schema.ts';

const retryMs = 1000;

type PendingWrite = Pick<StoredCall, 'callid' | 'phase' | 'progress'>;

export class CallWriter {
  /** For each callid, the newest state that is not stored yet, and all notifications that are not stored yet. */
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

  /** Whether some states are not stored yet. */
  get isBehind(): boolean {
    return this.waiting.size > 0;
  }

  write({ callid, phase, progress }: PendingWrite, owed: readonly OwedNotification[], at: number): void {
    const isFailing = this.isBehind;
    const before = this.waiting.get(callid)?.owed ?? [];
    this.waiting.set(callid, { change: { callid, phase, progress }, owed: [...before, ...owed], at });
    // While the store fails, only the timer tries again. A locked store would block the process at every event.
    if (!isFailing) this.flush();
  }

  /** Tries once more to write. A call whose end is still not stored becomes `unknown` at the next start. */
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
