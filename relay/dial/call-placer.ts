/**
 * Places a call: checks the number, journals the intent, dials once, records the outcome (Law 1). The journal's entry
 * is durable before a byte goes to the provider. An entry that a dead process left behind becomes `unknown`; its call
 * is never dialled again.
 */

import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { type Call, CallId, type Fact, newCall, newCallId } from '../../shared/call/call.ts';
import { transition } from '../../shared/call/transition.ts';
import type { PlaceCallRequest } from '../../shared/protocol/messages.ts';
import type { LinkedRecord } from '../../shared/record/call-parts.ts';
import { maskNumber } from '../../shared/server/log.ts';
import { formatFieldMap } from '../../shared/service/field-map.ts';
import { type CallRequest, defaultTimeoutSeconds } from '../../shared/service/request.ts';
import { makeCapability, withoutCapabilities } from '../access/capability.ts';
import type { Signer } from '../access/signer.ts';
import { type CrmConnection, loggingSystems } from '../log/connectors/connections.ts';
import { recordLink } from '../log/record-link.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import { type CallRules, problemOfRule, type RuledCaller } from '../rules/call-rules.ts';
import { homeOf, type RulesSource } from '../rules/rules-file.ts';
import type { RelaySettings } from '../settings.ts';
import { longestClaimUntil } from '../sheets/sheet.ts';
import { type Intent, type PlacedBy, type Store, StoreError } from '../store/store.ts';
import type { AnnouncedFeatures } from './announced-features.ts';
import { problemOfLimit, talliesOfLimits } from './call-limits.ts';
import { dial, maxDialMs, sendLimits } from './dial-with-failover.ts';
import { operatorRefusal } from './operator-policy.ts';
import { refusalWords } from './refusal-words.ts';

interface CallPlacerOptions {
  settings: RelaySettings;
  store: Store;
  signer: Signer;
  metrics: Metrics;
  log: Logger;
  rules: RulesSource;
  callRules: CallRules;
  connections: ReadonlyMap<string, CrmConnection>;
  features: AnnouncedFeatures;
}

export interface PlaceCallCommand {
  /** Checked: one of the principal's callers. */
  from: string;
  request: PlaceCallRequest;
  /** The name that is known for the number. */
  name: string | undefined;
  /** If the request has no record: the only record that it can be about, or why that record is missing. */
  found?: { record?: LinkedRecord; lacksRecord?: Intent['lacksRecord'] } | undefined;
  /** The team's rules want the outcome of the caller's last call first. */
  needsOutcome?: boolean;
  caller: RuledCaller;
  /** The account that owns the Idempotency-Key. */
  owner: string;
  idempotencyKey: string;
}

export class CallPlacer {
  /** The base of every return address, without a trailing slash. It may be known only once the relay listens. */
  publicUrl: string;
  /** Calls being dialled by this process, by id: a repeated request waits for the first one's result. */
  private readonly dialling = new Map<string, Promise<Call>>();

  constructor(private readonly options: CallPlacerOptions) {
    this.publicUrl = options.settings.publicUrl ?? '';
  }

  get dialsInProgress(): number {
    return this.dialling.size;
  }

  /** Resolves when no dial is in progress. */
  async idle(): Promise<void> {
    while (this.dialling.size > 0) await Promise.allSettled(this.dialling.values());
  }

