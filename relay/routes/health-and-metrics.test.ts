import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Readiness } from '../readiness.ts';
import type { RelayContext } from '../relay-context.ts';
import { healthAndMetricsRoutes } from './health-and-metrics.ts';

it('logs why the store takes no writes', async () => {
  const lines: string[] = [];
  const app = Fastify();
  healthAndMetricsRoutes(app, {
    isStopping: false,
    readiness: new Readiness(() => Promise.reject(new Error('READONLY a replica'))),
    log: pino({}, { write: (line) => void lines.push(line) }),
  } as unknown as RelayContext);
  expect((await app.inject('/readyz')).statusCode).toBe(503);
  expect(lines.join('')).toContain('READONLY a replica');
  await app.close();
});
