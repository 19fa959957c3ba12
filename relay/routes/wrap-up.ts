/** What an agent says of a call afterwards, the record it belongs to, and calls to be repeated. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Call } from '../../shared/call/call.ts';
import { minuteMs } from '../../shared/durations.ts';
import { maxReasonCharacters } from '../../shared/protocol/do-not-call.ts';
import { RecordRequest } from '../../shared/protocol/messages.ts';
import { WrapUpRequest } from '../../shared/record/wrap-up.ts';
import { parseInput } from '../../shared/server/parse-input.ts';
import { authenticate, type Principal, requireRight, requireWatch } from '../access/principal.ts';
import { visibleCall } from '../access/visible-call.ts';
import { loggingSystems } from '../log/connectors/connections.ts';
import { auditOfMove } from '../log/record-audit.ts';
import { recordLink } from '../log/record-link.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import { listedEntry } from '../rules/listed-entry.ts';
import type { Amended, AmendedRules } from '../store/amendment.ts';
import { isActiveAgentKeyOf } from '../store/stored-key.ts';
import { auditRecord } from '../store/team-rules.ts';
import { findCall } from './calls.ts';

const maxCallbacks = 200;
/** How long an agent may take back an entry that an outcome made. */
const takeBackMs = 10 * minuteMs;

export function wrapUpRoutes(app: FastifyInstance, relay: RelayContext): void {
  app.patch('/v1/calls/:id/wrap-up', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireRight(principal.sees.wrapUp, 'A wrap-up needs an agent key, or a ticket with the right "wrapUp".');
    const revision = readRevision(request);
    const { call } = await findCall(request, principal, relay);
    const wanted = parseInput(WrapUpRequest, request.body);
    requireComplete(call, wanted, principal, relay);
    await requireColleague(wanted, relay);
    const rules =
      listingByOutcome(call, wanted, principal, relay) ?? (await takenBackBy(call, wanted, principal, relay));
    const amended = await relay.store.calls.amend({
      callId: call.id,
      amendment: {
        kind: 'wrapUp',
        request: wanted,
        revision,
        rules,
        effect: effectOf(call, wanted, principal, relay),
      },
      now: Date.now(),
    });
    if (rules) relay.numbersEpoch.changed();
    return amendedCall(amended, principal);
  });

  app.post('/v1/calls/:id/record', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireRight(principal.kind === 'agent', "Choosing a call's record needs an agent key.");
    const { call } = await findCall(request, principal, relay);
    const wanted = parseInput(RecordRequest, request.body);
    const record =
      'none' in wanted
        ? undefined
        : recordLink(wanted, relay.rules.of(principal.team).templates, relay.settings);
    if (!('none' in wanted) && !record)
      throw new ProblemError('recordUnknown', { detail: 'No template of this relay has such a record.' });
    const systems = record ? loggingSystems(relay.connections, record.system) : [];
    const amended = await relay.store.calls.amend({
      callId: call.id,
      amendment: { kind: 'record', record, systems, rules: auditOfMove(call, record, principal.keyId) },
      now: Date.now(),
    });
    return amendedCall(amended, principal);
  });

  app.get('/v1/callbacks', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireWatch(principal);
    requireRight(principal.sees.wrapUp, 'Callbacks need the right "wrapUp".');
    const calls = await relay.store.calls.listCallbacks(principal.callers, maxCallbacks);
    return { calls: calls.map((call) => visibleCall(call, principal.sees)) };
  });
}

/** `If-Match: 2`, also quoted as an entity tag. */
function readRevision(request: FastifyRequest): number {
  const value = request.headers['if-match'];
  const revision = /^(?:W\/)?"?(\d{1,9})"?$/.exec(value ?? '')?.[1];
  if (revision !== undefined) return Number(revision);
  throw new ProblemError('preconditionMissing', {
    detail: 'Send If-Match with the revision of the wrap-up that you changed; 0 where the call has none.',
  });
}

