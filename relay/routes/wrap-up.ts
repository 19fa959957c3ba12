/** What an agent says of a call afterwards, the record it belongs to, calls to be repeated, and the rules for all of it. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Call } from '../../shared/call/call.ts';
import { RecordRequest } from '../../shared/protocol/messages.ts';
import { linkedRecord } from '../../shared/record/template.ts';
import { WrapUpRequest } from '../../shared/record/wrap-up.ts';
import { parseInput } from '../../shared/server/parse-input.ts';
import { authenticate, requireWatch } from '../access/principal.ts';
import { visibleCall } from '../access/visible-call.ts';
import { loggingSystems } from '../log/connectors/connections.ts';
import { ProblemError } from '../problem.ts';
import type { RelayContext } from '../relay-context.ts';
import type { Amended } from '../store/amendment.ts';
import { findCall } from './calls.ts';

const maxCallbacks = 200;

export function wrapUpRoutes(app: FastifyInstance, relay: RelayContext): void {
  app.patch('/v1/calls/:id/wrap-up', async (request) => {
    const principal = await authenticate(request, relay.access);
    if (!principal.mayWrapUp)
      throw new ProblemError('forbidden', {
        detail: 'A wrap-up needs an agent key, or a ticket with the right "wrapUp".',
      });
    const revision = readRevision(request);
    const { call } = await findCall(request, principal, relay);
    const wanted = parseInput(WrapUpRequest, request.body);
    requireComplete(call, wanted, relay);
    const amended = await relay.store.calls.amend({
      callId: call.id,
      amendment: { kind: 'wrapUp', request: wanted, revision },
      now: Date.now(),
    });
    return visibleCall(amendedCall(amended), principal.sees);
  });

  app.post('/v1/calls/:id/record', async (request) => {
    const principal = await authenticate(request, relay.access);
    if (principal.kind !== 'agent')
      throw new ProblemError('forbidden', { detail: "Choosing a call's record needs an agent key." });
    const { call } = await findCall(request, principal, relay);
    const wanted = parseInput(RecordRequest, request.body);
    const record = 'none' in wanted ? undefined : linkedRecord(wanted, relay.rules.current.templates);
    if (!('none' in wanted) && !record)
      throw new ProblemError('recordUnknown', { detail: 'No template of this relay has such a record.' });
    const systems = record ? loggingSystems(relay.connections, record.system) : [];
    const amended = await relay.store.calls.amend({
      callId: call.id,
      amendment: { kind: 'record', record, systems },
      now: Date.now(),
    });
    return amendedCall(amended);
  });

  app.get('/v1/callbacks', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireWatch(principal);
    if (!principal.sees.wrapUp)
      throw new ProblemError('forbidden', { detail: 'Callbacks need the right "wrapUp".' });
    const calls = await relay.store.calls.listCallbacks(principal.callers, maxCallbacks);
    return { calls: calls.map((call) => visibleCall(call, principal.sees)) };
  });

  app.get('/v1/rules', async (request) => {
    const principal = await authenticate(request, relay.access);
    requireWatch(principal);
    return relay.rules.current;
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
function requireComplete({ wrapUp }: Call, wanted: WrapUpRequest, { rules }: RelayContext): void {
  const { outcomes } = rules.current;
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

/** @throws ProblemError 412 with the current call where it was changed meanwhile, 404 where it was deleted. */
function amendedCall(amended: Amended): Call {
  if (amended.kind === 'unknownCall') throw new ProblemError('notFound');
  if (amended.kind === 'outdated')
    throw new ProblemError('outdated', {
      detail: 'Somebody else changed the wrap-up. The current one is in "call".',
      call: amended.call,
    });
  return amended.call;
}
