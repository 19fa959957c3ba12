/**
 * All open streams. An event is encoded once and written to every stream of its channel; one timer sends the
 * heartbeats, a slice of the streams at a time, ends streams whose time is over and cuts those that are not read.
 */
import type { Call } from '../../shared/call/call.ts';
import type { NamesEvent } from '../../shared/protocol/number-status.ts';
import type { Rules } from '../../shared/protocol/rules.ts';
import { type CallParts, colleagueOf, seesAll } from '../access/visible-call.ts';
import type { Store, StoredEvent } from '../store/store.ts';
import { callFrame, heartbeat, namesText, rulesText, visibleEvent } from './event-bytes.ts';
import type { EventStream } from './event-stream.ts';

/** How often each stream gets a heartbeat, at least. The promise is 15 s. */
const heartbeatIntervalMs = 10_000;
const slices = 100;
const tickMs = heartbeatIntervalMs / slices;
/** How many ticks pass between two checks of every stream's end and lag: half a second. */
const checkEveryTicks = 5;

interface PageListener {
  keyId: string;
  onEvents(events: readonly StoredEvent[]): void;
  /** Called when the wait is over, even if no event came. */
  onEnd(): void;
}

const noStreams: ReadonlySet<EventStream> = new Set();

/** Parses only calls that may name a colleague. */
function colleagueOfEvent({ data }: StoredEvent): string | undefined {
  return data.includes('"callBackBy":') ? colleagueOf(JSON.parse(data) as Call) : undefined;
}

export class Hub {
  private readonly byChannel = new Map<string, Set<EventStream>>();
  private readonly bySlice = Array.from({ length: slices }, () => new Set<EventStream>());
  private readonly sliceOf = new Map<EventStream, number>();
  private readonly perKey = new Map<string, number>();
  /** Who was handed the callback of a call, by the call's newest event. */
  private readonly colleagues = new Map<string, string>();
  /** Requests that wait for a page. */
  private readonly listeners = new Set<PageListener>();
  private readonly timer: NodeJS.Timeout;
  private ticks = 0;
  private next = 0;
  private readonly began = performance.now();

  constructor(private readonly store: Store) {
    this.timer = setInterval(() => this.tick(), tickMs);
    this.timer.unref();
  }

  /** Streams and requests that wait for a page. */
  get size(): number {
    return this.sliceOf.size + this.listeners.size;
  }

  countOf(keyId: string): number {
    return this.perKey.get(keyId) ?? 0;
  }

  readonly encode = (event: StoredEvent, sees: CallParts): Buffer =>
    callFrame(this.store.epoch, visibleEvent(event, sees));

  add(stream: EventStream): void {
    for (const channel of stream.reader.callers) {
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
    this.count(stream.reader.keyId, 1);
  }

  remove(stream: EventStream): void {
    const slice = this.sliceOf.get(stream);
    if (slice === undefined) return;
    this.sliceOf.delete(stream);
    this.bySlice[slice]!.delete(stream);
    for (const channel of stream.reader.callers) {
      const streams = this.byChannel.get(channel);
      streams?.delete(stream);
      if (streams?.size === 0) this.byChannel.delete(channel);
    }
    this.count(stream.reader.keyId, -1);
  }

  private count(keyId: string, change: 1 | -1): void {
    const count = this.countOf(keyId) + change;
    if (count > 0) this.perKey.set(keyId, count);
    else this.perKey.delete(keyId);
  }

  publish(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const readers = this.readersOf(event);
      if (readers.size === 0) continue;
      const frame = callFrame(this.store.epoch, event);
      for (const stream of readers)
        stream.offer(event, seesAll(stream.reader.sees) ? frame : this.encode(event, stream.reader.sees));
    }
    for (const listener of this.listeners) listener.onEvents(events);
  }

  /**
   * The streams that follow the caller. If the call is over and its callback was handed over, also the colleague's
   * streams that may see it. A colleague who has the callback no longer gets the event that says so.
   */
  private readersOf(event: StoredEvent): ReadonlySet<EventStream> {
    const own = this.byChannel.get(event.channel) ?? noStreams;
    const before = this.colleagues.get(event.callId);
    const colleague = colleagueOfEvent(event);
    if (colleague === undefined) this.colleagues.delete(event.callId);
    else this.colleagues.set(event.callId, colleague);
    const others = [before, colleague].flatMap((caller = '') => [
      ...(this.byChannel.get(caller) ?? noStreams),
    ]);
    if (others.length === 0) return own;
    return new Set([...own, ...others.filter(({ reader }) => reader.sees.wrapUp)]);
  }

  /** Every agent's stream gets the rules again when they change. */
  publishRules(rulesOf: (reader: EventStream['reader']) => Rules): void {
    const frames = new Map<string, Buffer>();
    for (const stream of this.sliceOf.keys()) {
      const { reader } = stream;
      if (reader.kind !== 'agent') continue;
      const alike = [reader.team, ...reader.rights].join();
      const frame = frames.get(alike) ?? Buffer.from(rulesText(rulesOf(reader)));
      frames.set(alike, frame);
      stream.write(frame);
    }
  }

  /**
   * Sent when what is known about numbers changed: readers forget what they remember.
   * @param eventOf returns undefined if this kind of reader does not get an event.
   */
  publishNames(eventOf: (kind: 'agent' | 'ticket') => NamesEvent | undefined): void {
    const frameOf = (kind: 'agent' | 'ticket') => {
      const event = eventOf(kind);
      return event && Buffer.from(namesText(event));
    };
    const [agents, tickets] = [frameOf('agent'), frameOf('ticket')];
    for (const stream of this.sliceOf.keys()) {
      const frame = stream.reader.kind === 'agent' ? agents : stream.reader.sees.names ? tickets : undefined;
      if (frame) stream.write(frame);
    }
  }

  /** Serves a request that waits for one page of events instead of a stream. @returns how to stop. */
  listen(listener: PageListener): () => void {
    this.listeners.add(listener);
    this.count(listener.keyId, 1);
    return () => {
      if (this.listeners.delete(listener)) this.count(listener.keyId, -1);
    };
  }

  endStreamsOf(keyId: string): void {
    this.endWhere((reader) => reader.keyId === keyId);
  }

  /** Ends every stream, and wakes the requests that wait for a page. Readers reconnect by themselves. */
  endStreams(): void {
    this.endWhere(() => true);
  }

  private endWhere(isMeant: (reader: { keyId: string }) => boolean): void {
    for (const stream of [...this.sliceOf.keys()]) if (isMeant(stream.reader)) stream.end();
    for (const listener of [...this.listeners].filter(isMeant)) listener.onEnd();
  }

  endAll(): void {
    clearInterval(this.timer);
    this.endStreams();
  }

  /** Heartbeats follow the clock: on a busy machine a timer is late, and small delays would add up. */
  private tick(): void {
    const due = Math.floor((performance.now() - this.began) / tickMs);
    // After a sleep of the machine one heartbeat each is enough.
    this.ticks = Math.max(this.ticks, due - slices);
    let isCheckDue = false;
    while (this.ticks < due) {
      for (const stream of this.bySlice[this.ticks++ % slices]!) stream.write(heartbeat);
      isCheckDue ||= this.ticks % checkEveryTicks === 0;
    }
    if (!isCheckDue) return;
    const now = Date.now();
    for (const stream of this.sliceOf.keys()) {
      // A ticket's stream must end with the ticket, so this check cannot wait for the next heartbeat.
      if (now >= stream.endsAt) stream.end();
      stream.checkLag(now);
    }
  }
}
