/** GET /: what this is. GET /status: a page for whoever runs the relay, and GET /status.json, its figures. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { projectFile } from '../../shared/server/project-file.ts';
import type { RelayContext } from '../relay-context.ts';
import { checkMetricsToken } from './metrics-token.ts';
import { statusPage } from './status-page.ts';

/** Times are ISO 8601 UTC. */
interface RelayStatus {
  version: string;
  /** This machine's clock. */
  now: string;
  startedAt: string;
  /** Open event streams and long polls. */
  streams: number;
  /** Calls between journal and answer. */
  dialsUnderWay: number;
  /** Notifications that wait to be forwarded; absent where none are forwarded. */
  forwardsPending?: number;
  /** Calls that wait to be logged in their CRM; absent where none is set. */
  entriesPending?: number;
  /** Absent where none was accepted since the start. */
  lastNotificationAt?: string;
}

export function statusRoutes(app: FastifyInstance, relay: RelayContext): void {
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string };
  const startedAt = new Date().toISOString();

  app.get('/', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('Dialmark relay: places calls and pushes how they end.\n'),
  );

  app.get('/status', async (_request, reply) =>
    reply
      .header('content-security-policy', pagePolicy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(statusPage.html),
  );

  app.get('/status.json', async (request, reply): Promise<RelayStatus> => {
    checkMetricsToken(request, relay.settings);
    reply.header('cache-control', 'no-store');
    const { lastNotificationAt } = relay.metrics;
    return {
      version,
      now: new Date().toISOString(),
      startedAt,
      streams: relay.hub.size,
      dialsUnderWay: relay.placer.dialsInProgress,
      ...(relay.forwarder && { forwardsPending: relay.forwarder.pending }),
      ...(relay.callLogger && { entriesPending: relay.callLogger.pending }),
      ...(lastNotificationAt && { lastNotificationAt: lastNotificationAt.toISOString() }),
    };
  });
}

const allowed = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;
/** The page's own style and script, and requests to this relay. */
const pagePolicy = [
  "default-src 'none'",
  `style-src ${allowed(statusPage.style)}`,
  `script-src ${allowed(statusPage.script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
