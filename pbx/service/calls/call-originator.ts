/**
 * Places calls on Asterisk, each at most once (Law 1): a call is written down before Originate is sent, its channel has an id of
 * ours, and nothing is ever sent a second time. After a crash or a lost connection a call whose channel lives is taken up again;
 * one whose channel is gone has ended, unknown how.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { shownOrigin } from '../../../shared/service/outgoing-notification.ts';
import type { CallRequestWithEvents } from '../../../shared/service/request.ts';
import { type AmiClient, AmiError } from '../ami/ami-client.ts';
import type { AmiPacket } from '../ami/ami-packets.ts';
import { hangUpBody, progressBody, type RecordingAddress } from '../notify/notification-body.ts';
import type { CallPhase, PbxStore, StoredCall } from '../store/pbx-store.ts';
import { advance, type CallProgress, newProgress, type Party, resume } from './call-progress.ts';

interface DialPlan {
  /** Channel of an agent; `{from}` stands for the agent's code. */
  agentChannel: string;
  /** Where the number is dialled once the agent has answered. */
  context: string;
  /** `{to}` stands for the digits. */
  extension: string;
  priority: number;
}

export type Placed =
  | { kind: 'trying'; callid: string }
  /** Nothing rings: `code` is of a closed list, `message` says what to do. */
  | { kind: 'refused'; code: RefusalCode; message: string }
  /** Sent, and not answered: it may ring. */
  | { kind: 'unknown'; callid: string };

export type RefusalCode =
  | 'pbx-unreachable'
  | 'store-failed'
  | 'number-unknown'
  | 'pbx-refused'
  | 'key-reused';

export type HungUp = 'asked' | 'finished' | 'unknownCall' | 'unreachable';

interface CallOriginatorOptions {
  store: PbxStore;
  ami: Pick<AmiClient, 'isReady' | 'action' | 'list'>;
  dialPlan: DialPlan;
  defaultTimeoutSeconds: number;
  recordingAddress: RecordingAddress;
  /** Called after something to deliver was written down. */
  onNotification(): void;
  onOutcome?(outcome: string): void;
  log: Logger;
  now?: () => number;
  /** When calls that Asterisk has not begun are looked for. */
  checkAfterMs?: number;
}

/**
 * An Originate that Asterisk carries out later than this after it was sent was held up, by a stopped process for example:
 * no one expects the phone to ring any more, and the channel is hung up.
 */
const lateAfterMs = 10_000;

