/**
 * One open `text/event-stream`: the position of its reader, and how far it lags. While history is being sent, live
 * events queue in `waiting`. So an event is neither lost nor repeated between the two.
 */
import type { ServerResponse } from 'node:http';
import type { Principal } from '../access/principal.ts';
import type { CallParts } from '../access/visible-call.ts';
import type { StoredEvent } from '../store/store.ts';

/** The most bytes that a reader may leave unread. A slower reader is cut off; it reconnects with its cursor. */
const maxUnreadBytes = 64 * 1024;
/** How long a reader may read nothing while bytes wait. After that, it is cut off, too. */
const maxUnreadMs = 5000;
/** The most live events that may wait behind a replay. */
const maxWaitingEvents = 10_000;

/** `callers`: their channels are read. `team`: its rules are sent. */
type StreamReader = Pick<Principal, 'kind' | 'keyId' | 'callers' | 'sees' | 'team' | 'rights'>;

export class EventStream {
  /** The newest event the reader was sent. */
  seq = 0;
  private waiting: StoredEvent[] | undefined = [];
  private opened = false;
  /** True if the stream ended before it was opened. Its request then gets another reply. */
  private isRefused = false;
  private isLive = false;
  /** When the reader last read while bytes were unread, milliseconds since 1970; 0 if all bytes are read. */
  private unreadSince = 0;
  private taken = 0;

  constructor(
    private readonly response: ServerResponse,
    readonly reader: StreamReader,
    /** Milliseconds since 1970. */
    readonly endsAt: number,
    private readonly onCut: (stream: EventStream) => void,
  ) {}

  get unread(): number {
    return this.response.writableLength;
  }

  get ended(): boolean {
    return this.isRefused || this.response.writableEnded || this.response.destroyed;
  }

  /** A live event. `frame` is shared by all streams. */
  offer(event: StoredEvent, frame: Buffer): void {
    if (this.waiting) {
      if (this.waiting.length >= maxWaitingEvents) {
        this.cut();
        return;
      }
      this.waiting.push(event);
      return;
    }
    if (event.seq <= this.seq) return;
    this.seq = event.seq;
    this.write(frame);
  }

  /** Called when history is sent up to `seq`. The queued events follow; later events are written as they happen. */
  goLive(seq: number, encode: (event: StoredEvent, sees: CallParts) => Buffer): void {
    this.seq = Math.max(this.seq, seq);
    const waited = this.waiting ?? [];
    this.waiting = undefined;
    this.isLive = true;
    for (const event of waited) this.offer(event, encode(event, this.reader.sees));
  }

  /** Called when the headers are sent. Before that, nothing is written. */
  open(): void {
    this.opened = true;
  }

  write(bytes: Buffer): void {
    if (!this.opened || this.ended) return;
    // Checked before the write: one frame larger than the limit is no proof of a slow reader.
    if (this.unread > maxUnreadBytes) {
      this.cut();
      return;
    }
    const { socket } = this.response;
    // Live frames are written to the socket, because the response would hold them back until the next tick. A replay
    // needs the response, since it waits for its drain.
    if (this.isLive && socket?.writable) socket.write(bytes);
    else this.response.write(bytes);
    if (this.unreadSince === 0 && this.unread > 0) this.unreadSince = Date.now();
  }

  /** Cuts a reader that took nothing for too long. @param now milliseconds since 1970. */
  checkLag(now: number): void {
    if (this.unreadSince === 0) return;
    const { socket } = this.response;
    const taken = (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0);
    if (this.unread === 0) this.unreadSince = 0;
    else if (taken !== this.taken) this.unreadSince = now;
    else if (now - this.unreadSince > maxUnreadMs) this.cut();
    this.taken = taken;
  }

  /** Resolves when the reader has read what was written, or has left. */
  drained(): Promise<void> {
    if (this.ended || !this.response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.response.off('drain', done);
        this.response.off('close', done);
        resolve();
      };
      this.response.once('drain', done);
      this.response.once('close', done);
    });
  }

  /** A clean end: the reader reconnects by itself. */
  end(): void {
    if (!this.opened) this.isRefused = true;
    else if (!this.ended) this.response.end();
  }

  private cut(): void {
    this.onCut(this);
    this.response.destroy();
  }
}
