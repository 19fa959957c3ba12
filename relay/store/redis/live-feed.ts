/**
 * Publishes events as they happen, in order and without gaps. Redis drops a message that no connection receives. Events
 * are numbered without gaps, so a missing event is noticed. It is read from the log before a newer event is published.
 */
import { coalesce } from '../../../shared/async/coalesce.ts';
import type { StoredEvent } from '../store.ts';
import type { RedisConnection, RedisReply } from './connection.ts';
import { root } from './script-parts.ts';

const logBatch = 500;

export class LiveFeed {
  /** Number of the newest event published. */
  position = 0;
  onEvents: (events: readonly StoredEvent[]) => void = () => {};
  /** Publishes the events up to now that were missed. */
  readonly catchUp = coalesce(() => this.fill());
  private early = new Map<number, StoredEvent>();
  private isFilling = false;

  constructor(private readonly reader: RedisConnection) {}

  async start(connection: RedisConnection): Promise<void> {
    await connection.subscribe(`${root}live`, (message) => this.receive(message));
    connection.onReady(() => void this.catchUp().catch(() => {}));
    await this.restart();
  }

  /** Starts after the newest event that is in Redis now. Earlier events are not published. */
  async restart(): Promise<void> {
    this.early.clear();
    this.position = Number((await this.reader.send('GET', `${root}seq`)) ?? 0);
  }

  /** Events of one channel, oldest first. */
  async read(channel: string, after: number, until: number, limit: number): Promise<StoredEvent[]> {
    const entries = (await this.reader.send(
      'XRANGE',
      `${root}events:${channel}`,
      `(${after}-0`,
      `${until}-0`,
      'COUNT',
      limit,
    )) as [string, string[]][];
    return entries.map(([id, fields]) => ({
      seq: Number.parseInt(id, 10),
      channel,
      callId: fields[1]!,
      data: fields[3]!,
    }));
  }

  private receive(message: string): void {
    const first = message.indexOf(' ');
    const second = message.indexOf(' ', first + 1);
    const third = message.indexOf(' ', second + 1);
    const event: StoredEvent = {
      seq: Number(message.slice(0, first)),
      channel: message.slice(first + 1, second),
      callId: message.slice(second + 1, third),
      data: message.slice(third + 1),
    };
    if (event.seq <= this.position) return;
    if (event.seq === this.position + 1 && !this.isFilling) {
      this.position = event.seq;
      this.onEvents([event]);
      if (this.early.size > 0) this.publishEarly();
      return;
    }
    this.early.set(event.seq, event);
    void this.catchUp().catch(() => {});
  }

  private async fill(): Promise<void> {
    this.isFilling = true;
    try {
      while (await this.fillBatch());
    } finally {
      this.isFilling = false;
    }
  }

  /** @returns false when nothing was missing any more. */
  private async fillBatch(): Promise<boolean> {
    this.publishEarly();
    const range = [`(${this.position}-0`, '+', 'COUNT', logBatch];
    const log = (await this.reader.send('XRANGE', `${root}log`, ...range)) as [string, RedisReply[]][];
    this.publishEarly();
    const missed = log.filter(([id]) => Number.parseInt(id, 10) > this.position);
    if (missed.length === 0) return false;
    const after = this.position;
    const until = Number.parseInt(missed.at(-1)![0], 10);
    const channels = new Set(missed.map(([, fields]) => String(fields[1])));
    const found = await Promise.all(
      [...channels].map((channel) => this.read(channel, after, until, missed.length)),
    );
    // `receive` does not publish meanwhile, so only this method moves the position.
    const events = found.flat().sort((a, b) => a.seq - b.seq);
    this.position = until;
    if (events.length > 0) this.onEvents(events);
    return true;
  }

  private publishEarly(): void {
    for (let event = this.next(); event; event = this.next()) {
      this.position = event.seq;
      this.onEvents([event]);
    }
    for (const seq of this.early.keys()) if (seq <= this.position) this.early.delete(seq);
  }

  private next(): StoredEvent | undefined {
    const event = this.early.get(this.position + 1);
    this.early.delete(this.position + 1);
    return event;
  }
}
