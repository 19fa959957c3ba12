/**
 * Where a wish becomes a call: judged, journalled, dialled once, its outcome written (Law 1). The journal's entry is
 * durable before the provider hears of the call; a process that dies in between leaves an entry that nobody dials again.
 */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { type Call, CallId, type Fact, newCall, newCallId } from '../../shared/call/call.ts';
import type { PlaceCallRequest } from '../../shared/protocol/messages.ts';
import { maskNumber } from '../../shared/server/log.ts';
import { formatFieldMap } from '../../shared/service/field-map.ts';
import { type CallRequest, defaultTimeoutSeconds } from '../../shared/service/request.ts';
import { makeCapability } from '../access/capability.ts';
import type { Signer } from '../access/signer.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import type { Settings } from '../settings.ts';
import type { Applied, Intent, PlacedBy, Store, Tally } from '../store/store.ts';
import { dial, limitsOf, longestDial } from './dial.ts';
import { type Refusal, refusalOf } from './dialling-guard.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

export interface CallDeskOptions {
  settings: Settings;
  store: Store;
  signer: Signer;
  metrics: Metrics;
  log: Logger;
  publicUrl: () => string;
}

export interface Wish {
  /** Checked: one of the principal's callers. */
  from: string;
  place: PlaceCallRequest;
  keyId: string;
  /** Whose Idempotency-Keys these are. */
  owner: string;
  idempotencyKey: string;
}

export class CallDesk {
  /** Calls being dialled by this process, for whoever asks for the same call meanwhile. */
  private readonly dialling = new Map<string, Promise<Call>>();

  constructor(private readonly options: CallDeskOptions) {}

  /** How many dials are under way. */
  get busy(): number {
    return this.dialling.size;
  }

  /** Resolves when no dial is under way any more. */
  async idle(): Promise<void> {
    while (this.dialling.size > 0) await Promise.allSettled(this.dialling.values());
  }

  /** @throws ProblemError where nothing was placed; the Call in whatever state otherwise. */
  async place(wish: Wish): Promise<{ call: Call; returnUrl: string; announced: boolean }> {
    const placedBy: PlacedBy = wish.place.placedBy ?? 'relay';
    const now = Date.now();
    const intent = this.intent(wish, placedBy, now);
    let placed = await this.options.store.place(intent);
    // The key is the id of another call, maybe another agent's: a fresh id tells this agent nothing about it.
    if (placed.kind === 'idTaken') {
      intent.call.id = newCallId();
      placed = await this.options.store.place(intent);
    }
    const { call } = intent;
    if (placed.kind === 'otherRequest')
      throw new ProblemError('idempotencyKeyReused', {
        detail: 'Use a new Idempotency-Key for every click; this one came with other fields before.',
      });
    if (placed.kind === 'limited') throw this.limited(placed.bucket, now);
    const result = placed.kind === 'same' ? placed.call : call;
    const answer = {
      returnUrl: this.returnUrl(result.id, wish.place.timeout, now),
      announced: placedBy === 'client',
    };
    if (placed.kind === 'same') return { ...answer, call: (await this.dialling.get(result.id)) ?? result };

    this.options.metrics.placed.inc({ by: placedBy });
    if (placedBy === 'client') return { ...answer, call };
    const underWay = this.dialAndRecord(call, wish.place, answer.returnUrl);
    this.dialling.set(call.id, underWay);
    try {
      return { ...answer, call: await underWay };
    } finally {
      this.dialling.delete(call.id);
    }
  }

  /** What a client says of a call that it placed itself. @returns undefined where there is no such call. */
  async report(callId: string, fact: Fact): Promise<Call | undefined> {
    const applied = await this.apply(callId, fact);
    return callOf(applied);
  }

  /** One id per click: an Idempotency-Key that can be a Call's id becomes it. */
  private intent(wish: Wish, placedBy: PlacedBy, now: number): Intent {
    const { settings } = this.options;
    if (placedBy === 'relay') this.judge(wish.place.to);
    const limits = limitsOf(wish.place.timeout, settings.connectTimeoutSeconds);
    const deadline =
      placedBy === 'relay'
        ? now + longestDial(limits, settings.provider?.addresses.length ?? 0)
        : now + this.callSeconds(wish.place.timeout) * 1000;
    const { success: isCallId } = CallId.safeParse(wish.idempotencyKey);
    return {
      call: newCall({
        id: isCallId ? wish.idempotencyKey : newCallId(),
        from: wish.from,
        to: wish.place.to,
        now: new Date(now).toISOString(),
      }),
      placedBy,
      owner: wish.owner,
      idempotencyKey: wish.idempotencyKey,
      fingerprint: fingerprint(wish),
      deadline,
      tallies: placedBy === 'relay' ? this.tallies(wish, now) : [],
      now,
    };
  }