export class CallOriginator {
  private readonly open = new Map<string, StoredCall>();
  private readonly placing = new Map<string, Promise<Placed>>();
  /** Calls of which something may have been missed, until they are compared with Asterisk's channels. */
  private readonly stale = new Set<string>();
  /** Calls to be hung up as soon as their channel exists. */
  private readonly unwanted = new Set<string>();
  private readonly now: () => number;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: CallOriginatorOptions) {
    this.now = options.now ?? Date.now;
    for (const call of options.store.openCalls()) this.open.set(call.callid, call);
    this.disconnected();
  }

  /** To be called when the connection to Asterisk is lost: what its next events say of these calls is not the whole story. */
  disconnected(): void {
    for (const callid of this.open.keys()) this.stale.add(callid);
  }

  /** Calls whose end is not known yet. */
  get openCalls(): number {
    return this.open.size;
  }

  /** @param idempotencyKey the same key and request are answered with the same call, whatever became of it. */
  async place(request: CallRequestWithEvents, idempotencyKey: string | undefined): Promise<Placed> {
    const fingerprint = createHash('sha256')
      .update(JSON.stringify(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1))))
      .digest('base64url');
    const { store, ami } = this.options;
    // While Asterisk is away nothing is accepted and nothing queued. A key seen before is still answered.
    if (!ami.isReady && idempotencyKey === undefined) return unreachable;
    const callid = randomUUID();
    const call: StoredCall = {
      callid,
      fingerprint,
      request,
      createdAt: this.now(),
      phase: 'sending',
      progress: newProgress(callid, `originate-${callid}`),
    };
    let known: StoredCall | undefined;
    try {
      known = ami.isReady ? store.addCall(call, idempotencyKey) : store.callOfKey(idempotencyKey!);
    } catch (error) {
      this.options.log.error({ error: (error as Error).message }, 'a call could not be written down');
      return storeFailed;
    }
    if (known) {
      if (known.fingerprint !== fingerprint)
        return {
          kind: 'refused',
          code: 'key-reused',
          message:
            'Idempotency-Key: expected the same request as before, got another; use a new key for each call',
        };
      return (await this.placing.get(known.callid)) ?? placedAs(store.call(known.callid)!);
    }
    if (!ami.isReady) return unreachable;
    this.open.set(callid, call);
    const placed = this.originate(call).finally(() => this.placing.delete(callid));
    this.placing.set(callid, placed);
    return placed;
  }

  private async originate(call: StoredCall): Promise<Placed> {
    const { ami, dialPlan, defaultTimeoutSeconds, log } = this.options;
    const { callid, request, progress } = call;
    const origin = shownOrigin(request);
    try {
      await ami.action({
        Action: 'Originate',
        ActionID: progress.actionId,
        Channel: dialPlan.agentChannel.replaceAll('{from}', request.from),
        ChannelId: progress.channelId,
        Context: dialPlan.context,
        Exten: dialPlan.extension.replaceAll('{to}', request.to),
        Priority: String(dialPlan.priority),
        Timeout: String((request.timeout ?? defaultTimeoutSeconds) * 1000),
        // Shown at both ends: with the number that is dialled here, the callee would see its own.
        CallerID: request.callerid ?? origin,
        Variable: [`__DIALMARK_CALLID=${callid}`, `__DIALMARK_ORIGIN=${origin}`],
        Async: 'true',
      });
    } catch (error) {
      if (!(error instanceof AmiError)) throw error;
      if (error.code === 'timeout' || error.code === 'connectionLost') {
        log.warn({ callid, code: error.code }, 'Asterisk did not answer an Originate; the call may ring');
        this.planCheck();
        return { kind: 'unknown', callid };
      }
      this.update(callid, 'refused');
      this.options.onOutcome?.('refused');
      if (error.code === 'notConnected') return unreachable;
      return error.message === 'Extension does not exist.'
        ? {
            kind: 'refused',
            code: 'number-unknown',
            message: `to: expected a number that the context ${dialPlan.context} can dial, got ${request.to}`,
          }
        : { kind: 'refused', code: 'pbx-refused', message: `Asterisk refused the call: ${error.message}` };
    }
    try {
      this.update(callid, 'placed');
    } catch (error) {
      // It is on its way, and "sending" is written down: after a crash its channel is looked for.
      log.error({ callid, error: (error as Error).message }, 'a placed call could not be written down');
    }
    return { kind: 'trying', callid };
  }

  /** Ends a call at both phones. Asked again, it does no harm. */
  async hangUp(callid: string): Promise<HungUp> {
    const call = this.open.get(callid);
    if (!call) return this.options.store.call(callid) ? 'finished' : 'unknownCall';
    try {
      await this.options.ami.action({ Action: 'Hangup', Channel: call.progress.channelId });
    } catch (error) {
      if (!(error instanceof AmiError)) throw error;
      if (error.code !== 'refused') return 'unreachable';
      // "No such channel": it is just ending, or does not exist yet.
      if (!call.progress.channels[callid]) this.unwanted.add(callid);
    }
    return 'asked';
  }

  /** Takes one event of Asterisk's. */
  handleEvent(event: AmiPacket): void {
    const isOriginated = event.Event === 'OriginateResponse';
    const callid = (isOriginated ? event.ActionID?.replace(/^originate-/, '') : event.Linkedid) ?? '';
    const call = this.open.get(callid);
    if (event.Event === 'Newchannel' && event.Uniqueid === callid) this.endIfUnwanted(callid);
    if (call) this.follow(call, (progress) => advance(progress, event, this.now()));
  }

  /**
   * Compares the open calls with the channels that Asterisk has. To be run after each login, before events count: what ended
   * while there was no connection cannot be found out any more.
   */
  async reconcile(): Promise<void> {
    const channelsOf = await this.channels();
    this.stale.clear();
    for (const call of [...this.open.values()]) {
      const live = channelsOf(call);
      if (live.length > 0) this.takeUp(call, live);
      else if (call.progress.end && !call.progress.isIncomplete) this.finish(call, 'ended');
      else if (this.isUnseen(call) && !this.isLate(call)) this.planCheck();
      else this.finish(call, 'unknown');
    }
  }

  /** Gives up the calls that Asterisk never began. Of all others the events say what becomes of them. */
  private async checkUnseen(): Promise<void> {
    const channelsOf = await this.channels();
    for (const call of [...this.open.values()].filter((call) => this.isUnseen(call))) {
      const live = channelsOf(call);
      if (live.length > 0) this.takeUp(call, live);
      else if (this.isLate(call)) this.finish(call, 'unknown');
      else if (!this.placing.has(call.callid)) this.planCheck();
    }
  }

  private async channels(): Promise<(call: StoredCall) => AmiPacket[]> {
    const list = await this.options.ami.list({ Action: 'Status' }, 'StatusComplete');
    return ({ progress }) =>
      list.filter(({ Event, Linkedid }) => Event === 'Status' && Linkedid === progress.channelId);
  }

  private takeUp(call: StoredCall, live: readonly AmiPacket[]): void {
    this.follow(call, (progress) => resume(progress, live, this.now()));
    if (call.phase === 'sending') this.update(call.callid, 'placed');
  }

  private isUnseen({ progress }: StoredCall): boolean {
    return Object.keys(progress.channels).length === 0;
  }

  private isLate({ createdAt }: StoredCall): boolean {
    return this.now() - createdAt >= lateAfterMs;
  }

  private planCheck(): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        if (!this.options.ami.isReady) return;
        this.checkUnseen().catch((error: Error) =>
          this.options.log.warn(
            { error: error.message },
            'the open calls could not be compared with Asterisk',
          ),
        );
      },
      this.options.checkAfterMs ?? lateAfterMs + 500,
    ).unref();
  }

  /** Hangs up a phone that begins to ring long after the click, or after the call was given up or to be hung up. */
  private endIfUnwanted(callid: string): void {
    const call = this.open.get(callid) ?? this.options.store.call(callid);
    if (!call) return;
    const isLate = !this.placing.has(callid) && this.isLate(call);
    if (!isLate && !this.unwanted.has(callid)) return;
    if (isLate) this.options.log.warn({ callid }, 'Asterisk carried an Originate out late; it is hung up');
    this.options.ami.action({ Action: 'Hangup', Channel: callid }).catch(() => {});
  }

  private follow(call: StoredCall, change: (progress: CallProgress) => CallProgress): void {
    const before = call.progress;
    const after = change(before);
    if (after === before) return;
    call.progress = after;
    if (after.end) {
      this.finish(call, after.isIncomplete || this.stale.has(call.callid) ? 'unknown' : 'ended');
      return;
    }
    const news = newsBetween(before, after);
    // Written down only when something is worth keeping: a channel's small changes come by the dozen.
    const isWorthKeeping =
      news.length > 0 ||
      after.recordingFile !== before.recordingFile ||
      after.isIncomplete !== before.isIncomplete;
    if (!isWorthKeeping) return;
    this.save(
      call,
      news.map((each) => progressBody(call, each)),
    );
  }

  private finish(call: StoredCall, phase: 'ended' | 'unknown'): void {
    call.phase = phase;
    const at = this.now();
    if (phase === 'ended') this.save(call, [], [hangUpBody(call, this.options.recordingAddress)]);
    else this.save(call, [progressBody(call, { event: 'unknown', at })]);
    // Only now: a call whose end could not be written down is still open.
    this.open.delete(call.callid);
    this.unwanted.delete(call.callid);
    this.stale.delete(call.callid);
    const outcome = phase === 'ended' ? call.progress.end!.reason : 'unknown';
    this.options.onOutcome?.(outcome);
    this.options.log.info({ callid: call.callid, outcome }, 'a call ended');
  }

  private update(callid: string, phase: CallPhase): void {
    const call = this.open.get(callid);
    // Its end may have been reported before the response to Originate.
    if (!call) return;
    call.phase = phase;
    if (phase === 'refused') this.open.delete(callid);
    this.save(call, []);
  }

  /** @param optional notifications for those who asked for `events: "all"` only. */
  private save(call: StoredCall, optional: readonly string[], owed: readonly string[] = []): void {
    const { returnurl, events } = call.request;
    const bodies = [...(events === 'all' ? optional : []), ...owed];
    this.options.store.saveCall(
      call,
      returnurl === undefined ? [] : bodies.map((body) => ({ url: returnurl, body })),
      this.now(),
    );
    if (returnurl !== undefined && bodies.length > 0) this.options.onNotification();
  }
}

