/** The relay's periodic work: decides how overdue calls ended, and deletes what is old. */

import type { Logger } from 'pino';
import type { Fact } from '../shared/call/call.ts';
import { dayMs, hourMs, minuteMs } from '../shared/durations.ts';
import { ClockGuard } from '../shared/server/clock-guard.ts';
import { OutageReports } from '../shared/server/outage-reports.ts';
import type { ApiKeyCache } from './access/api-key-cache.ts';
import type { Metrics } from './metrics.ts';
import type { RelaySettings } from './settings.ts';
import type { Store } from './store/store.ts';

const overdueIntervalMs = 2000;
const pruneIntervalMs = minuteMs;
/**
 * The most rows of each kind that one commit deletes. A notification or a reader must not wait behind a large deletion.
 */
const pruneBatch = 100;
const overdueBatch = 500;

interface HousekeepingOptions {
  settings: RelaySettings;
  store: Store;
  keys: ApiKeyCache;
  metrics: Metrics;
  log: Logger;
}

export class Housekeeping {
  private readonly stopped = new AbortController();

  private readonly clock: ClockGuard;

  constructor(private readonly options: HousekeepingOptions) {
    this.clock = new ClockGuard(options);
  }

  start(): void {
    this.every(overdueIntervalMs, () => this.decideOverdue());
    this.every(pruneIntervalMs, () => this.prune());
    this.every(pruneIntervalMs, () => this.options.keys.saveUses());
  }

  stop(): void {
    this.stopped.abort();
  }

  /**
   * In a store of this relay alone, a dial without an outcome belongs to a process that died. The call may have rung,
   * so it is never dialled again (Law 1). In a shared store, the dial may belong to another relay; there the deadline
   * decides.
   */
  async decideInterrupted(): Promise<void> {
    const { store, log } = this.options;
    if (store.shared) return;
    const calls = await store.calls.listInterrupted();
    for (const callId of calls) await this.apply(callId, interrupted());
    if (calls.length > 0)
      log.warn({ calls: calls.length }, 'calls were interrupted; whether they rang is unknown');
  }

  async decideOverdue(): Promise<void> {
    const now = Date.now();
    const overdue = await this.options.store.calls.listOverdue(now, overdueBatch);
    for (const { callId, isDialling } of overdue)
      await this.apply(
        callId,
        isDialling ? interrupted() : { kind: 'noNotification', at: new Date().toISOString() },
      );
  }

  async prune(): Promise<void> {
    const { settings, store, log } = this.options;
    while (this.clock.mayDelete()) {
      const now = Date.now();
      const deleted = await store.maintenance.prune({
        callsBefore: now - settings.retentionDays * dayMs,
        eventsBefore: now - settings.replayHours * hourMs,
        now,
        limit: pruneBatch,
      });
      if (deleted > 0) log.debug({ deleted }, 'old rows deleted');
      if (deleted < pruneBatch || this.stopped.signal.aborted) return;
    }
  }

  private async apply(callId: string, fact: Fact): Promise<void> {
    const { settings, store, metrics } = this.options;
    const now = Date.now();
    // An interrupted call goes on if the service has reported that it rings. It then needs a deadline.
    const deadline = now + settings.maxCallMinutes * minuteMs;
    metrics.applied(
      await store.calls.apply({ callId, fact, now, ...(fact.kind === 'notAnswered' && { deadline }) }),
    );
  }

  /** The next run starts one interval after the last one ended. */
  private every(interval: number, work: () => Promise<void>): void {
    const failures = new OutageReports((error) =>
      this.options.log.error({ error: error.message }, 'housekeeping failed'),
    );
    const run = async () => {
      if (this.stopped.signal.aborted) return;
      await work().then(
        () => failures.end(),
        (error: Error) => {
          if (!this.stopped.signal.aborted) failures.report(error);
        },
      );
      if (!this.stopped.signal.aborted) setTimeout(run, interval).unref();
    };
    setTimeout(run, interval).unref();
  }
}

function interrupted(): Fact {
  return {
    kind: 'notAnswered',
    at: new Date().toISOString(),
    error: { code: 'interrupted', message: 'the relay was interrupted while it placed this call' },
  };
}
