/** Health, metrics, the widget and the interface's description. */
import { setTimeout } from 'node:timers/promises';
import { send } from '@fastify/send';
import type { FastifyInstance } from 'fastify';
import { projectFile } from '../../shared/server/project-file.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import { checkMetricsToken } from './metrics-token.ts';
import { openApiDocument } from './openapi.ts';

const storeCheckTimeoutMs = 2000;
const widgetFolder = projectFile('dist/widget');

export function healthAndMetricsRoutes(app: FastifyInstance, relay: RelayContext): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (relay.stopping()) throw new ProblemError('stopping', { retryAfterSeconds: 1 });
    const isLate = setTimeout(storeCheckTimeoutMs, true, { ref: false });
    if (await Promise.race([relay.store.maintenance.check(), isLate]))
      throw new ProblemError('storeUnavailable', {
        detail: 'The store does not answer.',
        retryAfterSeconds: 1,
      });
    // The store's id, by which a command beside this relay knows that it writes the same store.
    return { status: 'ready', durability: relay.store.durability, store: relay.store.epoch };
  });

  app.get('/metrics', async (request, reply) => {
    checkMetricsToken(request, relay.settings);
    reply.header('cache-control', 'no-store').type(relay.metrics.registry.contentType);
    return relay.metrics.registry.metrics();
  });

  app.get('/openapi.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return openApiDocument(relay.publicUrl());
  });

  app.get('/widget.js', async (request, reply) => {
    const widget = await send(request.raw, 'widget.js', { root: widgetFolder, cacheControl: false });
    if (widget.type === 'error')
      throw new ProblemError('widgetNotBuilt', {
        detail: 'Run `npm run build` on the relay, then load the page again.',
      });
    return (
      reply
        .code(widget.statusCode)
        .headers(widget.headers as Record<string, string>)
        .header('cache-control', 'public, max-age=300, stale-while-revalidate=86400')
        // Any site may embed it; it holds no secret.
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(widget.stream)
    );
  });
}
