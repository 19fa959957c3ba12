/** The relay's HTTP interface: its routes, CORS and limits, on the server that shared/server sets up. */

import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { minuteMs } from '../shared/durations.ts';
import { createHttpServer, warnOfUntrustedProxy } from '../shared/server/http-server.ts';
import { projectFile } from '../shared/server/project-file.ts';
import { ProblemError } from './problem.ts';
import type { RelayContext } from './relay-context.ts';
import { callRoutes } from './routes/calls.ts';
import { eventRoutes } from './routes/events.ts';
import { healthAndMetricsRoutes } from './routes/health-and-metrics.ts';
import { numberRoutes } from './routes/numbers.ts';
import { sheetRoutes } from './routes/sheets.ts';
import { statusRoutes } from './routes/status.ts';
import { notificationRoutes } from './routes/store-notification.ts';
import { teamRuleRoutes } from './routes/team-rules.ts';
import { ticketRoutes } from './routes/tickets.ts';
import { widgetRoutes } from './routes/widget.ts';
import { wrapUpRoutes } from './routes/wrap-up.ts';
import { settingsPrefix } from './settings.ts';
import { StoreError } from './store/store.ts';

const extensionOrigin = /^(chrome|moz)-extension:\/\/[a-z0-9-]{1,64}$/i;

export async function buildApp(relay: RelayContext): Promise<FastifyInstance> {
  const { settings, log, metrics } = relay;
  const app = createHttpServer({
    log,
    trustedProxies: settings.trustedProxies,
    maxFailedRequestsPerMinute: settings.maxFailedRequestsPerMinute,
    toProblem: (error) => {
      if (!(error instanceof StoreError)) return undefined;
      metrics.storeErrors.inc({ code: error.code.slice(0, 40) });
      relay.readiness.forget();
      log.error({ code: error.code, error: error.message }, 'the store rejected an operation');
      return error.isUnwritable
        ? new ProblemError('storeUnwritable', {
            detail: 'The store is full, read-only or damaged. Send the same request again once it is mended.',
            retryAfterSeconds: 10,
          })
        : new ProblemError('storeUnavailable', {
            detail: 'The store cannot take this now; send the same request again.',
            retryAfterSeconds: 2,
          });
    },
  });

  await app.register(cors, {
    hook: 'onRequest',
    origin: (origin, allow) =>
      allow(
        null,
        origin !== undefined && (extensionOrigin.test(origin) || relay.access.keys.allowsOrigin(origin)),
      ),
    methods: ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'Last-Event-ID',
      'Cache-Control',
      'Accept',
    ],
    // `Date` is exposed because an agent's own clock may be wrong.
    exposedHeaders: ['Retry-After', 'Location', 'Date'],
    maxAge: 600,
    strictPreflight: false,
  });

  // Notifications of the provider and requests of the monitoring are not limited: they must never be locked out.
  if (settings.maxRequestsPerMinute !== undefined)
    await app.register(rateLimit, {
      max: settings.maxRequestsPerMinute,
      timeWindow: minuteMs,
      allowList: (request) => /^\/(h\/|healthz|readyz|metrics)/.test(request.url),
      errorResponseBuilder: (_request, context) =>
        new ProblemError('tooManyRequests', { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
    });
  if (!settings.trustedProxies) warnOfUntrustedProxy(app, log, `${settingsPrefix}TRUSTED_PROXIES`);

  for (const routes of [
    callRoutes,
    wrapUpRoutes,
    teamRuleRoutes,
    ticketRoutes,
    numberRoutes,
    sheetRoutes,
    eventRoutes,
    notificationRoutes,
    healthAndMetricsRoutes,
    statusRoutes,
  ])
    routes(app, relay);
  widgetRoutes(app, projectFile('dist/widget'));
  return app;
}
