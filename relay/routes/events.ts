/** GET /v1/events: the calls of one's own callers as a stream, or one page of the same. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod/mini';
import type { Call } from '../../shared/call/call.ts';
import type { EventPage } from '../../shared/protocol/messages.ts';
import { parseInput } from '../../shared/server/parse-input.ts';
import { authenticate, type Principal, requireWatch } from '../access/principal.ts';
import { visibleCall } from '../access/visible-call.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import { formatCursor } from '../stream/cursor.ts';
import { namesText } from '../stream/event-bytes.ts';
import { EventStream } from '../stream/event-stream.ts';
import { joinStream, readStreamStart, type Start } from '../stream/join-stream.ts';

const maxWaitSeconds = 25;
const jitter = 0.2;

const EventsQuery = z.object({
  since: z.optional(z.string()),
  wait: z.optional(z.string().check(z.regex(/^\d{1,3}$/, `expected seconds, up to ${maxWaitSeconds}`))),
});

export function eventRoutes(app: FastifyInstance, relay: RelayContext): void {
  // A HEAD of a stream would open one without a reader.
  app.get('/v1/events', { exposeHeadRoute: false }, async (request, reply) => {
    const principal = await authenticate(request, relay.access);
    requireWatch(principal);
    const query = parseInput(EventsQuery, request.query);
    const cursor = cursorHeader(request) || query.since || undefined;
    if (wantsPage(request)) {
      const wait = Math.min(Number(query.wait ?? 0), maxWaitSeconds);
      reply.header('cache-control', 'no-store');
      const start = await readStreamStart(relay, principal.callers, cursor);
      return answerPage(relay, principal, start, wait, request);
    }
    await openStream(relay, principal, cursor, reply);
    return reply;
  });
}

function cursorHeader(request: FastifyRequest): string | undefined {
  const value = request.headers['last-event-id'];
  return typeof value === 'string' ? value : undefined;
}

function wantsPage(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? '';
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/event-stream\b/i.test(accept);
}

async function answerPage(
  relay: RelayContext,
  principal: Principal,
  start: Start,
  wait: number,
  request: FastifyRequest,
): Promise<EventPage> {
  let page = start;
  if (page.events.length === 0 && !start.reset && wait > 0) {
    requireRoom(relay, principal);
    const came = await nextEvent(relay, principal, start, wait, request);
    // The key may have been revoked and the ticket may have expired meanwhile.
    await authenticate(request, relay.access);
    // If the epoch has changed, the cursor is unknown, and the answer is a reset.
    if (came) page = await readStreamStart(relay, principal.callers, formatCursor(start.epoch, start.head));
  }
  const { epoch } = page;
  const last = page.more ? page.events.at(-1)!.seq : page.head;
  return {
    reset: page.reset,
    events: page.events.map((event) => ({
      id: formatCursor(epoch, event.seq),
      call: visibleCall(JSON.parse(event.data) as Call, principal.sees),
    })),
    cursor: formatCursor(epoch, last),
  };
}

/**
 * Waits for an event of the principal's channels after the start, or for another epoch.
 * @returns false if the epoch is the same after `wait` seconds, at a disconnect or at the end of key or ticket.
 */
async function nextEvent(
  relay: RelayContext,
  principal: Principal,
  { head: seq, epoch }: Start,
  wait: number,
  request: FastifyRequest,
): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (came: boolean) => {
      clearTimeout(timer);
      stop();
      request.raw.socket.off('close', left);
      resolve(came);
    };
    const left = () => done(relay.store.epoch !== epoch);
    const leftMs = (principal.expires ?? Number.POSITIVE_INFINITY) - Date.now();
    const timer = setTimeout(left, Math.min(wait * 1000, leftMs));
    const stop = relay.hub.listen({
      keyId: principal.keyId,
      onEvents(events) {
        if (events.some((event) => event.seq > seq && principal.callers.includes(event.channel))) done(true);
      },
      onEnd: left,
    });
    if (request.raw.socket.destroyed) left();
    else request.raw.socket.once('close', left);
    // Finds an event between the page and this listener.
    relay.store.calls.eventsAfter(principal.callers, seq, 1).then(
      (page) => {
        if (!page || page.events.length > 0) done(true);
      },
      () => done(false),
    );
  });
}

/** A waiting request counts as a stream, because it holds a connection, too. */
function requireRoom({ hub, settings }: RelayContext, { keyId }: Principal): void {
  if (hub.size >= settings.maxStreams || hub.countOf(keyId) >= settings.maxStreamsPerKey)
    throw new ProblemError('tooManyStreams', { retryAfterSeconds: 10 });
}

const stopping = () => new ProblemError('stopping', { retryAfterSeconds: 1 });

async function openStream(
  relay: RelayContext,
  principal: Principal,
  cursor: string | undefined,
  reply: FastifyReply,
): Promise<void> {
  const { hub, settings } = relay;
  if (relay.isStopping) throw stopping();
  requireRoom(relay, principal);

  const { raw } = reply;
  const lifeMs = settings.streamSeconds * 1000 * (1 - jitter + Math.random() * 2 * jitter);
  const endsAt = Math.min(Date.now() + lifeMs, principal.expires ?? Number.POSITIVE_INFINITY);
  const stream = new EventStream(raw, principal, endsAt, (cut) => {
    relay.metrics.streamsCut.inc();
    relay.log.info(
      { key: principal.keyId, unread: cut.unread },
      'a stream was cut: its reader does not read',
    );
  });
  const isOpen = await joinStream(stream, cursor, relay, () => {
    reply.hijack();
    raw.on('close', () => hub.remove(stream));
    raw.on('error', () => {});
    // Without chunks, an event needs one write instead of three. The stream ends with its connection, and a reader
    // drops a frame that was cut.
    raw.useChunkedEncodingByDefault = false;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // nginx would hold events back until its buffer is full.
      'x-accel-buffering': 'no',
    });
  });
  if (!isOpen) {
    if (raw.destroyed) return;
    if (relay.isStopping) throw stopping();
    // The key may have been revoked and the ticket may have expired meanwhile.
    await authenticate(reply.request, relay.access);
    throw new ProblemError('storeUnavailable', { retryAfterSeconds: 1 });
  }
  // A reader that was away gets the epoch, because it may remember what was known in an earlier one.
  if (principal.sees.names) stream.write(Buffer.from(namesText({ epoch: relay.numbersEpoch.of(principal) })));
}
