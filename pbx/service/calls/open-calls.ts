/**
 * Follows calls whose end is not known yet, by Asterisk's events and its list of channels. After a crash or a lost
 * connection, a call with a live channel is followed again. A call whose channel is gone ends as unknown.
 */
import type { Logger } from 'pino';
import { minuteMs } from '../../../shared/durations.ts';
import { type AmiClient, AmiError } from '../ami/ami-client.ts';
import type { AmiPacket } from '../ami/ami-packets.ts';
import { hangUpBody, progressBody, type RecordingAddress } from '../notify/notification-body.ts';
import type { PbxStore } from '../store/pbx-store.ts';
import type { StoredCall } from '../store/schema.ts';
import { type CallProgress, channelToHangUp } from './call-channels.ts';
import { newsBetween } from './call-news.ts';
import { advance, concerns, hasChannel, linkedId, resume, timestampOf } from './call-progress.ts';
import { CallWriter } from './call-writer.ts';
import { hasLeft, isUnseen, type OpenCall } from './open-call.ts';

type HangUpResult =
  | 'asked'
  | 'finished'
  | 'unknownCall'
  | 'unreachable'
  /** Asterisk got the request and did not answer. */
  | 'silent'
  /** Asterisk refused the request with this message. */
  | { refused: string };

interface OpenCallsOptions {
  store: PbxStore;
  ami: Pick<AmiClient, 'isReady' | 'action' | 'list'>;
  recordingAddress: RecordingAddress;
  /** Called after a notification was stored. */
  onNotification(): void;
  onOutcome?(outcome: string): void;
  log: Logger;
  now?: (() => number) | undefined;
  /** Milliseconds of a monotonic clock. */
  elapsed?: (() => number) | undefined;
  /** How long to wait before calls that Asterisk has not begun are checked. */
  checkAfterMs?: number | undefined;
  /** Milliseconds between two looks for calls whose end Asterisk did not report. */
  checkEveryMs?: number | undefined;
}

/**
 * An Originate that Asterisk carries out later than this was held up, for example by a stopped process. The
 * ring is not expected any more, so the channel is hung up.
 */
const lateAfterMs = 10_000;

export class OpenCalls {
  private readonly open = new Map<string, OpenCall>();
  private readonly writer: CallWriter;
  private readonly now: () => number;
  private readonly elapsed: () => number;
  private timer: NodeJS.Timeout | undefined;
  private readonly interval: NodeJS.Timeout;

  constructor(private readonly options: OpenCallsOptions) {
    this.now = options.now ?? Date.now;
    this.elapsed = options.elapsed ?? (() => performance.now());
    this.writer = new CallWriter(options.store, options.onNotification, options.log);
    for (const call of options.store.openCalls()) this.add(call, false);
    this.interval = setInterval(() => this.check(), options.checkEveryMs ?? minuteMs).unref();
  }

  get size(): number {
    return this.open.size;
  }

  /** Whether the state of some calls is not stored yet. */
  get isStoreBehind(): boolean {
    return this.writer.isBehind;
  }

  add(call: StoredCall, isPlacing = true): void {
    const startedAt = this.elapsed() - Math.max(0, this.now() - call.createdAt);
    this.open.set(call.callid, { call, startedAt, isPlacing, isStale: !isPlacing, isUnwanted: false });
  }

  /** Originate was answered, with this result. */
  settle(callid: string, result: 'placed' | 'refused' | 'unknown'): void {
    const open = this.open.get(callid);
    // The call's end may have been reported before the response to Originate.
    if (!open) return;
    open.isPlacing = false;
    if (result === 'unknown') {
      this.planCheck();
      return;
    }
    if (result === 'refused') {
      this.open.delete(callid);
      this.options.onOutcome?.('refused');
    }
    open.call.phase = result;
    this.write(open.call, []);
  }

  /** Marks all calls when the connection to Asterisk is lost, since their later events are incomplete. */
  disconnected(): void {
    for (const open of this.open.values()) open.isStale = true;
  }

