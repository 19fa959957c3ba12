/** Call sheets: agents of one team make them, and claim one item after another. No route here places a call. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod/mini';
import { CallId, newCallId } from '../../shared/call/call.ts';
import { minuteMs } from '../../shared/durations.ts';
import {
  ClaimRequest,
  defaultClaimSeconds,
  ReleaseRequest,
  type Sheet,
  type SheetItem,
  SheetRequest,
} from '../../shared/protocol/sheets.ts';
import { parseInput } from '../../shared/server/parse-input.ts';
import { authenticate, type Principal, requireRight } from '../access/principal.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import { homeOf } from '../rules/rules-file.ts';
import { readItem } from '../sheets/read-item.ts';
import {
  type ClaimedItem,
  deletion,
  longestClaimUntil,
  type StoredItem,
  type StoredSheet,
} from '../sheets/sheet.ts';
import { chooseCaller } from './calls.ts';

const defaultLimit = 100;
const maxLimit = 1000;
/**
 * The most items that one claim passes over. Their numbers must not be called, at all or at this hour, or somebody is
 * calling them.
 */
const maxPassedOver = 200;
/** How long a number that somebody is calling is not offered again. */
const busyMs = 2 * minuteMs;

const wholeNumber = z.string().check(z.regex(/^[1-9]\d{0,8}$/, 'expected a whole number above 0'));
const ItemsQuery = z.object({ after: z.optional(wholeNumber), limit: z.optional(wholeNumber) });
const SheetPath = z.object({ id: CallId, item: z.optional(wholeNumber) });

interface TeamRequest {
  principal: Principal;
  team: string;
}

export function sheetRoutes(app: FastifyInstance, relay: RelayContext): void {
  const { sheets } = relay.store;

  app.get('/v1/sheets', async (request) => {
    const { principal, team } = await authenticateMember(request, relay);
    return { sheets: (await sheets.list(team)).map((sheet) => shownSheet(sheet, principal)) };
  });

  app.post('/v1/sheets', async (request, reply) => {
    const { principal, team } = await authenticateMember(request, relay);
    const { id = newCallId(), name, items } = parseInput(SheetRequest, request.body);
    if (((await sheets.find(id))?.team ?? team) !== team) throw notFound();
    const home = homeOf(relay.settings, relay.rules.of(team));
    const read = items.flatMap((item) => readItem(item, home) ?? []);
    if (read.length === 0)
      throw new ProblemError('numberUnknown', { detail: 'None of the items has a number with its country.' });
    const head = { id, name, team, by: principal.keyId, createdAt: new Date().toISOString() };
    await sheets.add(head, read, Date.now());
    const sheet = await sheets.find(head.id);
    if (!sheet) throw notFound();
    reply.code(201).header('location', `/v1/sheets/${head.id}/items`);
    return {
      sheet: shownSheet(sheet, principal),
      unreadable: items.length - read.length,
      repeated: read.length - new Set(read.map(({ key }) => key)).size,
    };
  });

  app.get('/v1/sheets/:id/items', async (request) => {
    const { sheet } = await findSheet(request, relay);
    const { after = '0', limit } = parseInput(ItemsQuery, request.query);
    const wanted = Math.min(Number(limit ?? defaultLimit), maxLimit);
    const items = await sheets.items(sheet.id, Number(after), wanted);
    return {
      items: items.map(shownItem),
      ...(items.length < wanted ? {} : { next: String(items.at(-1)!.id) }),
    };
  });

  app.post('/v1/sheets/:id/claim', async (request) => {
    const { principal, sheet } = await findSheet(request, relay);
    const { from, seconds = defaultClaimSeconds } = parseInput(ClaimRequest, request.body ?? {});
    const caller = chooseCaller(from, principal);
    const { item, next } = await claimCallable(relay, principal, { sheet: sheet.id, caller, seconds });
    return {
      sheet: shownSheet((await sheets.find(sheet.id)) ?? sheet, principal),
      ...(item ? { item: shownItem(item) } : {}),
      ...(next === undefined ? {} : { next: new Date(next).toISOString() }),
    };
  });

  app.delete('/v1/sheets/:id/items/:item/claim', async (request, reply) => {
    const { principal, sheet, item } = await findSheet(request, relay);
    const { from } = parseInput(ReleaseRequest, request.body ?? request.query);
    const key = { sheet: sheet.id, id: Number(item) };
    if (!(await sheets.release(key, chooseCaller(from, principal), 'open', Date.now())))
      throw new ProblemError('notFound', { detail: 'You have no claim on this item.' });
    reply.code(204);
  });

  app.delete('/v1/sheets/:id', async (request, reply) => {
    const { principal, sheet } = await findSheet(request, relay);
    requireRight(
      mayDelete(sheet, principal),
      'A sheet is deleted by the key that made it, or by one with the right "supervise".',
    );
    if (await sheets.remove(sheet.id)) await relay.store.rules.record([deletion(sheet, principal.keyId)]);
    reply.code(204);
  });
}

