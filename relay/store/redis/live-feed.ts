/**
 * Events as they happen, in order and without gaps. Redis forgets a published message that nobody hears; every event has
 * the number after the one before, so a missing one shows, and is read from the log before anything newer is passed on.
 */
import type { StoredEvent } from '../store.ts';
import type { Connection, Reply } from './connection.ts';
import { root } from './scripts.ts';

const logBatch = 500;

export class LiveFeed {
  /** Number of the newest event passed on. */
  position = 0;
  private listener: (events: readonly StoredEvent[]) => void = () => {};
  private early = new Map<number, StoredEvent>();
  private filling: Promise<void> | undefined;

  constructor(private readonly reader: Connection) {}

  async start(connection: Connection): Promise<void> {
    await connection.subscribe(`${root}live`, (message) => this.hear(message));
    connection.onReady(() => void this.catchUp().catch(() => {}));
    await this.restart();
  }

  onEvents(listener: (events: readonly StoredEvent[]) => void): void {
    this.listener = listener;
  }

  /** What is in Redis now is the past. */
  async restart(): Promise<void> {
    this.early.clear();
    this.position = Number((await this.reader.send('GET', `${root}seq`)) ?? 0);
  }

  /** Passes on what happened up to now and was not heard. */
  catchUp(): Promise<void> {
    this.filling ??= this.fill().finally(() => {
      this.filling = undefined;
      // Heard between the last look at the log and now.
      if (this.early.size > 0) void this.catchUp().catch(() => {});
    });
    return this.filling;
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

  private hear(message: string): void {
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
    if (event.seq === this.position + 1 && !this.filling) {
      this.position = event.seq;
      this.listener([event]);
      if (this.early.size > 0) this.passEarly();
      return;
    }
    this.early.set(event.seq, event);
    void this.catchUp().catch(() => {});
  }

  private async fill(): Promise<void> {
    for (;;) {
      this.passEarly();
      const log = (await this.reader.send(
        'XRANGE',
        `${root}log`,
        `(${this.position}-0`,
        '+',
        'COUNT',
        logBatch,
      )) as [string, Reply[]][];
      this.passEarly();
      const missed = log.filter(([id]) => Number.parseInt(id, 10) > this.position);
      if (missed.length === 0) return;
      const after = this.position;
      const until = Number.parseInt(missed.at(-1)![0], 10);
      const channels = new Set(missed.map(([, fields]) => String(fields[1])));
      const found = await Promise.all(
        [...channels].map((channel) => this.read(channel, after, until, missed.length)),
      );
      // Nothing is heard while we fill, so the position is still ours to move.
      const events = found.flat().sort((a, b) => a.seq - b.seq);
      this.position = until;
      if (events.length > 0) this.listener(events);
    }
  }

  private passEarly(): void {
    for (let event = this.next(); event; event = this.next()) {
      this.position = event.seq;
      this.listener([event]);
    }
    for (const seq of this.early.keys()) if (seq <= this.position) this.early.delete(seq);
  }

  private next(): StoredEvent | undefined {
    const event = this.early.get(this.position + 1);
    this.early.delete(this.position + 1);
    return event;
  }
}