  /** Writes what the store did not take yet. */
  stop(): void {
    clearTimeout(this.timer);
    clearInterval(this.interval);
    this.writer.stop();
  }

  /**
   * Ends a call at both phones. It may be repeated.
   * @param tokenId of the token that asks; calls of other tokens are unknown.
   */
  async hangUp(callid: string, tokenId: string): Promise<HangUpResult> {
    const open = this.open.get(callid);
    const call = open?.call ?? this.options.store.call(callid);
    if (call?.tokenId !== tokenId) return 'unknownCall';
    if (!open) return 'finished';
    try {
      await this.options.ami.action({ Action: 'Hangup', Channel: channelToHangUp(call.progress) });
    } catch (error) {
      if (!(error instanceof AmiError)) throw error;
      if (error.code === 'timeout') return 'silent';
      if (error.code !== 'refused') return 'unreachable';
      if (!/no such channel/i.test(error.message)) return { refused: error.message };
      // The channel is just ending, or Asterisk has not made it yet.
      if (!call.progress.channels[callid]) open.isUnwanted = true;
    }
    return 'asked';
  }

  /** Takes one event of Asterisk's. */
  handleEvent(event: AmiPacket): void {
    const isOriginated = event.Event === 'OriginateResponse';
    const callid = (isOriginated ? event.ActionID?.replace(/^originate-/, '') : linkedId(event)) ?? '';
    if (event.Event === 'Newchannel' && event.Uniqueid === callid)
      this.endIfUnwanted(callid, timestampOf(event));
    // A transfer may join two calls, whose channels then all have the older linked id.
    const owners = isOriginated
      ? []
      : [...this.open.values()].filter(({ call }) => hasChannel(call.progress, event));
    const linked = owners.length > 0 ? undefined : this.open.get(callid);
    for (const open of linked ? [linked] : owners)
      this.follow(open, (progress) => advance(progress, event, this.now()));
  }

  /**
   * Compares the open calls with Asterisk's channels. Run it after each login. Until then, a call whose end is reported
   * ends as unknown, because earlier events may be missing. What happened without a connection cannot be found out
   * later.
   */
  async reconcile(): Promise<void> {
    const channelsOf = await this.channels();
    for (const open of [...this.open.values()]) {
      open.isStale = false;
      const { progress } = open.call;
      const live = channelsOf(open);
      if (live.length > 0) this.takeUp(open, live);
      else if (progress.end && !progress.isIncomplete) this.finish(open, 'ended');
      else if (isUnseen(open) && !this.isLate(open)) this.planCheck();
      else this.finish(open, 'unknown');
    }
  }

  /**
   * Gives up calls that Asterisk never began, or whose channels left without an event. The other calls are left to
   * Asterisk's events.
   */
  private async compare(): Promise<void> {
    const channelsOf = await this.channels();
    for (const open of [...this.open.values()]) {
      const live = channelsOf(open);
      if (!isUnseen(open)) {
        if (hasLeft(open, live.length > 0, this.elapsed())) this.finish(open, 'unknown');
      } else if (live.length > 0) this.takeUp(open, live);
      else if (this.isLate(open)) this.finish(open, 'unknown');
      else if (!open.isPlacing) this.planCheck();
    }
  }

  private async channels(): Promise<(open: OpenCall) => AmiPacket[]> {
    const list = await this.options.ami.list({ Action: 'Status' }, 'StatusComplete');
    return ({ call }) => list.filter((each) => each.Event === 'Status' && concerns(each, call.progress));
  }

  private takeUp(open: OpenCall, live: readonly AmiPacket[]): void {
    open.goneSince = undefined;
    const { callid, createdAt } = open.call;
    const own = live.find(({ Uniqueid }) => Uniqueid === callid);
    if (own && isUnseen(open)) {
      // An agent who has answered is not cut off, however late the phone rang.
      const age = own.ChannelStateDesc === 'Up' ? undefined : own.Seconds;
      const begunAt = age === undefined ? createdAt : this.now() - Number(age) * 1000;
      if (this.endIfUnwanted(callid, begunAt)) {
        this.finish(open, 'unknown');
        return;
      }
    }
    this.follow(open, (progress) => resume(progress, live, this.now()));
    if (open.call.phase === 'sending') this.settle(callid, 'placed');
  }

