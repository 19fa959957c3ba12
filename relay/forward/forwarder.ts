/**
 * Takes notifications from the store's queue to the operator's own system. At least once: a delivery whose answer was
 * lost, or whose relay died, is made again under the same `webhook-id`. Claims keep two relays on one store apart.
 */
import type { Logger } from 'pino';
import { Agent } from 'undici';
import type { Metrics } from '../metrics.ts';
import type { ForwardSettings } from '../settings.ts';
import type { Forward, ForwardOutcome, Store } from '../store/store.ts';
import { type Delivered, deliver } from './deliver.ts';
import { signedHeaders } from './sign.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Before the second attempt, the third and so on; three days and a bit together, as Standard Webhooks recommends. */
export const forwardDelays: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** A fifth more or less, so that what failed together does not come back together. */
const jitter = 0.2;
/** Longer than an attempt can take, also by another relay's clock. */
const claimTime = minute;
/** Deliveries under way at once; a receiver that hangs holds each for fifteen seconds. */
const width = 16;
/** Looks at least so often: another relay may have died with its claims. */
const longestPause = 15 * second;
const afterStoreError = 5 * second;

export interface ForwarderOptions extends ForwardSettings {
  store: Pick<Store, 'claimForwards' | 'settleForward'>;
  metrics: Pick<Metrics, 'forwards'>;
  log: Logger;
  /** Milliseconds before each further attempt; when they are used up, the forward is dead. */
  delays?: readonly number[];
  random?: () => number;
  /** Milliseconds that attempts under way get when we stop; then they count as not made. */
  stopGrace?: number;
}

/** @returns milliseconds until the attempt after this one; undefined where there is none. @param attempt from 1. */
export function delayAfter(
  attempt: number,
  delays: readonly number[],
  random: () => number,
): number | undefined {
  const delay = delays[attempt - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - jitter + 2 * jitter * random()));
}

export class Forwarder {
  /** As of the last look. */
  pending = 0;
  private readonly agent = new Agent({
    connect: { timeout: 10 * second },
    connections: width,
    pipelining: 1,
  });
  private readonly cut = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private lookAgain = false;
  private stopping = false;

  constructor(private readonly options: ForwarderOptions) {}

  start(): void {
    this.wake();
  }

  /** Something may be due. */
  wake(): void {
    if (this.stopping) return;
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    this.looking = true;
    clearTimeout(this.timer);
    void this.look().then((pause) => {
      this.looking = false;
      if (this.stopping) return;
      if (this.lookAgain) {
        this.lookAgain = false;
        return this.wake();
      }
      // All places taken: whoever is done looks again.
      if (pause !== undefined) this.timer = setTimeout(() => this.wake(), pause).unref();
    });
  }

  /** Starts no attempt any more. Resolves when those under way are settled, a few seconds later at most. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    const late = setTimeout(() => this.cut.abort(), this.options.stopGrace ?? 3 * second);
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    clearTimeout(late);
    await this.agent.destroy();
  }

  /** @returns milliseconds until the next look; undefined where an attempt under way must end first. */
  private async look(): Promise<number | undefined> {
    const { store, log } = this.options;
    const free = width - this.underWay.size;
    if (free === 0) return undefined;
    try {
      const now = Date.now();
      const { forwards, pending, next } = await store.claimForwards({
        now,
        until: now + claimTime,
        limit: free,
      });
      this.pending = pending;
      // Claimed while we were told to stop: given up with the store, or when the claim runs out.
      if (this.stopping) return undefined;
      for (const forward of forwards) {
        const attempt = this.attempt(forward).finally(() => {
          this.underWay.delete(attempt);
          this.wake();
        });
        this.underWay.add(attempt);
      }
      if (forwards.length === free) return undefined;
      return Math.max(1, Math.min(longestPause, (next ?? Number.POSITIVE_INFINITY) - Date.now()));
    } catch (error) {
      if (!this.stopping)
        log.error({ error: (error as Error).message }, 'the queue of forwards cannot be read');
      return afterStoreError;
    }
  }

  private async attempt(forward: Forward): Promise<void> {
    const { url, secrets, store, metrics, log } = this.options;
    const { id, body, attempt } = forward;
    const headers = signedHeaders(id, Date.now(), body, secrets);
    const delivered = await deliver(url, body, headers, this.agent, this.cut.signal);
    const outcome = this.judge(delivered, attempt);
    const told = { call: forward.callId, forward: id, attempt };
    metrics.forwards.inc({ outcome: outcome.kind });
    if (outcome.kind === 'delivered') log.debug(told, 'a notification was forwarded');
    else
      log.warn(
        {
          ...told,
          failure: outcome.note,
          ...(outcome.kind === 'retry' ? { next: new Date(outcome.at) } : {}),
        },
        outcome.kind === 'dead'
          ? 'a notification could not be forwarded; it is kept as dead'
          : 'a notification could not be forwarded yet',
      );
    await store.settleForward(id, attempt, outcome).catch((error: Error) => {
      // The claim runs out, and the attempt is made again.
      log.error({ ...told, error: error.message }, 'an attempt to forward could not be written down');
    });
  }

  private judge(delivered: Delivered, attempt: number): ForwardOutcome {
    if (delivered.kind === 'delivered') return delivered;
    if (this.cut.signal.aborted) return { kind: 'retry', at: Date.now(), note: 'stopped' };
    const { delays = forwardDelays, random = Math.random } = this.options;
    const delay = delivered.forever ? undefined : delayAfter(attempt, delays, random);
    const now = Date.now();
    return delay === undefined
      ? { kind: 'dead', at: now, note: delivered.note }
      : { kind: 'retry', at: now + delay, note: delivered.note };
  }
}