async function authenticateMember(request: FastifyRequest, { access }: RelayContext): Promise<TeamRequest> {
  const principal = await authenticate(request, access);
  const { kind, team } = principal;
  if (kind === 'agent' && team !== undefined) return { principal, team };
  throw new ProblemError('forbidden', { detail: 'Call sheets need an agent key with a team.' });
}

const notFound = () => new ProblemError('notFound', { detail: 'Your team has no such sheet.' });

/** @throws ProblemError 404, also for a sheet of another team. */
async function findSheet(request: FastifyRequest, relay: RelayContext) {
  const { principal, team } = await authenticateMember(request, relay);
  const path = SheetPath.safeParse(request.params);
  const sheet = path.success ? await relay.store.sheets.find(path.data.id) : undefined;
  if (sheet?.team !== team) throw notFound();
  return { principal, sheet, item: path.data?.item };
}

/**
 * Finds an item that the agent may call. Items that must not be called are closed. Items that somebody calls now, or
 * that the hour forbids, are passed over.
 */
async function claimCallable(
  { store, callRules }: RelayContext,
  principal: Principal,
  { sheet, caller, seconds }: { sheet: string; caller: string; seconds: number },
): Promise<ClaimedItem> {
  const openings = new Map<string, number>();
  for (let passed = 0; passed < maxPassedOver; passed++) {
    const now = Date.now();
    const claimed = await store.sheets.claim({ sheet, caller, now, until: now + seconds * 1000 });
    if (!claimed.item) return claimed;
    const { id, number } = claimed.item;
    const [status] = await callRules.statusOf([number], principal);
    const opening = callRules.opensAt(number, principal.team, now, openings);
    if (!status?.doNotCall && !status?.lease && opening === undefined) return claimed;
    const state = status?.doNotCall ? 'doNotCall' : 'open';
    const due = state === 'open' ? (opening ?? now + busyMs) : 0;
    await store.sheets.release({ sheet, id }, caller, state, due, longestClaimUntil(now));
  }
  return { next: Date.now() };
}

const mayDelete = ({ by }: StoredSheet, { keyId, rights }: Principal): boolean =>
  by === keyId || rights.includes('supervise');

function shownSheet(sheet: StoredSheet, principal: Principal): Sheet {
  const { id, name, createdAt, counts } = sheet;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { id, name, createdAt, mayDelete: mayDelete(sheet, principal), total, counts };
}

function shownItem(item: StoredItem): SheetItem {
  const { id, number, name, record, state, due, attempts, caller, leasedUntil, outcome } = item;
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    id,
    number,
    ...(name ? { name } : {}),
    ...(record ? { record } : {}),
    state,
    due: at(due),
    attempts,
    ...(caller ? { agent: caller } : {}),
    ...(leasedUntil > 0 ? { leasedUntil: at(leasedUntil) } : {}),
    ...(outcome ? { outcome } : {}),
  };
}
