/** The numbered events of all channels in SQLite. `append` is called inside `transaction`, whose commit publishes. */
import type { Snapshot, StoredEvent } from '../store.ts';
import type { RelayDatabase } from './relay-database.ts';

type Newest = { seq: number | null };

export class EventLog {
  /** The newest `seq` of any channel. */
  head = 0;
  /** The newest `seq` that was deleted. */
  private floor = 0;
  /** `data_version` when `head` and `floor` were read. */
  private seenVersion = -1;
  private appended: StoredEvent[] = [];

  constructor(private readonly database: RelayDatabase) {
    this.catchUp();
  }

  /** Runs `work` as one commit. @returns its result and the events it appended; throws with nothing kept. */
  transaction<T>(work: () => T): { result: T; events: StoredEvent[] } {
    this.appended = [];
    const { head, floor } = this;
    try {
      const result = this.database.transaction(() => {
        this.catchUp();
        return work();
      });
      return { result, events: this.appended };
    } catch (error) {
      // A reader that got a head that was never kept would skip the events that get its numbers.
      this.head = head;
      this.floor = floor;
      this.seenVersion = -1;
      throw error;
    }
  }

  append(channel: string, callId: string, data: string, now: number): number {
    this.head += 1;
    this.database.run('INSERT INTO event VALUES (?, ?, ?, ?, ?)', this.head, channel, callId, now, data);
    this.appended.push({ seq: this.head, channel, callId, data });
    return this.head;
  }

  after(channels: readonly string[], seq: number, limit: number): Snapshot | undefined {
    if (seq > this.head || seq < this.floor) return undefined;
    const events = channels
      .flatMap((channel) =>
        this.database.all<StoredEvent>(
          'SELECT seq, channel, call_id AS callId, data FROM event WHERE channel = ? AND seq > ? ORDER BY seq LIMIT ?',
          channel,
          seq,
          limit + 1,
        ),
      )
      .sort((a, b) => a.seq - b.seq);
    return { events: events.slice(0, limit), head: this.head, more: events.length > limit };
  }

  /** Deletes the oldest events. @param before milliseconds since 1970. @returns how many it deleted. */
  prune(before: number, limit: number): number {
    const last = this.database.get<Newest>(
      'SELECT max(seq) AS seq FROM (SELECT seq FROM event WHERE at < ? ORDER BY seq LIMIT ?)',
      before,
      limit,
    )!.seq;
    if (last === null) return 0;
    this.floor = last;
    this.database.setMeta('floor', String(last));
    return this.database.run('DELETE FROM event WHERE seq <= ? AND at < ?', last, before);
  }

  /** Keeps the head where the newest event is about to be deleted. */
  saveHead(): void {
    this.database.setMeta('head', String(this.head));
  }

  /** Another connection may have written: the other one of this store, or that of a relay that is being replaced. */
  catchUp(): void {
    const version = this.database.dataVersion();
    if (version === this.seenVersion) return;
    this.seenVersion = version;
    this.floor = Number(this.database.meta('floor') ?? 0);
    const newest = this.database.get<Newest>('SELECT max(seq) AS seq FROM event')!.seq;
    this.head = Math.max(newest ?? 0, Number(this.database.meta('head') ?? 0), this.floor);
  }
}
