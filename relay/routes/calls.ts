/** /v1/calls: places, announces, reports and lists calls. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod/mini';
import { type Call, CallId, type Fact, isFinished } from '../../shared/call/call.ts';
import { wasNotPlaced } from '../../shared/call/outcome.ts';
import { PlaceCallRequest, ReportReply } from '../../shared/protocol/messages.ts';
import { linkedRecord } from '../../shared/record/template.ts';
import { watchLateRequests } from '../../shared/server/late-request.ts';
import { parseInput } from '../../shared/server/parse-input.ts';
import { readReplyObject } from '../../shared/service/reply.ts';
import { authenticate, type Principal, requireRight, requireWatch } from '../access/principal.ts';
import { colleagueOf, visibleCall } from '../access/visible-call.ts';
import { foundRecord } from '../dial/found-record.ts';
import { hangUpAtProvider } from '../dial/hang-up.ts';
import { dialledNumbers } from '../directory/dialled-numbers.ts';
import { plainText } from '../directory/person.ts';
import { recordCandidates } from '../log/record-candidates.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import { homeOf } from '../rules/rules-file.ts';
import type { FoundCall, History } from '../store/store.ts';

const CallPath = z.object({ id: CallId });
const defaultLimit = 50;
const maxLimit = 200;
/** The most calls of the history that one request reads to find those without an outcome. */
const maxRead = 2000;
const HistoryQuery = z.object({
  limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'expected a whole number above 0'))),
  before: z.optional(CallId),
  /** Only calls that were placed and are over, and for which an agent has not chosen an outcome. */
  outcome: z.optional(z.literal('missing')),
});

export function callRoutes(app: FastifyInstance, relay: RelayContext): void {
  placingRoutes(app, relay);
  hangUpRoute(app, relay);
  readingRoutes(app, relay);
}

function placingRoutes(app: FastifyInstance, relay: RelayContext): void {
  const isGivenUp = watchLateRequests(app);
  app.post('/v1/calls', async (request, reply) => {
    const principal = await authenticate(request, relay.access);
    requireRight(principal.mayDial, 'Placing calls needs an agent key, or a ticket with the right "dial".');
    const idempotencyKey = readIdempotencyKey(request);
    const body = parseInput(PlaceCallRequest, request.body);
    if (body.placedBy === 'client') requireAnnounce(principal);
    if (relay.isStopping) throw new ProblemError('stopping', { retryAfterSeconds: 1 });
    const from = chooseCaller(body.from, principal);
    requireMember(body, principal);
    const record = recordFor(body, principal, relay);
    const name = await nameFor(body, principal, relay);
    const found = await foundRecord(record, body.to, principal, relay);
    const needsOutcome = await owesOutcome(from, principal, relay);
    if (await isGivenUp(request)) {
      relay.log.warn('a call was not placed: its client gave up while this relay was stopped');
      throw new ProblemError('badRequest', { detail: 'The connection ended before the call was placed.' });
    }
    const { call, returnUrl } = await relay.placer.place({
      from,
      request: record ? { ...body, record } : body,
      name,
      found,
      needsOutcome,
      caller: principal,
      // Two agents behind one site key must not share Idempotency-Keys.
      owner: principal.kind === 'ticket' ? `${principal.keyId}/${from}` : principal.keyId,
      idempotencyKey,
    });
    reply.code(201).header('location', `/v1/calls/${call.id}`);
    const visible = visibleCall(call, principal.sees);
    return body.placedBy === 'client' ? { call: visible, returnUrl } : visible;
  });

  app.post('/v1/calls/:id/reply', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireAnnounce(principal);
    const found = await findCall(request, principal, relay);
    requireRight(
      found.placedBy === 'client',
      'The relay places this call itself; there is nothing to report.',
    );
    const call = await relay.placer.report(found.call.id, readReport(parseInput(ReportReply, request.body)));
    if (!call) throw new ProblemError('notFound');
    return call;
  });
}

