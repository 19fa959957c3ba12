/** The team's rules as browsers get them, and the numbers that must not be called. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod/mini';
import { DoNotCallRequest, ListedNumber } from '../../shared/protocol/do-not-call.ts';
import { keyOfNumber, keyOfPrefix, type ListedKey } from '../../shared/rules/callee.ts';
import { parseInput } from '../../shared/server/parse-input.ts';
import { authenticate, type Principal, requireRight, requireWatch } from '../access/principal.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import { listedEntry } from '../rules/listed-entry.ts';
import { homeOf } from '../rules/rules-file.ts';
import { auditRecord } from '../store/team-rules.ts';

const defaultLimit = 100;
const maxLimit = 1000;
const ListQuery = z.object({
  after: z.optional(z.string().check(z.maxLength(64))),
  limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'expected a whole number above 0'))),
});

export function teamRuleRoutes(app: FastifyInstance, relay: RelayContext): void {
  app.get('/v1/rules', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireWatch(principal);
    return relay.rules.forBrowser(principal);
  });

  app.get('/v1/rules/do-not-call', async (request) => {
    await authenticateAgent(request, relay);
    const { after = '', limit } = parseInput(ListQuery, request.query);
    const wanted = Math.min(Number(limit ?? defaultLimit), maxLimit);
    const { rows, next } = await relay.store.rules.listed(after, wanted);
    return { entries: rows.map(({ entry }) => entry), ...(next === undefined ? {} : { next }) };
  });

  app.post('/v1/rules/do-not-call', async (request, reply) => {
    const principal = await authenticateAgent(request, relay);
    const wanted = parseInput(DoNotCallRequest, request.body);
    const listed = readableKey(listedKeyOf(wanted, principal, relay));
    const { until, reason } = wanted;
    const by = principal.name || principal.callers[0]!;
    const added = listedEntry(listed, { by, source: 'agent', until, reason });
    await relay.store.rules.list([added], [auditRecord('doNotCall.add', principal.keyId, added.key)]);
    relay.numbersEpoch.changed();
    reply.code(201);
    return added.entry;
  });

  app.delete('/v1/rules/do-not-call', async (request, reply) => {
    const principal = await authenticateAgent(request, relay);
    requireRight(
      principal.rights.includes('rules'),
      'Taking a number off the list needs a key with the right "rules".',
    );
    const wanted = parseInput(ListedNumber, request.body ?? request.query);
    const { key: about } = readableKey(listedKeyOf(wanted, principal, relay));
    const audit = auditRecord('doNotCall.remove', principal.keyId, about);
    if (!(await relay.store.rules.unlist(about, audit)))
      throw new ProblemError('notFound', { detail: 'This number is not listed.' });
    relay.numbersEpoch.changed();
    reply.code(204);
  });
}

async function authenticateAgent(request: FastifyRequest, relay: RelayContext): Promise<Principal> {
  const principal = await authenticate(request, relay.access);
  requireRight(principal.kind === 'agent', 'The list of numbers needs an agent key.');
  return principal;
}

function listedKeyOf(
  { number, prefix }: ListedNumber,
  { team }: Principal,
  { settings, rules }: RelayContext,
): ListedKey {
  const { country, areaCode } = homeOf(settings, rules.of(team));
  return number === undefined ? keyOfPrefix(prefix!, country) : keyOfNumber(number, country, areaCode);
}

/** @throws ProblemError where it is not clear which number is meant. */
function readableKey(listed: ListedKey) {
  if ('key' in listed) return listed;
  throw new ProblemError('numberUnknown', {
    detail:
      listed.why === 'needsCountry'
        ? 'This relay has no DIALMARK_COUNTRY, so the digits behind a country code are not known.'
        : 'Write the number with its country code, for example +55 48 99999-8888.',
  });
}