  /** @throws ProblemError if the call was not placed. Otherwise, the Call is returned in any state. */
  async place(command: PlaceCallCommand): Promise<{ call: Call; returnUrl: string }> {
    const placedBy: PlacedBy = command.request.placedBy ?? 'relay';
    const now = Date.now();
    const intent = this.intent(command, placedBy, now);
    let placed = await this.options.store.calls.place(intent);
    // The key is already the id of another call, maybe of another agent. A fresh id does not reveal this.
    if (placed.kind === 'idTaken') {
      intent.call.id = newCallId();
      placed = await this.options.store.calls.place(intent);
    }
    const { call } = intent;
    const { timeZone } = this.options.rules.of(command.caller.team);
    const refused = problemOfRule(placed, command.caller, timeZone, now);
    if (refused) {
      this.options.metrics.refused.inc({ rule: refused.rule });
      throw await this.itemPutOff(command, refused.problem, now);
    }
    if (placed.kind === 'otherRequest')
      throw new ProblemError('idempotencyKeyReused', {
        detail: 'Use a new Idempotency-Key for every click; this one came with other fields before.',
      });
    if (placed.kind === 'limited')
      throw await this.itemPutOff(command, this.limited(placed.bucket, now), now);
    const result = placed.kind === 'same' ? placed.call : call;
    const returnUrl = this.returnUrl(result.id, placedBy, command.request.timeout, now);
    if (placed.kind === 'same') return { returnUrl, call: (await this.dialling.get(result.id)) ?? result };

    if (placedBy === 'client') return { returnUrl, call };
    const dialled = this.dialAndRecord(call, command.request, returnUrl);
    this.dialling.set(call.id, dialled);
    try {
      return { returnUrl, call: await dialled };
    } finally {
      this.dialling.delete(call.id);
    }
  }

  /** Records the outcome of a dial as a client reports it. @returns undefined where there is no such call. */
  report(callId: string, reported: Fact): Promise<Call | undefined> {
    return this.record(callId, withoutCapabilities(callId, reported));
  }

  private async record(callId: string, fact: Fact, timeoutSeconds?: number): Promise<Call | undefined> {
    const now = Date.now();
    const applied = await this.options.store.calls.apply({
      callId,
      fact,
      wantsCall: true,
      now,
      ...(fact.kind === 'accepted' ? { deadline: now + this.callSeconds(timeoutSeconds) * 1000 } : {}),
    });
    this.options.metrics.applied(applied);
    return 'data' in applied && applied.data !== undefined ? (JSON.parse(applied.data) as Call) : undefined;
  }

  /** A click has one id: an Idempotency-Key that is valid as a Call's id becomes this id. */
  private intent(command: PlaceCallCommand, placedBy: PlacedBy, now: number): Intent {
    const { settings } = this.options;
    this.checkNumber(command.request.to, command.caller.team);
    const limits = sendLimits(command.request.timeout, settings.connectTimeoutSeconds);
    const deadline =
      placedBy === 'relay'
        ? now + maxDialMs(limits, settings.provider?.addresses.length ?? 0)
        : now + this.callSeconds(command.request.timeout) * 1000;
    const { record = this.linked(command), lacksRecord } = command.found ?? {};
    const { success: isCallId } = CallId.safeParse(command.idempotencyKey);
    const judged = this.options.callRules.judge(command.from, command.request, command.caller, now);
    return {
      call: {
        ...newCall({
          id: isCallId ? command.idempotencyKey : newCallId(),
          from: command.from,
          to: command.request.to,
          now: new Date(now).toISOString(),
        }),
        ...(record ? { record } : {}),
        ...(command.request.item ? { item: command.request.item } : {}),
        ...(command.name ? { name: command.name } : {}),
      },
      ...(record ? { logSystems: loggingSystems(this.options.connections, record.system) } : {}),
      ...(lacksRecord ? { lacksRecord } : {}),
      placedBy,
      owner: command.owner,
      idempotencyKey: command.idempotencyKey,
      fingerprint: fingerprint(command),
      deadline,
      tallies: talliesOfLimits(settings, command.caller.keyId, judged.callee.key, command.request.to, now),
      ...judged,
      ...(command.needsOutcome ? { refusal: { kind: 'outcomeRequired' } } : {}),
      now,
    };
  }

  /** The link is made here, from a template of the relay: a link from a client could lead anywhere. */
  private linked({ request: { record }, caller }: PlaceCallCommand): LinkedRecord | undefined {
    if (!record || !('system' in record)) return undefined;
    const { rules, settings } = this.options;
    const linked = recordLink(record, rules.of(caller.team).templates, settings);
    if (linked) return linked;
    throw new ProblemError('recordUnknown', {
      detail: `No template of this relay has the system "${record.system}", the kind "${record.kind}" and such an id.`,
    });
  }

  private checkNumber(to: string, team: string | undefined): void {
    const { rules, settings } = this.options;
    const refusal = operatorRefusal(to, settings, homeOf(settings, rules.of(team)).country);
    if (refusal === undefined) return;
    throw new ProblemError('numberNotAllowed', { detail: refusalWords[refusal] });
  }

