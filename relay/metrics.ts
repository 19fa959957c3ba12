/** Prometheus metrics. Labels come from closed lists, so no number, key or address can appear in one. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Applied } from './store/store.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class Metrics {
  readonly registry = new Registry();
  readonly placed = this.counter('dialmark_calls_placed_total', 'Calls journalled, by who places them', [
    'by',
  ]);
  readonly calls = this.counter(
    'dialmark_calls_total',
    'Changes of calls, by the state and reason they went to',
    ['state', 'reason'],
  );
  readonly limited = this.counter('dialmark_calls_limited_total', 'Calls refused by a limit', ['limit']);
  readonly refused = this.counter('dialmark_calls_guarded_total', 'Calls refused by the dialling guard', [
    'reason',
  ]);
  readonly notifications = this.counter('dialmark_notifications_total', 'Notifications, by what they were', [
    'outcome',
  ]);
  readonly forwards = this.counter('dialmark_forwards_total', 'Attempts to forward, by how they ended', [
    'outcome',
  ]);
  readonly dialSeconds = this.histogram(
    'dialmark_dial_seconds',
    'From the request to the provider until its answer',
  );
  readonly commitSeconds = this.histogram(
    'dialmark_store_commit_seconds',
    'Time of a commit, sync to disk included',
  );
  readonly commitOperations = new Histogram({
    name: 'dialmark_store_commit_operations',
    help: 'Operations that shared one commit',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers: [this.registry],
  });
  readonly lagSeconds = this.histogram(
    'dialmark_notification_lag_seconds',
    'From the arrival of a notification until it is durable and written to its streams',
  );
  readonly storeErrors = this.counter('dialmark_store_errors_total', 'Operations the store refused', [
    'code',
  ]);
  readonly replayed = this.counter(
    'dialmark_events_replayed_total',
    'Events sent from history to a reader that came back',
  );
  readonly resets = this.counter('dialmark_resets_total', 'Readers whose cursor was not known');
  readonly streamsOpened = this.counter('dialmark_streams_opened_total', 'Event streams opened');
  readonly streamsCut = this.counter(
    'dialmark_streams_cut_total',
    'Event streams cut because their reader did not read',
  );

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** A number that is read when it is asked for. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  applied(applied: Applied): void {
    if (applied.kind !== 'applied') return;
    this.calls.inc({ state: applied.state, reason: applied.reason ?? 'none' });
  }

  private counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram(name: string, help: string): Histogram {
    return new Histogram({ name, help, buckets: seconds, registers: [this.registry] });
  }
}