const unreachable: Placed = {
  kind: 'refused',
  code: 'pbx-unreachable',
  message: 'Asterisk is not reachable; nothing was placed. Try again in a moment.',
};

const storeFailed: Placed = {
  kind: 'refused',
  code: 'store-failed',
  message:
    'The service cannot write its store; nothing was placed. Its operator finds the reason in its log.',
};

/** The answer to a request that comes again. */
function placedAs({ phase, callid }: StoredCall): Placed {
  if (phase === 'refused')
    return { kind: 'refused', code: 'pbx-refused', message: 'Asterisk refused this call.' };
  return phase === 'sending' || phase === 'unknown'
    ? { kind: 'unknown', callid }
    : { kind: 'trying', callid };
}

function newsBetween(before: CallProgress, after: CallProgress) {
  const news: { event: 'ringing' | 'answer'; party: Party; at: number }[] = [];
  for (const party of ['caller', 'callee'] as const) {
    // Up without Ringing before is an answer alone.
    const answeredAt = after.answered[party];
    const isAnswered = answeredAt !== undefined && before.answered[party] === undefined;
    const ringingAt = after.ringing[party];
    if (ringingAt !== undefined && before.ringing[party] === undefined && !isAnswered)
      news.push({ event: 'ringing', party, at: ringingAt });
    if (isAnswered) news.push({ event: 'answer', party, at: answeredAt });
  }
  return news;
}