  private async dialAndRecord(call: Call, place: PlaceCallRequest, returnUrl: string): Promise<Call> {
    const { settings, log, metrics } = this.options;
    const { provider } = settings;
    const map = settings.providerMap && formatFieldMap(settings.providerMap);
    const request: CallRequest = {
      from: call.from,
      to: call.to,
      ...(place.timeout === undefined ? {} : { timeout: place.timeout }),
      ...(place.force_from === undefined ? {} : { force_from: place.force_from }),
      ...(place.callerid === undefined ? {} : { callerid: place.callerid }),
      returnurl: returnUrl,
      ...(map === undefined ? {} : { map }),
      ...(settings.providerVersion === 'v1' ? {} : { version: settings.providerVersion }),
    };
    const start = performance.now();
    const hasEvents = (address: string) => this.options.features.hasEvents(address);
    const { fact, tried } = await dial(
      provider ?? { addresses: [], token: '', tokenIn: 'header', method: 'post' },
      request,
      sendLimits(place.timeout, settings.connectTimeoutSeconds),
      hasEvents,
    );
    metrics.dialSeconds.observe((performance.now() - start) / 1000);
    log.info(
      {
        call: call.id,
        from: maskNumber(call.from),
        to: maskNumber(call.to),
        outcome: fact.kind,
        ...('error' in fact ? { error: fact.error.code } : {}),
        tried,
      },
      'dialled',
    );
    // A service that reports all events hangs up too, by its own id of the call.
    const address = provider?.addresses[tried - 1];
    const canHangUp = fact.kind === 'accepted' && !!fact.callid && !!address && hasEvents(address);
    // The service may quote only a part of the return address. A search for the whole address would miss it.
    const outcome = withoutCapabilities(call.id, canHangUp ? { ...fact, canHangUp } : fact);
    try {
      return (await this.record(call.id, outcome, place.timeout)) ?? transition(call, outcome);
    } catch (error) {
      // The provider has answered: a failure of the store must not hide that. The journal's entry becomes `unknown`.
      if (!(error instanceof StoreError)) throw error;
      metrics.storeErrors.inc({ code: error.code.slice(0, 40) });
      log.error({ call: call.id, error: error.message }, 'the outcome of a dial was not kept');
      return transition(call, outcome);
    }
  }

  private callSeconds(timeout: number | undefined): number {
    return (timeout ?? defaultTimeoutSeconds) + this.options.settings.maxCallMinutes * 60;
  }

  private returnUrl(callId: string, placedBy: PlacedBy, timeout: number | undefined, now: number): string {
    const { signer } = this.options;
    return `${this.publicUrl}/h/v1/${makeCapability(signer, callId, this.callSeconds(timeout), now, placedBy)}`;
  }

  /**
   * If a limit refused an item's call, the item is due again when the limit ends. Its agent gets other items until
   * then. An agent who may override the rule keeps the item.
   */
  private async itemPutOff(
    { request: { item }, from, caller }: PlaceCallCommand,
    problem: ProblemError,
    now: number,
  ): Promise<ProblemError> {
    const { code, retryAfterSeconds } = problem;
    const mayOverride = code === 'tooManyAttempts' && caller.rights.includes('override');
    if (item && retryAfterSeconds !== undefined && !mayOverride) {
      const due = now + retryAfterSeconds * 1000;
      await this.options.store.sheets.release(item, from, 'open', due, longestClaimUntil(now));
    }
    return problem;
  }

  private limited(bucket: string, now: number): ProblemError {
    const { limit, problem } = problemOfLimit(bucket, now);
    this.options.metrics.limited.inc({ limit });
    this.options.log.warn({ limit }, 'a call was refused by a limit');
    return problem;
  }
}

/** Digest of every field by which two requests differ. */
function fingerprint({ from, request }: PlaceCallCommand): string {
  const { to, timeout, force_from, callerid, placedBy = 'relay', record, override, item } = request;
  const about =
    record && ('system' in record ? [record.system, record.kind, record.id] : Object.keys(record));
  const meaning = [from, to, timeout, force_from, callerid, placedBy, about, override?.reason, item];
  return hash('sha256', JSON.stringify(meaning), 'base64url');
}
