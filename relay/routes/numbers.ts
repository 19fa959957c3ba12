/**
 * What is known of numbers, and search by name. Both are asked for in the body of a request, because addresses stay in
 * the logs of proxies.
 */
import type { FastifyInstance } from 'fastify';
import { minuteMs } from '../../shared/durations.ts';
import { NumbersPerMinute } from '../../shared/numbers-per-minute.ts';
import {
  type DirectoryEntry,
  type DirectorySearchPage,
  DirectorySearchRequest,
  type NumberStatus,
  type NumberStatusPage,
  NumberStatusRequest,
} from '../../shared/protocol/number-status.ts';
import { mobileForm } from '../../shared/rules/callee.ts';
import { parseInput } from '../../shared/server/parse-input.ts';
import { authenticate, type Principal, requireRight } from '../access/principal.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';

/** The epoch while names cannot be read. Browsers must forget answers of another epoch. */
const unreadable = 'unreadable';

/**
 * The most numbers that a ticket may ask for in a minute, like a tab of the extension. A page could otherwise ask for
 * all numbers.
 */
const maxNumbersOfTicket = 60;

const tooManyNumbers = () =>
  new ProblemError('tooManyRequests', {
    detail: `A ticket learns about ${maxNumbersOfTicket} numbers a minute.`,
    retryAfterSeconds: minuteMs / 1000,
  });

export function numberRoutes(app: FastifyInstance, relay: RelayContext): void {
  const { directory, log, numbersEpoch } = relay;
  const askedByTickets = new NumbersPerMinute<string>(maxNumbersOfTicket);
  const mayLearn = ({ kind, keyId, callers }: Principal, numbers: readonly string[]): boolean =>
    kind !== 'ticket' || askedByTickets.admits(numbers, `${keyId} ${callers}`);
  /** Cuts what was found to the numbers that the ticket may still learn. @throws ProblemError where none is left. */
  const cutTo = (principal: Principal, found: DirectoryEntry[]): DirectoryEntry[] => {
    if (principal.kind !== 'ticket') return found;
    const entries = found.flatMap((person) => {
      const numbers = person.numbers.filter(({ number }) => mayLearn(principal, [number]));
      return numbers.length > 0 ? [{ ...person, numbers }] : [];
    });
    if (entries.length === 0 && found.length > 0) throw tooManyNumbers();
    return entries;
  };

  app.post('/v1/numbers/status', async (request, reply): Promise<NumberStatusPage> => {
    const principal = await authenticate(request, relay.access);
    requireNames(principal);
    reply.header('cache-control', 'no-store');
    const { numbers } = parseInput(NumberStatusRequest, request.body);
    if (!mayLearn(principal, numbers)) throw tooManyNumbers();
    // The epoch is read before the names. After a change in between, the names are newer than the epoch, never older.
    const epoch = numbersEpoch.of(principal);
    const [names, talks, rules] = await Promise.all([
      directory
        ?.namesOf(numbers, principal.team)
        .catch((error: Error) => void log.error({ error: error.message }, 'names could not be looked up')),
      lastTalks(numbers, principal, relay),
      // A ticket is in a web page. The page must not learn whom the team calls, or must not call.
      principal.kind === 'agent' ? relay.callRules.statusOf(numbers, principal) : undefined,
    ]);
    return {
      epoch: names || !directory ? epoch : numbersEpoch.of(principal, unreadable),
      numbers: numbers.map((number, at) => ({
        number,
        ...(names?.[at] ?? { names: [], count: 0 }),
        ...talks[at],
        ...rules?.[at],
      })),
    };
  });

  app.post('/v1/directory/search', async (request, reply): Promise<DirectorySearchPage> => {
    const principal = await authenticate(request, relay.access);
    requireNames(principal);
    reply.header('cache-control', 'no-store');
    const { q } = parseInput(DirectorySearchRequest, request.body);
    const epoch = numbersEpoch.of(principal);
    const found = (await directory?.search(q, principal.team)) ?? [];
    return { epoch, entries: cutTo(principal, found) };
  });
}

/**
 * Who of the team talked last with each number. A ticket is in a web page, which must not learn about the team's calls.
 */
async function lastTalks(
  numbers: readonly string[],
  { kind, team, callers }: Principal,
  { store, access }: RelayContext,
): Promise<Pick<NumberStatus, 'lastTalk'>[]> {
  if (kind !== 'agent') return [];
  const keys = numbers.map((number) =>
    number.startsWith('+') ? `+${mobileForm(number.slice(1))}` : `=${number}`,
  );
  const channels = team === undefined ? callers : access.keys.callersOf(team);
  const calls = await store.rules.lastTalks(keys, channels);
  return calls.map((call) => {
    if (!call) return {};
    const { from, startedAt, createdAt, talkSeconds = 0 } = call;
    const by = access.keys.nameOfCaller(from) ?? from;
    return { lastTalk: { by, at: startedAt ?? createdAt, seconds: talkSeconds } };
  });
}

function requireNames({ sees }: Principal): void {
  requireRight(sees.names, 'Names need an agent key, or a ticket with the right "names".');
}
