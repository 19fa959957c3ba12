/**
 * All open streams. An event is encoded once and written to everyone who follows its channel; one timer for all streams
 * beats their hearts, a slice at a time, ends those whose time is over and cuts those that do not read.
 */
import type { Store, StoredEvent } from '../store/store.ts';
import type { EventStream } from './event-stream.ts';
import { callFrame, heartbeat } from './frame.ts';

/** Each stream is written to at least this often; the promise is 15 s. */
const heartbeatEvery = 10_000;
const slices = 100;
const tickEvery = heartbeatEvery / slices;
/** Ticks between two looks at every stream's end and lag: half a second. */
const lookEvery = 5;

export class Hub {
  private readonly byChannel = new Map<string, Set<EventStream>>();
  private readonly bySlice = Array.from({ length: slices }, () => new Set<EventStream>());
  private readonly sliceOf = new Map<EventStream, number>();
  private readonly perKey = new Map<string, number>();
  private readonly listeners = new Set<(events: readonly StoredEvent[]) => void>();
  private readonly timer: NodeJS.Timeout;
  private ticks = 0;
  private next = 0;
  private readonly began = performance.now();
  delivered = 0;

  constructor(private readonly store: Store) {
    this.timer = setInterval(() => this.tick(), tickEvery);
    this.timer.unref();
  }

  get size(): number {
    return this.sliceOf.size;
  }

  countOf(keyId: string): number {
    return this.perKey.get(keyId) ?? 0;
  }

  readonly encode = (event: StoredEvent): Buffer => callFrame(this.store.epoch, event);

  add(stream: EventStream): void {
    for (const channel of stream.channels) {
      let streams = this.byChannel.get(channel);
      if (!streams) {
        streams = new Set();
        this.byChannel.set(channel, streams);
      }
      streams.add(stream);
    }
    const slice = this.next++ % slices;
    this.sliceOf.set(stream, slice);
    this.bySlice[slice]!.add(stream);
    this.perKey.set(stream.keyId, this.countOf(stream.keyId) + 1);
  }

  remove(stream: EventStream): void {
    const slice = this.sliceOf.get(stream);
    if (slice === undefined) return;
    this.sliceOf.delete(stream);
    this.bySlice[slice]!.delete(stream);
    for (const channel of stream.channels) {
      const streams = this.byChannel.get(channel);
      streams?.delete(stream);
      if (streams?.size === 0) this.byChannel.delete(channel);
    }
    const left = this.countOf(stream.keyId) - 1;
    if (left > 0) this.perKey.set(stream.keyId, left);
    else this.perKey.delete(stream.keyId);
  }

  publish(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const streams = this.byChannel.get(event.channel);
      if (!streams) continue;
      const frame = this.encode(event);
      this.delivered += streams.size;
      for (const stream of streams) stream.offer(event, frame);
    }
    for (const listener of this.listeners) listener(events);
  }

  /** For those who wait for one page of events instead of a stream. @returns how to stop. */
  listen(listener: (events: readonly StoredEvent[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  endStreamsOf(keyId: string): void {
    for (const stream of [...this.sliceOf.keys()]) if (stream.keyId === keyId) stream.end();
  }

  /** Their readers come back by themselves. */
  endStreams(): void {
    for (const stream of [...this.sliceOf.keys()]) stream.end();
  }

  endAll(): void {
    clearInterval(this.timer);
    this.endStreams();
    // Whoever waits for a page is told that it is over.
    for (const listener of this.listeners) listener([]);
  }

  /** A timer is late on a busy machine, a little each time; beats go by the clock, else those littles add up to the promise. */
  private tick(): void {
    const due = Math.floor((performance.now() - this.began) / tickEvery);
    // After a sleep of the machine one beat each is enough.
    this.ticks = Math.max(this.ticks, due - slices);
    let looks = false;
    while (this.ticks < due) {
      for (const stream of this.bySlice[this.ticks++ % slices]!) stream.write(heartbeat);
      looks ||= this.ticks % lookEvery === 0;
    }
    if (!looks) return;
    const now = Date.now();
    for (const stream of this.sliceOf.keys()) {
      // A ticket's end is the end of what it opened, so this cannot wait for the next heartbeat.
      if (now >= stream.endsAt) stream.end();
      stream.checkLag(now);
    }
  }
}
