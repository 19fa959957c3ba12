/**
 * Server-sent events as bytes. Data is always JSON text, which holds no line break, and ids are ours, so no field can
 * be injected; `event-bytes.test.ts` proves it with the parser that our clients use.
 */
import type { NamesEvent } from '../../shared/protocol/number-status.ts';
import type { Rules } from '../../shared/protocol/rules.ts';
import { type CallParts, visibleData } from '../access/visible-call.ts';
import type { StoredEvent } from '../store/store.ts';
import { formatCursor } from './cursor.ts';

export const heartbeat = Buffer.from(':\n\n');

export function callFrame(epoch: string, event: StoredEvent): Buffer {
  return Buffer.from(callText(epoch, event));
}

/** The frame of one call as text: history is written many frames at a time, and to one reader. */
export function callText(epoch: string, event: StoredEvent): string {
  return `id: ${formatCursor(epoch, event.seq)}\nevent: call\ndata: ${event.data}\n\n`;
}

/** An event as this reader may see it. */
export function visibleEvent(event: StoredEvent, sees: CallParts): StoredEvent {
  const data = visibleData(event.data, sees);
  return data === event.data ? event : { ...event, data };
}

/** The team's rules as they are now. They have no id, since they are not among the stored events. */
export const rulesText = (rules: Rules): string => `event: rules\ndata: ${JSON.stringify(rules)}\n\n`;

/** The epoch of what is known about numbers. It has no id, like the rules. */
export const namesText = (event: NamesEvent): string => `event: names\ndata: ${JSON.stringify(event)}\n\n`;

/** The first bytes of a stream. The comment opens it at once, through proxies too. */
export const opening = ': dialmark\nretry: 1000\n\n';

/** The reader's cursor is not known here: it restarts with the open calls. */
export function resetText(epoch: string, seq: number): string {
  return `id: ${formatCursor(epoch, seq)}\nevent: reset\ndata: {}\n\n`;
}

/**
 * Moves the reader's cursor without an event. An id without data sets a browser's Last-Event-ID, but does not dispatch
 * an event. The comment is for clients whose parser drops such a block.
 */
export function positionText(epoch: string, seq: number): string {
  const cursor = formatCursor(epoch, seq);
  return `: cursor ${cursor}\nid: ${cursor}\n\n`;
}
