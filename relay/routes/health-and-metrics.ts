/** Health, metrics, the widget and the interface's description. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { projectFile } from '../../shared/server/project-file.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import { checkMetricsToken } from './metrics-token.ts';
import { openApiDocument } from './openapi.ts';

const storeCheckTimeoutMs = 2000;

export function healthAndMetricsRoutes(app: FastifyInstance, relay: RelayContext): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (relay.stopping()) throw new ProblemError('stopping', { retryAfterSeconds: 1 });
    const isLate = setTimeout(storeCheckTimeoutMs, false, { ref: false });
    const isChecked = relay.readiness.check().then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([isChecked, isLate])))
      throw new ProblemError('storeUnavailable', {
        detail: 'The store takes no writes.',
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

  const readWidget = cachedFile(projectFile('dist/widget/widget.js'));
  app.get('/widget.js', async (request, reply) => {
    const widget = await readWidget();
    if (!widget)
      throw new ProblemError('widgetNotBuilt', {
        detail: 'Run `npm run build` on the relay, then load the page again.',
      });
    reply
      .header('etag', widget.etag)
      .header('cache-control', 'public, max-age=300, stale-while-revalidate=86400')
      // Any site may embed it; it holds no secret.
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin');
    const known = request.headers['if-none-match'];
    if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === widget.etag))
      return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(widget.bytes);
  });
}

/** Reads a file again only when it changed. */
function cachedFile(path: string): () => Promise<{ bytes: Buffer; etag: string } | undefined> {
  let cached: { bytes: Buffer; etag: string } | undefined;
  let seen = '';
  return async () => {
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile()) return undefined;
    const version = `${info.mtimeMs}/${info.size}`;
    if (!cached || version !== seen) {
      const bytes = await readFile(path);
      cached = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
      seen = version;
    }
    return cached;
  };
}