/** The team's own rules for an outcome: which exist, and which need a note. */
function requireComplete(
  { wrapUp }: Call,
  wanted: WrapUpRequest,
  { team }: Principal,
  { rules }: RelayContext,
): void {
  const { outcomes } = rules.of(team);
  const { outcome = wrapUp?.outcome, note = wrapUp?.note } = wanted;
  if (!outcome) return;
  const known = outcomes.find(({ code }) => code === outcome);
  if (!known) {
    if (outcome === wrapUp?.outcome) return;
    throw new ProblemError('wrapUpIncomplete', {
      detail: `There is no outcome "${outcome}".`,
      errors: [
        { path: 'outcome', message: `expected one of ${outcomes.map(({ code }) => code).join(', ')}` },
      ],
      outcomes,
    });
  }
  if (known.needsNote && !note)
    throw new ProblemError('wrapUpIncomplete', {
      errors: [{ path: 'note', message: 'expected a note with this outcome' }],
      outcomes,
    });
}

/** How the outcome, chosen now or before, moves the item of a sheet. */
const effectOf = (
  { wrapUp }: Call,
  { outcome = wrapUp?.outcome }: WrapUpRequest,
  { team }: Principal,
  { rules }: RelayContext,
) => rules.of(team).outcomes.find(({ code }) => code === outcome);

/**
 * The do-not-call entry of the callee, if the outcome says that the number must not be called again. It is durable with
 * the outcome.
 */
function listingByOutcome(
  call: Call,
  { outcome, note }: WrapUpRequest,
  { keyId, name, team }: Principal,
  { rules, callRules }: RelayContext,
): AmendedRules | undefined {
  const chosen = rules.of(team).outcomes.find(({ code }) => code === outcome);
  if (!chosen?.doNotCall) return undefined;
  const { key } = callRules.calleeOf(call.to, team);
  const reason = note?.slice(0, maxReasonCharacters) || undefined;
  const added = listedEntry({ key }, { by: name || call.from, source: 'wrapUp', callId: call.id, reason });
  return { entries: [added], audit: [auditRecord('doNotCall.add', keyId, key, { callId: call.id })] };
}

/**
 * Takes back the entry that the earlier outcome had made. An agent corrects a mistake by choosing another outcome soon.
 * Later, taking a number off the list needs the right `rules`.
 */
async function takenBackBy(
  call: Call,
  { outcome }: WrapUpRequest,
  { keyId, name, team }: Principal,
  { store, callRules }: RelayContext,
): Promise<AmendedRules | undefined> {
  if (outcome === undefined || outcome === call.wrapUp?.outcome) return undefined;
  const now = Date.now();
  const { key } = callRules.calleeOf(call.to, team);
  const [status] = await store.rules.status([{ key, numbers: [key], prefixes: [], countries: [] }], now);
  const entry = status?.doNotCall;
  const isOwn = entry?.callId === call.id && entry.by === (name || call.from);
  if (!isOwn || now - Date.parse(entry.at) > takeBackMs) return undefined;
  const audit = auditRecord('doNotCall.remove', keyId, key, { callId: call.id });
  return { entries: [], takenBack: { key, callId: call.id, audit }, audit: [] };
}

/** A callback goes only to an extension with an active agent key: without one, it would stay unseen. */
async function requireColleague({ callBackBy }: WrapUpRequest, { store }: RelayContext): Promise<void> {
  if (!callBackBy) return;
  if ((await store.keys.list()).some((key) => isActiveAgentKeyOf(key, callBackBy))) return;
  throw new ProblemError('wrapUpIncomplete', {
    detail: `No active agent key is for the extension "${callBackBy}".`,
    errors: [{ path: 'callBackBy', message: 'expected an extension that has a key here' }],
  });
}

/**
 * The call as it is now, as far as its reader may see it.
 * @throws ProblemError 412 with the current call where it was changed meanwhile, 404 where it was deleted.
 */
function amendedCall(amended: Amended, { sees }: Principal): Call {
  if (amended.kind === 'unknownCall') throw new ProblemError('notFound');
  const call = visibleCall(amended.call, sees);
  if (amended.kind === 'outdated')
    throw new ProblemError('outdated', {
      detail: 'Somebody else changed the wrap-up. The current one is in "call".',
      call,
    });
  return call;
}
