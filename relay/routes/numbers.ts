/** What is known of numbers, and search by name. In the body of a request: addresses stay in the logs of proxies. */
import type { FastifyInstance } from 'fastify';
import {
  type DirectorySearchPage,
  DirectorySearchRequest,
  type NumberStatusPage,
  NumberStatusRequest,
} from '../../shared/protocol/number-status.ts';
import { parseInput } from '../../shared/server/parse-input.ts';
import { authenticate, type Principal } from '../access/principal.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';

/** Where no source is set. */
const emptyEpoch = 'none';

export function numberRoutes(app: FastifyInstance, relay: RelayContext): void {
  const { directory } = relay;

  app.post('/v1/numbers/status', async (request, reply): Promise<NumberStatusPage> => {
    const principal = await authenticate(request, relay.access);
    requireNames(principal);
    reply.header('cache-control', 'no-store');
    const { numbers } = parseInput(NumberStatusRequest, request.body);
    // Before the names are read: a change meanwhile makes them outdated, never the other way round.
    const epoch = directory?.epoch ?? emptyEpoch;
    const names = await directory?.namesOf(numbers, principal.team);
    return {
      epoch,
      numbers: numbers.map((number, at) => ({ number, ...(names?.[at] ?? { names: [], count: 0 }) })),
    };
  });

  app.post('/v1/directory/search', async (request, reply): Promise<DirectorySearchPage> => {
    const principal = await authenticate(request, relay.access);
    requireNames(principal);
    reply.header('cache-control', 'no-store');
    const { q } = parseInput(DirectorySearchRequest, request.body);
    const epoch = directory?.epoch ?? emptyEpoch;
    return { epoch, entries: (await directory?.search(q, principal.team)) ?? [] };
  });
}

function requireNames({ sees }: Principal): void {
  if (!sees.names)
    throw new ProblemError('forbidden', {
      detail: 'Names need an agent key, or a ticket with the right "names".',
    });
}