function hangUpRoute(app: FastifyInstance, relay: RelayContext): void {
  app.delete('/v1/calls/:id', async (request, reply) => {
    const principal = await authenticate(request, relay.access);
    requireRight(principal.mayHangUp, 'Hanging up needs an agent key, or a ticket with the right "hangup".');
    const { call } = await findCall(request, principal, relay);
    const visible = visibleCall(call, principal.sees);
    if (isFinished(call)) throw callFinished(visible);
    const { provider } = relay.settings;
    if (!call.canHangUp || call.callid === undefined || !provider) throw cannotHangUp(visible);
    const outcome = await hangUpAtProvider(provider, call.callid);
    relay.log.info({ call: call.id, outcome }, 'a hang-up was asked for');
    if (outcome === 'finished') throw callFinished(visible);
    if (outcome === 'unknownCall') throw cannotHangUp(visible);
    if (outcome === 'unreachable')
      throw new ProblemError('providerUnreachable', {
        detail: 'The call may go on. Hang up at the phone.',
        call: visible,
      });
    const now = Date.now();
    const fact = { kind: 'hangUpAsked', at: new Date(now).toISOString() } as const;
    await relay.store.calls.apply({ callId: call.id, fact, now });
    reply.code(202);
    return visible;
  });
}

function readingRoutes(app: FastifyInstance, relay: RelayContext): void {
  app.get('/v1/calls', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireWatch(principal);
    const query = parseInput(HistoryQuery, request.query);
    const limit = Math.min(Number(query.limit ?? defaultLimit), maxLimit);
    const page = await (query.outcome
      ? withoutOutcome(relay.store, principal.callers, limit, query.before)
      : relay.store.calls.history(principal.callers, limit, query.before));
    if (!page)
      throw new ProblemError('invalidFields', {
        errors: [{ path: 'before', message: 'expected the id of one of your calls' }],
      });
    const calls = page.calls.map((call) => visibleCall(call, principal.sees));
    return { ...page, calls, callers: principal.callers };
  });

  app.get('/v1/calls/:id/records', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireRight(principal.kind === 'agent', "Choosing a call's record needs an agent key.");
    const { call } = await findCall(request, principal, relay);
    return { candidates: (await recordCandidates(call.to, principal.team, relay)) ?? [] };
  });

  app.get('/v1/calls/:id', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireWatch(principal);
    return visibleCall((await findCall(request, principal, relay)).call, principal.sees);
  });
}

/**
 * Calls for which an agent could choose an outcome, and has not. Reads at most `maxRead` calls of the history; `next`
 * is where the next page starts.
 */
async function withoutOutcome(
  { calls }: RelayContext['store'],
  callers: readonly string[],
  limit: number,
  before: string | undefined,
): Promise<History | undefined> {
  const found: Call[] = [];
  let next = before;
  for (let read = 0; read < maxRead; read += maxLimit) {
    const page = await calls.history(callers, maxLimit, next);
    if (!page) return undefined;
    for (const call of page.calls) {
      if (hasOutcome(call)) continue;
      found.push(call);
      if (found.length === limit) return { calls: found, next: call.id };
    }
    next = page.next;
    if (next === undefined) break;
  }
  return { calls: found, ...(next === undefined ? {} : { next }) };
}

const hasOutcome = (call: Call): boolean =>
  call.wrapUp?.outcome !== undefined || !isFinished(call) || wasNotPlaced(call);

/** Only an agent with a team may call an item of a sheet. */
function requireMember({ item }: PlaceCallRequest, { kind, team }: Principal): void {
  if (item && (kind !== 'agent' || team === undefined))
    throw new ProblemError('forbidden', { detail: 'Call sheets need an agent key with a team.' });
}

/**
 * A ticket's calls are about the record that the site's server named, whatever the page says. If its template was
 * removed since, the call is placed without the record.
 */