  private judge(to: string): void {
    const refusal = refusalOf(to, this.options.settings);
    if (refusal === undefined) return;
    this.options.metrics.refused.inc({ reason: refusal });
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
    const { fact, tried } = await dial(
      provider ?? { addresses: [], token: '', tokenIn: 'header', method: 'post' },
      request,
      limitsOf(place.timeout, settings.connectTimeoutSeconds),
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
    const applied = await this.apply(call.id, fact, place.timeout);
    return callOf(applied) ?? call;
  }

  private async apply(callId: string, fact: Fact, timeout?: number): Promise<Applied> {
    const now = Date.now();
    const applied = await this.options.store.apply({
      callId,
      fact,
      wantsCall: true,
      now,
      ...(fact.kind === 'accepted' ? { deadline: now + this.callSeconds(timeout) * 1000 } : {}),
    });
    this.options.metrics.applied(applied);
    return applied;
  }

  private callSeconds(timeout: number | undefined): number {
    return (timeout ?? defaultTimeoutSeconds) + this.options.settings.maxCallMinutes * 60;
  }

  private returnUrl(callId: string, timeout: number | undefined, now: number): string {
    const { signer, publicUrl } = this.options;
    return `${publicUrl()}/h/v1/${makeCapability(signer, callId, this.callSeconds(timeout), now)}`;
  }

  /** Counted in the store, in the journal's own commit: when the store cannot count, nothing is dialled. */
  private tallies(wish: Wish, now: number): Tally[] {
    const { settings } = this.options;
    const thisMinute = Math.floor(now / minute);
    const today = Math.floor(now / day);
    return [
      {
        bucket: `minute/key/${wish.keyId}/${thisMinute}`,
        max: settings.maxCallsPerMinute,
        expires: (thisMinute + 2) * minute,
      },
      {
        bucket: `minute/to/${wish.place.to}/${thisMinute}`,
        max: settings.maxCallsPerDestinationPerMinute,
        expires: (thisMinute + 2) * minute,
      },
      { bucket: `day/${today}`, max: settings.maxCallsPerDay, expires: (today + 2) * day },
    ];
  }

  private limited(bucket: string, now: number): ProblemError {
    const kind = bucket.startsWith('day/') ? 'day' : bucket.startsWith('minute/to/') ? 'destination' : 'key';
    this.options.metrics.limited.inc({ limit: kind });
    this.options.log.warn({ limit: kind }, 'a call was refused by a limit');
    const period = kind === 'day' ? day : minute;
    return new ProblemError('tooManyCalls', {
      detail: limitWords[kind],
      retryAfter: Math.ceil((period - (now % period)) / 1000),
    });
  }
}

const refusalWords: Record<Refusal, string> = {
  abroad: 'Calls to this country are not allowed here.',
  premium: 'Premium-rate numbers are not dialled.',
  sharedCost: 'Shared-cost numbers are not dialled.',
  satellite: 'Satellite numbers are not dialled.',
  short: 'Short numbers are not dialled.',
  emergency: 'Emergency numbers are not dialled from here; use the phone beside you.',
  blockedPrefix: 'Numbers that begin like this are blocked.',
  officeHours: 'Calls are not placed at this hour.',
  tooManyCalls: 'Too many calls within a minute; wait a little.',
  notANumber: 'This is not a number.',
  unknown: 'This number cannot be understood, so it is not dialled while only some countries are allowed.',
};

const limitWords = {
  day: 'The calls allowed for today are used up; an administrator can raise the limit.',
  destination: 'This number was called too often within a minute; wait a little.',
  key: 'Too many calls within a minute; wait a little.',
} as const;

function callOf(applied: Applied): Call | undefined {
  return 'data' in applied && applied.data !== undefined ? (JSON.parse(applied.data) as Call) : undefined;
}

/** Of everything that makes the request what it is; members in one order. */
function fingerprint(wish: Wish): string {
  const { to, timeout, force_from, callerid, placedBy } = wish.place;
  return createHash('sha256')
    .update(
      JSON.stringify([
        wish.from,
        to,
        timeout ?? null,
        force_from ?? null,
        callerid ?? null,
        placedBy ?? 'relay',
      ]),
    )
    .digest('base64url');
}
