/**
 * The numbered events of all channels in SQLite. `append` is called inside `transaction`, which returns the events
 * after the commit, behind those that another connection appended before.
 */
import { sql } from '../../../shared/server/sql.ts';
import type { EventBatch, StoredEvent } from '../store.ts';
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
    this.readPosition();
  }

  /** Runs `work` as one commit. @returns its result and the new events. If it throws, nothing is kept. */
  transaction<T>(work: () => T): { result: T; events: StoredEvent[] } {
    this.appended = [];
    const { head, floor } = this;
    try {
      const result = this.database.transaction(() => {
        this.appended = this.catchUp();
        return work();
      });
      return { result, events: this.appended };
    } catch (error) {
      // If a reader got a head that was not kept, it would skip later events with the same numbers.
      this.head = head;
      this.floor = floor;
      this.seenVersion = -1;
      throw error;
    }
  }

  /** @param previous the newest event of the same call so far, or 0. */
  append({ channel, callId, data }: Omit<StoredEvent, 'seq'>, previous: number, now: number): number {
    this.head += 1;
    this.database.run(
      sql`INSERT INTO event VALUES (${this.head}, ${channel}, ${callId}, ${previous}, ${now}, ${data})`,
    );
    this.appended.push({ seq: this.head, channel, callId, data });
    return this.head;
  }

  after(channels: readonly string[], seq: number, limit: number): EventBatch | undefined {
    if (seq > this.head || seq < this.floor) return undefined;
    const events = channels
      .flatMap((channel) =>
        this.database.all<StoredEvent>(sql`
          SELECT seq, channel, call_id AS callId, data FROM event
          WHERE channel = ${channel} AND seq > ${seq} ORDER BY seq LIMIT ${limit + 1}`),
      )
      .sort((a, b) => a.seq - b.seq);
    return { events: events.slice(0, limit), head: this.head, more: events.length > limit };
  }

  /**
   * Deletes the oldest events, up to the first that is to be kept.
   * @param before milliseconds since 1970.
   * @returns how many it deleted.
   */
  prune(before: number, limit: number): number {
    const oldest = this.database.all<{ seq: number; at: number }>(
      sql`SELECT seq, at FROM event ORDER BY seq LIMIT ${limit}`,
    );
    const firstKept = oldest.findIndex(({ at }) => at >= before);
    const last = oldest.at(firstKept === -1 ? -1 : firstKept - 1);
    if (firstKept === 0 || !last) return 0;
    this.floor = last.seq;
    this.database.setMeta('floor', String(last.seq));
    return this.database.run(sql`DELETE FROM event WHERE seq <= ${last.seq}`);
  }

  /** Deletes the events of one call, the newest of which is `seq`. */
  deleteChain(seq: number): void {
    for (let next = seq; next > 0; ) {
      const deleted = sql`DELETE FROM event WHERE seq = ${next} RETURNING previous`;
      next = this.database.get<{ previous: number }>(deleted)?.previous ?? 0;
    }
  }

  /** Saves the head before events are deleted, because the newest may be among them. */
  saveHead(): void {
    this.database.setMeta('head', String(this.head));
  }

  /**
   * Reads head and floor again if another connection wrote to the file, such as that of the command line.
   * @returns the events of that connection. They are not published here yet.
   */
  catchUp(): StoredEvent[] {
    const { head } = this;
    if (!this.readPosition()) return [];
    try {
      return this.database.all<StoredEvent>(sql`
        SELECT seq, channel, call_id AS callId, data FROM event
        WHERE seq > ${head} AND seq <= ${this.head} ORDER BY seq`);
    } catch (error) {
      // The next call reads them.
      this.head = head;
      this.seenVersion = -1;
      throw error;
    }
  }

  /** @returns whether another connection wrote since the last time. */
  private readPosition(): boolean {
    const version = this.database.dataVersion();
    if (version === this.seenVersion) return false;
    this.seenVersion = version;
    this.floor = Number(this.database.meta('floor') ?? 0);
    const newest = this.database.get<Newest>(sql`SELECT max(seq) AS seq FROM event`)!.seq;
    this.head = Math.max(newest ?? 0, Number(this.database.meta('head') ?? 0), this.floor);
    return true;
  }
}
