/** Health and metrics. */
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import { checkMetricsToken } from './metrics-token.ts';

const storeCheckTimeoutMs = 2000;

export function healthAndMetricsRoutes(app: FastifyInstance, relay: RelayContext): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (relay.isStopping) throw new ProblemError('stopping', { retryAfterSeconds: 1 });
    const late = setTimeout(storeCheckTimeoutMs, 'no answer in time', { ref: false });
    const failure = relay.readiness.check().then(
      () => undefined,
      (error: Error) => error.message,
    );
    const error = await Promise.race([failure, late]);
    if (error === undefined)
      // The store's id, by which a command beside this relay knows that it writes the same store.
      return { status: 'ready', durability: relay.store.durability, store: relay.store.epoch };
    relay.log.error({ error }, 'the store takes no writes');
    throw new ProblemError('storeUnavailable', {
      detail: 'The store takes no writes.',
      retryAfterSeconds: 1,
    });
  });

  app.get('/metrics', async (request, reply) => {
    checkMetricsToken(request, relay.settings);
    reply.header('cache-control', 'no-store').type(relay.metrics.registry.contentType);
    return relay.metrics.registry.metrics();
  });
}
