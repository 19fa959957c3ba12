/**
 * Joins a reader to the events. The stream is registered first, so that live events queue in it. It gets the history up
 * to a snapshot, then the newer queued events, then live events. So an event is neither lost nor repeated.
 */
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import type { EventBatch, Store } from '../store/store.ts';
import { parseCursor } from './cursor.ts';
import { callText, opening, positionText, resetText, visibleEvent } from './event-bytes.ts';
import type { EventStream } from './event-stream.ts';
import type { Hub } from './hub.ts';

const pageLimit = 500;
/**
 * How many characters a replay writes before it waits for its reader. A long replay must not be mistaken for a slow
 * reader.
 */
const replayChunk = 32 * 1024;

interface Feed {
  hub: Hub;
  store: Store;
  metrics: Metrics;
  log: Logger;
}

/** Where a reader starts: after its cursor, or with the calls still open. */
export interface Start extends EventBatch {
  /** Whether the reader's cursor is unknown here. */
  reset: boolean;
  /** The store's epoch when the read began. The `seq` numbers of this start do not belong to a later epoch. */
  epoch: string;
}

export async function readStreamStart(
  feed: Pick<Feed, 'store' | 'metrics'>,
  channels: readonly string[],
  asked: string | undefined,
): Promise<Start> {
  const { store, metrics } = feed;
  const { epoch } = store;
  if (asked !== undefined) {
    const cursor = parseCursor(asked);
    const known =
      cursor?.epoch === epoch ? await store.calls.eventsAfter(channels, cursor.seq, pageLimit) : undefined;
    if (known) return { ...known, reset: false, epoch };
    metrics.resets.inc();
  }
  return { ...(await store.calls.listOpen(channels)), reset: asked !== undefined, epoch };
}

/**
 * @param openResponse called once, after the first page of history is read. From then on, the stream can be written to.
 * @returns false if the stream ended before that.
 * @throws StoreError before that. Afterwards, an error ends the stream, and its reader reconnects.
 */
export async function joinStream(
  stream: EventStream,
  asked: string | undefined,
  feed: Feed,
  openResponse: () => void,
): Promise<boolean> {
  const { hub } = feed;
  hub.add(stream);
  let start: Start;
  try {
    start = await readStreamStart(feed, stream.reader.callers, asked);
  } catch (error) {
    hub.remove(stream);
    throw error;
  }
  if (stream.ended) {
    hub.remove(stream);
    return false;
  }
  openResponse();
  stream.open();
  try {
    await replay(stream, start, feed);
  } catch (error) {
    feed.log.error({ error: (error as Error).message }, 'a replay failed');
    stream.end();
  }
  return true;
}

async function replay(stream: EventStream, start: Start, { hub, store, metrics }: Feed): Promise<void> {
  const { epoch } = store;
  let text = opening;
  /** @returns false when the reader is gone. */
  const send = async () => {
    stream.write(Buffer.from(text));
    text = '';
    await stream.drained();
    return !stream.ended;
  };
  if (start.reset) {
    const first = start.events[0];
    // The reset's cursor is before the first open call. If the reader is cut off early, it still gets the calls that it
    // missed.
    text += resetText(epoch, first ? Math.max(0, first.seq - 1) : start.head);
  }
  let page: EventBatch | undefined = start;
  for (;;) {
    for (const event of page.events) {
      text += callText(epoch, visibleEvent(event, stream.reader.sees));
      if (text.length > replayChunk && !(await send())) return;
    }
    metrics.replayed.inc(page.events.length);
    if (!page.more) break;
    if (!(await send())) return;
    page = await store.calls.eventsAfter(stream.reader.callers, page.events.at(-1)!.seq, pageLimit);
    // The next page was pruned meanwhile: the reader reconnects and gets a reset.
    if (!page) return stream.end();
  }
  stream.write(Buffer.from(text + positionText(epoch, page.head)));
  stream.goLive(page.head, hub.encode);
}
