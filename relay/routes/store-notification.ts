/**
 * POST /h/v1/{capability}: the provider reports how a call ended. A provider that reports all events also reports how
 * the call goes on. The reply is 2xx only once the report is durable (Law 2). A report is accepted only on the address
 * made for that call. Every other address gets the same 404 before the body is read (Law 6).
 */

import { hash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { minuteMs } from '../../shared/durations.ts';
import { HttpError } from '../../shared/server/problem.ts';
import { isTooDeep, maxJsonDepth } from '../../shared/service/json.ts';
import { type EndFact, type NotificationFact, readNotification } from '../../shared/service/notification.ts';
import { withoutSecrets } from '../../shared/service/without-secrets.ts';
import { openCapability } from '../access/capability.ts';
import { forwardedBody } from '../forward/forwarded-body.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import type { Arrival } from '../store/store.ts';

const path = '/h/v1/:capability';
const nothingHere = () => new ProblemError('notFound');

declare module 'fastify' {
  interface FastifyRequest {
    /** What the capability was made for. */
    capability?: NonNullable<ReturnType<typeof openCapability>>;
  }
}

export function notificationRoutes(app: FastifyInstance, relay: RelayContext): void {
  app.post(
    path,
    {
      // One wrong byte in a name must not lose the end of a call.
      config: { acceptsMalformedUtf8: true },
      onRequest: (request, _reply, done) => {
        const { capability } = request.params as { capability: string };
        const opened = openCapability(relay.access.signer, capability, Date.now());
        if (opened === undefined) {
          relay.metrics.notifications.inc({ outcome: 'forged' });
          return done(nothingHere());
        }
        request.capability = opened;
        done();
      },
      onError: async (request, _reply, error) => logRefusal(request, error, relay),
    },
    async (request) => {
      const start = performance.now();
      const body = bodyWithoutSecrets(request, relay);
      const fact = readFact(body, relay);
      const now = Date.now();
      const applied = await relay.store.calls.apply({
        callId: request.capability!.callId,
        fact,
        arrival: isEnd(fact)
          ? { event: fact.kind, digest: digestOf(fact), ...toForward(request, body, fact, relay) }
          : { event: 'party' in fact ? `${fact.kind}/${fact.party}` : fact.kind, digest: '' },
        // An event before the end sets a new deadline once the provider has answered. A call whose reply was lost had
        // no deadline.
        deadline: now + relay.settings.maxCallMinutes * minuteMs,
        now,
      });
      relay.metrics.notified(applied.kind);
      relay.metrics.applied(applied);
      if (applied.kind === 'applied' || applied.kind === 'unchanged') void relay.forwarder?.wake();
      relay.metrics.lagSeconds.observe((performance.now() - start) / 1000);
      if (applied.kind === 'unknownCall') throw nothingHere();
      if (applied.kind === 'conflict')
        relay.log.warn(
          { call: request.capability!.callId, event: fact.kind },
          'a notification contradicts the one before; kept, not shown',
        );
      return { status: 'ok' };
    },
  );
  // A guess with another method gets the same 404.
  app.route({ method: ['GET', 'PUT', 'DELETE', 'PATCH'], url: path, handler: nothing });
  app.all('/h/*', nothing);
}

/** Logs a refused notification. Without it, the call stays open until the deadline, and few services repeat it. */
function logRefusal(
  { capability, headers }: FastifyRequest,
  error: FastifyError,
  { log }: RelayContext,
): void {
  const status = error instanceof HttpError ? error.status : (error.statusCode ?? 500);
  if (!capability || status >= 500) return;
  log.warn(
    { call: capability.callId, type: headers['content-type'], reason: error.message },
    'a notification was refused',
  );
}

async function nothing(): Promise<never> {
  throw nothingHere();
}

/**
 * The service may quote its token and the return address anywhere. They are removed here, so that later code does not
 * know them (Laws 5 and 6).
 */
function bodyWithoutSecrets(request: FastifyRequest, { settings }: RelayContext): unknown {
  if (isTooDeep(request.body))
    throw new ProblemError('badRequest', {
      detail: `The body is nested deeper than ${maxJsonDepth} levels.`,
    });
  const { capability } = request.params as { capability: string };
  return withoutSecrets(request.body, [settings.provider?.token, capability]);
}

function readFact(body: unknown, { settings }: RelayContext): NotificationFact {
  const fact = readNotification(body, {
    version: settings.providerVersion,
    map: settings.providerMap,
    recordingKey: settings.providerRecordingId,
    at: new Date().toISOString(),
  });
  if (fact) return fact;
  throw new ProblemError('notANotification', {
    detail:
      'Expected a JSON object whose event is "hangup", "ringing", "answer" or "unknown", or a lost-call.',
  });
}

const isEnd = (fact: NotificationFact): fact is EndFact => fact.kind === 'hungUp' || fact.kind === 'lostCall';

/** The forward of an end to the operator's own system, where one is set; durable in the same commit (Law 2). */
function toForward(
  request: FastifyRequest,
  notification: unknown,
  fact: EndFact,
  relay: RelayContext,
): Pick<Arrival, 'forward'> {
  const { forward, providerMap = {} } = relay.settings;
  if (!forward) return {};
  const { callId, placedBy } = request.capability!;
  const body = forwardedBody(notification as Record<string, unknown>, {
    callId,
    placedBy,
    arrivedUnder: providerMap,
    rename: forward.map,
  });
  // There is one id per call and kind of end, so that a receiver recognises a repeated delivery (Standard Webhooks'
  // `webhook-id`).
  return { forward: { id: `msg_${callId}_${fact.kind}`, body } };
}

/** The digest leaves out the time of arrival and what the provider echoes. So a repetition has the same digest. */
function digestOf(fact: EndFact): string {
  return hash('sha256', JSON.stringify(fact.details ?? {}), 'base64url');
}