  private isLate({ startedAt }: OpenCall): boolean {
    return this.elapsed() - startedAt >= lateAfterMs;
  }

  private planCheck(): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.check();
      },
      this.options.checkAfterMs ?? lateAfterMs + 500,
    ).unref();
  }

  private check(): void {
    if (!this.options.ami.isReady || this.open.size === 0) return;
    this.compare().catch((error: Error) => {
      this.options.log.warn({ error: error.message }, 'the open calls could not be compared with Asterisk');
      // The others are compared again in a minute.
      if ([...this.open.values()].some(isUnseen)) this.planCheck();
    });
  }

  /**
   * Hangs up a phone that begins to ring too late: long after the click, or after the call was given up.
   * @returns whether it is too late.
   */
  private endIfUnwanted(callid: string, begunAt = this.now()): boolean {
    const open = this.open.get(callid);
    if (!open && !this.isGivenUp(callid)) return false;
    // If this process was paused, it reads the event late. Asterisk's own time shows whether the channel began in time,
    // unless its clock is so wrong that the channel began before the click.
    const isBegunLate = open !== undefined && Math.abs(begunAt - open.call.createdAt) >= lateAfterMs;
    const isLate = !open || (!open.isPlacing && isBegunLate && this.isLate(open));
    if (!isLate && !open?.isUnwanted) return false;
    if (isLate) this.options.log.warn({ callid }, 'Asterisk carried an Originate out late; it is hung up');
    this.options.ami.action({ Action: 'Hangup', Channel: callid }).catch((error: Error) => {
      this.options.log.warn({ callid, error: error.message }, 'an unwanted call was not hung up');
    });
    return isLate;
  }

  /** Whether a new channel that is not of an open call belongs to a stored call. False if the store fails. */
  private isGivenUp(callid: string): boolean {
    try {
      return this.options.store.call(callid) !== undefined;
    } catch (error) {
      this.options.log.error({ error: (error as Error).message }, 'a new channel could not be looked up');
      return false;
    }
  }

  private follow(open: OpenCall, change: (progress: CallProgress) => CallProgress): void {
    const { call } = open;
    const before = call.progress;
    const after = change(before);
    if (after === before) return;
    call.progress = after;
    if (after.end) {
      this.finish(open, after.isIncomplete || open.isStale ? 'unknown' : 'ended');
      return;
    }
    const news = newsBetween(before, after);
    // Stored only after an important change, since a channel reports dozens of small changes.
    const isWorthKeeping =
      news.length > 0 ||
      after.recordingFile !== before.recordingFile ||
      after.isIncomplete !== before.isIncomplete;
    if (!isWorthKeeping) return;
    const bodies = news.map((each) => ({ body: progressBody(call, each), isEnd: false }));
    this.write(call, call.request.events === 'all' ? bodies : []);
  }

  private finish({ call }: OpenCall, phase: 'ended' | 'unknown'): void {
    call.phase = phase;
    this.open.delete(call.callid);
    if (phase === 'ended')
      this.write(call, [{ body: hangUpBody(call, this.options.recordingAddress), isEnd: true }]);
    else if (call.request.events === 'all')
      this.write(call, [{ body: progressBody(call, { event: 'unknown', at: this.now() }), isEnd: true }]);
    else this.write(call, []);
    const outcome = phase === 'ended' ? call.progress.end!.reason : 'unknown';
    this.options.onOutcome?.(outcome);
    this.options.log.info({ callid: call.callid, outcome }, 'a call ended');
  }

  private write(call: StoredCall, bodies: readonly { body: string; isEnd: boolean }[]): void {
    const { returnurl } = call.request;
    const owed = returnurl === undefined ? [] : bodies.map((each) => ({ url: returnurl, ...each }));
    this.writer.write(call, owed, this.now());
  }
}
