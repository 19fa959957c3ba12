/**
 * Follows the relay's event stream (GET /v1/events) over fetch. Keeps the cursor over reconnects, waits longer after
 * each failure, and limits what a faulty relay can send. Reports every Call once and in order.
 *
 * Native EventSource is not used: it cannot send `Authorization`, and it stops for good at the first 5xx.
 */

import { createParser } from 'eventsource-parser';
import { withoutTrailingSlash } from '../address.ts';
import { Call } from '../call/call.ts';
import { privateRequest } from '../private-request.ts';
import { parseJson } from '../service/json.ts';
import { pause } from './pause.ts';

export type StreamState =
  /** A request is on its way. */
  | { name: 'connecting' }
  | { name: 'open' }
  /** The next attempt is in `retryIn` milliseconds. */
  | { name: 'waiting'; retryIn: number; why: StreamFault; status?: number };

export type StreamFault =
  | 'ended' // the relay ended a healthy stream, as it does every ten minutes
  | 'offline' // no connection, or it broke
  | 'unauthorized' // 401 or 403: the ticket or key is not accepted
  | 'refused' // another HTTP status
  | 'notAStream' // 200, but something else than text/event-stream
  | 'silent' // no byte within the liveness limit
  | 'garbage'; // a frame too large, or one that is not a Call

export interface FollowOptions {
  /** The relay's base address. */
  relay: string;
  /** The bearer credential, asked for before every connection; a rejection counts as `unauthorized`. */
  authorization: (previousWasRefused: boolean) => Promise<string>;
  /** Id of the last event handled, if there is one. */
  cursor?: string | undefined;
  signal: AbortSignal;
  /** May be async: the next event waits for it, so a cursor can be written first. */
  onCall: (call: Call, cursor: string) => void | Promise<void>;
  /** The relay does not know the cursor: the events restart with the calls still open. */
  onReset?: () => void | Promise<void>;
  /** Any other event, such as `rules`. Its JSON is not checked here, because the widget does not have its schema. */
  onOther?: (event: string | undefined, data: unknown) => void | Promise<void>;
  onState?: (state: StreamState) => void;
  /** Called for every chunk, comments too; the extension's background stays awake by its work here. */
  onAlive?: () => void;
  fetch?: typeof fetch;
  /** 0 to 1, for the jitter; replaced in tests. */
  random?: () => number;
}

const maxFrameBytes = 256 * 1024;
/**
 * How long the stream may be silent. The relay comments every 15 s at least, so this silence means a dead connection.
 */
const livenessMs = 40_000;
const backoffMs = { first: 500, max: 30_000 };

/** Resolves when `signal` aborts; never rejects. */
export async function followEvents(options: FollowOptions): Promise<void> {
  const { signal } = options;
  const report = options.onState ?? (() => {});
  const random = options.random ?? Math.random;
  const position = { cursor: options.cursor };
  let failures = 0;
  let refused = false;
  while (!signal.aborted) {
    report({ name: 'connecting' });
    const { healthy, ...end } = await readOnce(options, position, refused, () => report({ name: 'open' }));
    if (signal.aborted) return;
    refused = end.why === 'unauthorized';
    failures = healthy ? 0 : failures + 1;
    const ceiling = Math.min(backoffMs.max, backoffMs.first * 2 ** Math.min(failures, 10));
    const retryIn = Math.round(healthy ? random() * backoffMs.first : ceiling * (0.5 + random() / 2));
    report({ name: 'waiting', retryIn, ...end });
    await pause(retryIn, signal);
  }
}

interface StreamEnd {
  why: StreamFault;
  status?: number;
  /** At least one whole frame or comment came, so the next attempt may be soon. */
  healthy: boolean;
}

