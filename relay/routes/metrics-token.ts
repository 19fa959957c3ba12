import type { FastifyRequest } from 'fastify';
import { carriesToken } from '../../shared/server/bearer-token.ts';
import { ProblemError } from '../problem.ts';
import type { RelaySettings } from '../settings.ts';

/** @throws ProblemError 401 where DIALMARK_METRICS_TOKEN is set and the request does not carry it. */
export function checkMetricsToken(request: FastifyRequest, { metricsToken }: RelaySettings): void {
  if (metricsToken !== undefined && !carriesToken(request.headers.authorization, metricsToken))
    throw new ProblemError('unauthorized', { detail: 'This needs the token in DIALMARK_METRICS_TOKEN.' });
}
