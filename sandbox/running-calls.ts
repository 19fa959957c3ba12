/** Plays the calls that the sandbox has accepted. Each call rings, notifies and ends according to its scenario. */
import { progressNotification } from '../shared/service/outgoing-notification.ts';
import { defaultTimeoutSeconds } from '../shared/service/request.ts';
import type { SentNotification } from './journal.ts';
import { type CutBy, notificationOf, type PlacedCall, progressOf } from './placed-call.ts';

const deliveryTimeoutMs = 10_000;

interface RunningCall {
  call: PlacedCall;
  isRecorded: boolean;
  cutBy?: CutBy;
  isFinished: boolean;
  /** Ends the wait in which the call is. */
  endNow?: () => void;
}

interface RunningCallsOptions {
  /** Every wait is divided by this number. */
  speed: number;
  /** Address of the sandbox, for recordings. */
  base(): string;
  /** Called after each delivery. */
  onNotification(notification: SentNotification): void;
}

export class RunningCalls {
  /** Every delivery to a `returnurl`, oldest first. */
  readonly notifications: SentNotification[] = [];
  /** Running and past calls by callid. Past calls keep their recordings. */
  private readonly calls = new Map<string, RunningCall>();
  private readonly closing = new AbortController();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(private readonly options: RunningCallsOptions) {}

  /** @param answer sends the reply to `/call`. */
  async play(call: PlacedCall, answer: () => void): Promise<void> {
    const { scenario, request } = call;
    const running: RunningCall = { call, isRecorded: false, isFinished: false };
    this.calls.set(call.callid, running);
    const timeout = request.timeout ?? defaultTimeoutSeconds;
    if (!scenario.notifiesFirst) {
      await this.wait(scenario.replyAfter === 'timeout' ? timeout : scenario.replyAfter);
      answer();
    }
    if (scenario.reply !== 'lostCall' && scenario.reply !== 'htmlPage') await this.run(running, timeout);
    running.isFinished = true;
    if (scenario.notifiesFirst) answer();
  }

  /** Ends a running call. A second request has no effect. */
  hangUp(callid: string, by: CutBy): 'asked' | 'finished' | 'unknownCall' {
    const running = this.calls.get(callid);
    if (!running) return 'unknownCall';
    if (running.isFinished) return 'finished';
    running.cutBy ??= by;
    running.endNow?.();
    return 'asked';
  }

  /** @param id a callid, or the file name of a recording with or without `.wav`. */
  hasRecording(id: string | undefined): boolean {
    return [...this.calls.values()].some(
      ({ call: { callid, audioFile }, isRecorded }) =>
        isRecorded && (callid === id || audioFile === id || audioFile === `${id}.wav`),
    );
  }

  /** Ends running calls without a notification. */
  close(): void {
    this.closing.abort();
    for (const timer of this.timers) clearTimeout(timer);
  }

  private async run(running: RunningCall, timeout: number): Promise<void> {
    const { call } = running;
    const { scenario, request } = call;
    const isLost = scenario.notifications.includes('lost-call');
    const full = isLost ? timeout : scenario.ringSeconds + scenario.talkSeconds;
    const from = performance.now();
    const passed = () => ((performance.now() - from) / 1000) * this.options.speed;
    // The events are delivered in order. The call does not wait for them.
    let delivered = Promise.resolve();
    for (const { news, after } of request.events === 'all' ? progressOf(scenario) : []) {
      await this.wait(Math.max(0, after - passed()), running);
      if (running.cutBy) break;
      const body = progressNotification(request, call.callid, news, new Date());
      delivered = delivered.then(() => this.deliver(call, body));
    }
    await this.wait(Math.max(0, full - passed()), running);
    running.isFinished = true;
    await delivered;
    // Whole seconds of the sandbox's own time. A call that was not cut has exactly the scenario's seconds.
    const totalSeconds = Math.min(full, Math.round(passed()));
    const talkSeconds = isLost
      ? 0
      : Math.max(0, Math.min(scenario.talkSeconds, totalSeconds - scenario.ringSeconds));
    running.isRecorded = talkSeconds > 0;
    const ending = { at: new Date(), totalSeconds, talkSeconds, cutBy: running.cutBy };
    for (const event of scenario.notifications)
      await this.deliver(call, notificationOf(call, { ...ending, event }, this.options.base()));
  }

  /**
   * Resolves after so many seconds of the sandbox's own time, or if the call is hung up. After close, the time does not
   * resolve it.
   */
  private wait(seconds: number, running?: RunningCall): Promise<void> {
    return new Promise<void>((resolve) => {
      if (running?.cutBy) {
        resolve();
        return;
      }
      const end = () => {
        clearTimeout(timer);
        this.timers.delete(timer);
        resolve();
      };
      const timer = setTimeout(end, (seconds * 1000) / this.options.speed);
      this.timers.add(timer);
      if (running) running.endNow = end;
    });
  }

  /** Sends each event only once. It is not documented what the service does if the receiver fails (section 6). */
  private async deliver({ callid, request }: PlacedCall, body: Record<string, unknown>): Promise<void> {
    const { returnurl } = request;
    if (returnurl === undefined) return;
    const sent: SentNotification = { at: new Date().toISOString(), callid, returnurl, body };
    this.notifications.push(sent);
    try {
      const response = await fetch(returnurl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(deliveryTimeoutMs)]),
      });
      await response.body?.cancel();
      sent.status = response.status;
    } catch (error) {
      sent.error = String((error as Error).cause ?? error);
    }
    this.options.onNotification(sent);
  }
}