async function readOnce(
  options: FollowOptions,
  position: { cursor: string | undefined },
  previousWasRefused: boolean,
  onOpen: () => void,
): Promise<StreamEnd> {
  let healthy = false;
  const connection = new AbortController();
  const signal = AbortSignal.any([options.signal, connection.signal]);
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let silent = false;
  const restartSilenceTimer = () => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => {
      silent = true;
      connection.abort();
    }, livenessMs);
  };
  try {
    let credential: string;
    try {
      credential = await options.authorization(previousWasRefused);
    } catch {
      return { why: 'unauthorized', healthy };
    }
    restartSilenceTimer();
    const send = options.fetch ?? fetch;
    const response = await send(`${withoutTrailingSlash(options.relay)}/v1/events`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${credential}`,
        ...(position.cursor === undefined ? {} : { 'last-event-id': position.cursor }),
      },
      signal,
      ...privateRequest,
    });
    if (response.status === 401 || response.status === 403)
      return { why: 'unauthorized', status: response.status, healthy };
    if (!response.ok) return { why: 'refused', status: response.status, healthy };
    if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '') || !response.body)
      return { why: 'notAStream', status: response.status, healthy };

    onOpen();
    const reader = response.body.getReader();
    const readFrames = frameReader();
    for (;;) {
      // Buffered chunks resolve as microtasks: a relay that never pauses would keep the page from painting.
      await globalThis.scheduler?.postTask(() => {});
      const { done, value } = await reader.read();
      if (done) return { why: 'ended', healthy };
      restartSilenceTimer();
      options.onAlive?.();
      const frames = readFrames(value);
      if (!frames) return { why: 'garbage', healthy: false };
      healthy = true;
      for (const frame of frames) {
        if (!(await handle(frame, options, position))) return { why: 'garbage', healthy: false };
        if (signal.aborted) return { why: silent ? 'silent' : 'offline', healthy };
      }
    }
  } catch {
    return { why: silent ? 'silent' : 'offline', healthy };
  } finally {
    clearTimeout(silenceTimer);
    connection.abort();
  }
}

interface StreamFrame {
  event?: string | undefined;
  id?: string | undefined;
  data: string;
}

/**
 * @returns a function that reads the whole frames of each chunk, often none. It returns undefined if an unfinished
 * frame is too large.
 */
function frameReader(): (chunk: Uint8Array) => StreamFrame[] | undefined {
  const frames: StreamFrame[] = [];
  const parser = createParser({
    onEvent: (frame) => frames.push(frame),
    // A comment may hold the position before any event. Without it, a call that ends during a reconnect would be
    // missed.
    onComment: (comment) => {
      const cursor = /^\s*cursor ([\w-]{1,64})$/.exec(comment)?.[1];
      if (cursor !== undefined) frames.push({ event: 'position', id: cursor, data: '' });
    },
  });
  const decoder = new TextDecoder();
  let pending = 0;
  return (chunk) => {
    parser.feed(decoder.decode(chunk, { stream: true }));
    // Limits an unfinished frame and endless comments. The heartbeats between two events are always fewer bytes.
    pending = frames.length > 0 ? 0 : pending + chunk.length;
    return pending > maxFrameBytes ? undefined : frames.splice(0);
  };
}

/** @returns false where the frame is not what the relay's protocol allows. */
async function handle(
  frame: StreamFrame,
  options: FollowOptions,
  position: { cursor: string | undefined },
): Promise<boolean> {
  if (frame.event === 'reset') {
    position.cursor = frame.id;
    await options.onReset?.();
    return true;
  }
  if (frame.event === 'position' && frame.id !== undefined) position.cursor = frame.id;
  if (frame.event !== 'call') {
    await options.onOther?.(frame.event, parseJson(frame.data));
    return true;
  }
  if (frame.data.length > maxFrameBytes || frame.id === undefined) return false;
  const call = Call.safeParse(parseJson(frame.data));
  if (!call.success) return false;
  await options.onCall(call.data, frame.id);
  position.cursor = frame.id;
  return true;
}