function recordFor(
  { record }: PlaceCallRequest,
  principal: Principal,
  { rules }: RelayContext,
): PlaceCallRequest['record'] {
  requireRight(
    !record || principal.kind !== 'ticket',
    "The record of a ticket's calls comes from the server that asked for the ticket.",
  );
  const ofTicket = principal.record;
  return record ?? (ofTicket && linkedRecord(ofTicket, rules.current.templates) ? ofTicket : undefined);
}

/** The directory's name is preferred to the name beside the number on the page, which anybody may have written. */
async function nameFor(
  { to, name }: PlaceCallRequest,
  { kind, team }: Principal,
  { directory, settings, rules, log }: RelayContext,
): Promise<string | undefined> {
  requireRight(name === undefined || kind !== 'ticket', 'A name with a call needs an agent key.');
  const numbers = dialledNumbers(to, { ...settings, ...homeOf(settings, rules.of(team)) });
  const known = await directory
    ?.lineFor(numbers)
    .catch((error: Error) => log.error({ error: error.message }, 'a name could not be looked up'));
  if (known || name === undefined) return known || undefined;
  // A browser may have found this name in a source that only its team may see.
  const isLimited = await directory?.isLimited(numbers).catch(() => true);
  return isLimited ? undefined : plainText(name);
}

/** If the team's rules want it, the last call needs an outcome before the next one, if it has a record. */
async function owesOutcome(
  from: string,
  principal: Principal,
  { rules, store }: RelayContext,
): Promise<boolean> {
  if (!rules.of(principal.team).requireOutcome || principal.kind !== 'agent') return false;
  const history = await store.calls.history([from], defaultLimit, undefined);
  const last = history?.calls.find((call) => !wasNotPlaced(call));
  return last?.record !== undefined && !hasOutcome(last);
}

/** A client that announces a call gets the address of its notification, and could invent its end. */
function requireAnnounce({ mayAnnounce }: Principal): void {
  requireRight(mayAnnounce, 'Calls that a client places itself need an agent key made with --client-calls.');
}

/** Whether it is a call of one of the reader's callers, or its callback was handed to one of them. */
function mayRead({ call, channel }: FoundCall, { callers, sees }: Principal): boolean {
  const colleague = sees.wrapUp ? colleagueOf(call) : undefined;
  return callers.includes(channel) || (colleague !== undefined && callers.includes(colleague));
}

/** @throws ProblemError 404, also for a call of another caller. */
export async function findCall(request: FastifyRequest, principal: Principal, relay: RelayContext) {
  const path = CallPath.safeParse(request.params);
  const found = path.success ? await relay.store.calls.find(path.data.id) : undefined;
  if (!found || !mayRead(found, principal))
    throw new ProblemError('notFound', { detail: 'There is no such call, or it is not yours.' });
  return found;
}

const callFinished = (call: Call) =>
  new ProblemError('callFinished', { detail: 'There is nothing to hang up.', call });
const cannotHangUp = (call: Call) =>
  new ProblemError('cannotHangUp', { detail: 'Hang up at the phone; the service cannot do it.', call });

function readIdempotencyKey(request: FastifyRequest): string {
  const value = request.headers['idempotency-key'];
  if (typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value)) return value;
  throw new ProblemError('idempotencyKeyMissing', {
    detail:
      'Send the Idempotency-Key header: a new value of up to 128 visible ASCII characters for every click.',
  });
}

export function chooseCaller(from: string | undefined, principal: Principal): string {
  if (from === undefined) {
    if (principal.callers.length === 1) return principal.callers[0]!;
    throw new ProblemError('invalidFields', {
      errors: [{ path: 'from', message: 'expected the caller, since this key may act for several' }],
      callers: [...principal.callers],
    });
  }
  if (!principal.callers.includes(from))
    throw new ProblemError('callerNotYours', { detail: 'The caller in "from" is not one of yours.' });
  return from;
}

function readReport(report: ReportReply): Fact {
  const at = new Date().toISOString();
  if ('reply' in report) return readReplyObject(report.reply, report.httpStatus ?? 200, at);
  const { kind = 'notAnswered', code, message } = report.error;
  return { kind, at, error: { code, message } };
}
