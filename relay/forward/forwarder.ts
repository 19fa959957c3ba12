/**
 * Delivers notifications to the operator's own system, by the delivery queue over the store. It delivers at least once.
 * If the reply was lost or the relay died, it repeats the delivery under the same `webhook-id`. With claims, two relays
 * on one store do not send the same one at once.
 */

import type { Logger } from 'pino';
import { hourMs, minuteMs, secondMs } from '../../shared/durations.ts';
import { type DeliveryOutcome, DeliveryQueue } from '../../shared/server/delivery.ts';
import { notificationAgent, postNotification } from '../../shared/server/post-notification.ts';
import type { Metrics } from '../metrics.ts';
import type { RelaySettings } from '../settings.ts';
import type { Forward, Store } from '../store/store.ts';
import { signedHeaders } from './sign.ts';

/**
 * Milliseconds before the second attempt, the third and so on; just over three days together, as Standard
 * Webhooks recommends.
 */
export const forwardDelays: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** The most attempts at once. A receiver that hangs holds each attempt for fifteen seconds. */
const maxAtOnce = 16;

export interface ForwarderOptions extends Pick<NonNullable<RelaySettings['forward']>, 'url' | 'secrets'> {
  store: { forwards: Pick<Store['forwards'], 'claim' | 'settle'> };
  metrics: Pick<Metrics, 'forwards'>;
  log: Logger;
  /** Milliseconds before each further attempt; when they are used up, the forward is dead. */
  delays?: readonly number[];
  random?: () => number;
  /** How long attempts in progress may take when we stop; then they count as not made. */
  stopGraceMs?: number;
}

export class Forwarder {
  private readonly agent = notificationAgent(maxAtOnce);
  private readonly queue: DeliveryQueue<Forward>;

  constructor(private readonly options: ForwarderOptions) {
    const { url, secrets, store, log, delays, random, stopGraceMs } = options;
    this.queue = new DeliveryQueue<Forward>({
      store: {
        claim: (claim) => store.forwards.claim(claim),
        settle: ({ id, attempt }, outcome) => store.forwards.settle(id, attempt, outcome),
      },
      attempt: ({ id, body }, signal) => {
        const headers = { ...signedHeaders(id, Date.now(), body, secrets), 'user-agent': 'dialmark' };
        return postNotification(url, body, headers, this.agent, signal);
      },
      delaysMs: delays ?? forwardDelays,
      maxAtOnce,
      onAttempted: (forward, outcome) => this.report(forward, outcome),
      log,
      stopGraceMs,
      random,
    });
  }

  /** The number of waiting entries at the last poll. */
  get pending(): number {
    return this.queue.pending;
  }

  /** Polls the queue now: something may be due. */
  wake(): Promise<void> {
    return this.queue.wake();
  }

  /** Starts no further attempt. Resolves when those in progress are settled, a few seconds later at most. */
  async stop(): Promise<void> {
    await this.queue.stop();
    await this.agent.destroy();
  }

  private report({ id, callId, attempt }: Forward, outcome: DeliveryOutcome): void {
    const { metrics, log } = this.options;
    const attempted = { call: callId, forward: id, attempt };
    metrics.forwards.inc({ outcome: outcome.kind });
    if (outcome.kind === 'delivered') log.debug(attempted, 'a notification was forwarded');
    else if (outcome.kind === 'dead')
      log.warn(
        { ...attempted, failure: outcome.note },
        'a notification could not be forwarded; it is kept as dead',
      );
    else
      log.warn(
        { ...attempted, failure: outcome.note, next: new Date(outcome.at).toISOString() },
        'a notification could not be forwarded yet',
      );
  }
}
