/**
 * Server-sent events as bytes. Data is always JSON text, which holds no line break, and ids are ours, so no field can be
 * injected; `frame.test.ts` proves it against the parser that browsers' clients use.
 */
import type { StoredEvent } from '../store/store.ts';
import { formatCursor } from './cursor.ts';

export const heartbeat = Buffer.from(':\n\n');

export function callFrame(epoch: string, event: StoredEvent): Buffer {
  return Buffer.from(callText(epoch, event));
}

/** For history, which is written many frames at a time and to one reader. */
export function callText(epoch: string, event: StoredEvent): string {
  return `id: ${formatCursor(epoch, event.seq)}\nevent: call\ndata: ${event.data}\n\n`;
}

/** What stands before all else. The comment opens the stream at once, through proxies too. */
export const opening = ': dialmark\nretry: 1000\n\n';

/** The reader's cursor is not known here: it starts anew with the calls still open. */
export function resetText(epoch: string, seq: number): string {
  return `id: ${formatCursor(epoch, seq)}\nevent: reset\ndata: {}\n\n`;
}

/**
 * Where the reader now stands, though no event says so: an id without data moves a browser's Last-Event-ID and dispatches
 * nothing, and the comment tells clients whose parser drops such a block.
 */
export function positionText(epoch: string, seq: number): string {
  const cursor = formatCursor(epoch, seq);
  return `: cursor ${cursor}\nid: ${cursor}\n\n`;
}
