/**
 * Delivers notifications from the store's queue to the operator's own system. At least once: a delivery whose reply was
 * lost, or whose relay died, is repeated under the same `webhook-id`. Claims keep two relays on one store apart.
 */
import type { Logger } from 'pino';
import { Agent } from 'undici';
import { coalesce } from '../../shared/async/coalesce.ts';
import { type Delivered, postNotification } from '../../shared/server/post-notification.ts';
import type { Metrics } from '../metrics.ts';
import type { Settings } from '../settings.ts';
import type { Forward, ForwardOutcome, Store } from '../store/store.ts';
import { signedHeaders } from './sign.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds before the second attempt, the third and so on; just over three days together, as Standard Webhooks recommends. */
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

/** A fifth more or less, so that what failed together is not tried again together. */
const jitter = 0.2;
/** Longer than an attempt can take, also by another relay's clock. */
const claimTime = minute;
/** Attempts at once; a receiver that hangs holds each for fifteen seconds. */
const maxAttempts = 16;
/** Between two polls: another relay may have died with its claims. */
const maxPause = 15 * second;
const pauseAfterStoreError = 5 * second;

export interface ForwarderOptions extends Pick<NonNullable<Settings['forward']>, 'url' | 'secrets'> {
  store: { forwards: Pick<Store['forwards'], 'claim' | 'settle'> };
  metrics: Pick<Metrics, 'forwards'>;
  log: Logger;
  /** Milliseconds before each further attempt; when they are used up, the forward is dead. */
  delays?: readonly number[];
  random?: () => number;
  /** How long attempts in progress may take when we stop; then they count as not made. */
  stopGraceMs?: number;
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
  /** As of the last poll. */
  pending = 0;
  /** Polls the queue now: something may be due. */
  readonly wake = coalesce(() => this.poll());
  private readonly agent = new Agent({
    connect: { timeout: 10 * second },
    connections: maxAttempts,
    pipelining: 1,
  });
  private readonly cut = new AbortController();
  private readonly inProgress = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(private readonly options: ForwarderOptions) {}

  /** Starts no further attempt. Resolves when those in progress are settled, a few seconds later at most. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    const late = setTimeout(() => this.cut.abort(), this.options.stopGraceMs ?? 3 * second);
    while (this.inProgress.size > 0) await Promise.all(this.inProgress);
    clearTimeout(late);
    await this.agent.destroy();
  }

  private async poll(): Promise<void> {
    clearTimeout(this.timer);
    const free = maxAttempts - this.inProgress.size;
    // Every attempt polls again when it ends.
    if (this.isStopping || free === 0) return;
    const { store, log } = this.options;
    try {
      const now = Date.now();
      const claim = await store.forwards.claim({ now, until: now + claimTime, limit: free });
      this.pending = claim.pending;
      // Claimed while we stop: given up with the store, or when the claim expires.
      if (this.isStopping) return;
      for (const forward of claim.forwards) {
        const attempt = this.attempt(forward).finally(() => {
          this.inProgress.delete(attempt);
          void this.wake();
        });
        this.inProgress.add(attempt);
      }
      if (claim.forwards.length < free)
        this.pollAfter(Math.min(maxPause, (claim.next ?? Number.POSITIVE_INFINITY) - Date.now()));
    } catch (error) {
      if (this.isStopping) return;
      log.error({ error: (error as Error).message }, 'the queue of forwards cannot be read');
      this.pollAfter(pauseAfterStoreError);
    }
  }

  private pollAfter(ms: number): void {
    this.timer = setTimeout(this.wake, Math.max(1, ms)).unref();
  }

  private async attempt(forward: Forward): Promise<void> {
    const { url, secrets, store, metrics, log } = this.options;
    const { id, body, attempt } = forward;
    const headers = { ...signedHeaders(id, Date.now(), body, secrets), 'user-agent': 'dialmark' };
    const delivered = await postNotification(url, body, headers, this.agent, this.cut.signal);
    const outcome = this.judge(delivered, attempt);
    const attempted = { call: forward.callId, forward: id, attempt };
    metrics.forwards.inc({ outcome: outcome.kind });
    if (outcome.kind === 'delivered') log.debug(attempted, 'a notification was forwarded');
    else
      log.warn(
        {
          ...attempted,
          failure: outcome.note,
          ...(outcome.kind === 'retry' ? { next: new Date(outcome.at) } : {}),
        },
        outcome.kind === 'dead'
          ? 'a notification could not be forwarded; it is kept as dead'
          : 'a notification could not be forwarded yet',
      );
    await store.forwards.settle(id, attempt, outcome).catch((error: Error) => {
      // The claim expires, and the attempt is made again.
      log.error(
        { ...attempted, error: error.message },
        'the outcome of an attempt to forward could not be stored',
      );
    });
  }

  private judge(delivered: Delivered, attempt: number): ForwardOutcome {
    if (delivered.kind === 'delivered') return delivered;
    if (this.cut.signal.aborted) return { kind: 'retry', at: Date.now(), note: 'stopped' };
    const { delays = forwardDelays, random = Math.random } = this.options;
    const delay = delivered.isFinal ? undefined : delayAfter(attempt, delays, random);
    const now = Date.now();
    return delay === undefined
      ? { kind: 'dead', at: now, note: delivered.note }
      : { kind: 'retry', at: now + delay, note: delivered.note };
  }
}
