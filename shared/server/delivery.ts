/**
 * One queue for everything that is delivered to somebody else's server: claims what is due, attempts it,
 * stores the outcome. At least once: an attempt whose outcome could not be stored is made again when its
 * claim expires.
 */
import type { Logger } from 'pino';
import { coalesce } from '../async/coalesce.ts';
import { minuteMs, secondMs } from '../durations.ts';

/**
 * How long a claim lasts: longer than an attempt can take, also by the clock of another process on the same store. An
 * attempt that may take longer confirms its claim before it sends.
 */
const claimMs = minuteMs;
/** The longest pause between two polls, because another process may have died with its claims. */
const maxPauseMs = 15 * secondMs;
const pauseAfterStoreErrorMs = 5 * secondMs;
/** How much a delay varies: a fifth more or less, so that items that failed together are not tried together again. */
const jitter = 0.2;

interface DeliveryItem {
  readonly id: string | number;
  /** Number of the attempt that the claim is for, from 1. */
  readonly attempt: number;
}

export interface DeliveryClaim<T> {
  items: readonly T[];
  /** Items that are neither delivered nor dead, claimed ones included. */
  pending: number;
  /** When the next item is due, in milliseconds since the epoch; a claimed item is due when its claim expires. */
  next?: number;
}

/** `dead`: there is no further attempt. Times are milliseconds since the epoch. */
export type DeliveryOutcome = { kind: 'delivered' } | { kind: 'retry' | 'dead'; at: number; note: string };

/** What the queue needs from a store. Both methods may return at once or later, and may fail. */
export interface DeliveryStore<T extends DeliveryItem> {
  /** Hands out at most `limit` due items, which no other claim gets until `until`. */
  claim(claim: { now: number; until: number; limit: number }): DeliveryClaim<T> | Promise<DeliveryClaim<T>>;
  /** Ends the claim. */
  settle(item: T, outcome: DeliveryOutcome): void | Promise<void>;
}

/**
 * `note`: for the log and the operator, without secrets. `isFinal`: the receiver does not accept a further attempt.
 * `notBeforeMs`: the next attempt is not earlier, counted from now.
 */
export type Attempted =
  | { kind: 'delivered' }
  | { kind: 'failed'; note: string; isFinal: boolean; notBeforeMs?: number | undefined };

interface DeliveryOptions<T extends DeliveryItem> {
  store: DeliveryStore<T>;
  /** Makes one attempt. `signal` aborts it when the queue stops. */
  attempt(item: T, signal: AbortSignal): Promise<Attempted>;
  /** Milliseconds before the second attempt, the third and so on. After the last attempt the item is dead. */
  delaysMs: readonly number[];
  maxAtOnce: number;
  /** Called for every attempt that came to an end, before its outcome is stored. */
  onAttempted(item: T, outcome: DeliveryOutcome): void;
  log: Logger;
  /** How long attempts in progress may take when the queue stops; then they count as not made. */
  stopGraceMs?: number | undefined;
  random?: (() => number) | undefined;
  now?: (() => number) | undefined;
}

/** @returns milliseconds until the attempt after this one; undefined where there is none. @param attempt from 1. */
export function delayAfter(
  attempt: number,
  delaysMs: readonly number[],
  random: () => number,
): number | undefined {
  const delay = delaysMs[attempt - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - jitter + 2 * jitter * random()));
}

export class DeliveryQueue<T extends DeliveryItem> {
  /** The number of waiting items at the last poll. */
  pending = 0;
  /** Polls the store now: something may be due. */
  readonly wake = coalesce(() => this.poll());
  private readonly cut = new AbortController();
  private readonly inProgress = new Set<Promise<void>>();
  private readonly now: () => number;
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(private readonly options: DeliveryOptions<T>) {
    this.now = options.now ?? Date.now;
  }

  /** Starts no further attempt. Resolves when those in progress are settled, a few seconds later at most. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    const late = setTimeout(() => this.cut.abort(), this.options.stopGraceMs ?? 3 * secondMs);
    while (this.inProgress.size > 0) await Promise.all(this.inProgress);
    clearTimeout(late);
  }

  private async poll(): Promise<void> {
    clearTimeout(this.timer);
    const free = this.options.maxAtOnce - this.inProgress.size;
    // Every attempt polls again when it ends.
    if (this.isStopping || free === 0) return;
    try {
      const now = this.now();
      const claim = await this.options.store.claim({ now, until: now + claimMs, limit: free });
      this.pending = claim.pending;
      // Claimed while the queue stops: the claim expires.
      if (this.isStopping) return;
      for (const item of claim.items) this.start(item);
      // Other items may be due while these are in progress. A slow receiver does not delay other receivers.
      if (claim.items.length < free)
        this.pollAfter(Math.min(maxPauseMs, (claim.next ?? Number.POSITIVE_INFINITY) - this.now()));
    } catch (error) {
      if (this.isStopping) return;
      this.options.log.error({ error: (error as Error).message }, 'the delivery queue cannot be read');
      this.pollAfter(pauseAfterStoreErrorMs);
    }
  }

  private pollAfter(ms: number): void {
    this.timer = setTimeout(this.wake, Math.max(1, ms)).unref();
  }

  private start(item: T): void {
    const attempt = this.deliver(item).finally(() => {
      this.inProgress.delete(attempt);
      void this.wake();
    });
    this.inProgress.add(attempt);
  }

  private async deliver(item: T): Promise<void> {
    const { store, log, onAttempted } = this.options;
    try {
      const attempted = await this.options.attempt(item, this.cut.signal);
      const outcome = this.judge(attempted, item.attempt);
      if (attempted.kind === 'delivered' || !this.cut.signal.aborted) onAttempted(item, outcome);
      await store.settle(item, outcome);
    } catch (error) {
      // The claim expires, and the attempt is made again.
      log.error(
        { id: item.id, attempt: item.attempt, error: (error as Error).message },
        'a delivery ended without a stored outcome',
      );
    }
  }

  private judge(attempted: Attempted, attempt: number): DeliveryOutcome {
    if (attempted.kind === 'delivered') return attempted;
    const at = this.now();
    const { notBeforeMs = 0 } = attempted;
    if (this.cut.signal.aborted) return { kind: 'retry', at: at + notBeforeMs, note: 'stopped' };
    const { delaysMs, random = Math.random } = this.options;
    const delay = attempted.isFinal ? undefined : delayAfter(attempt, delaysMs, random);
    return delay === undefined
      ? { kind: 'dead', at, note: attempted.note }
      : { kind: 'retry', at: at + Math.max(delay, notBeforeMs), note: attempted.note };
  }
}
