import { MetricsRegistry } from '../shared/server/metrics-registry.ts';
import type { Applied } from './store/store.ts';

export class Metrics extends MetricsRegistry {
  readonly calls = this.counter('dialmark_calls_total', 'Changes of calls, by their new state and reason', [
    'state',
    'reason',
  ]);
  readonly limited = this.counter('dialmark_calls_limited_total', 'Calls refused by a limit', ['limit']);
  readonly refused = this.counter('dialmark_calls_refused_total', "Calls refused by a team's rule", ['rule']);
  readonly notifications = this.counter('dialmark_notifications_total', 'Notifications, by outcome', [
    'outcome',
  ]);
  readonly forwards = this.counter('dialmark_forwards_total', 'Attempts to forward, by outcome', ['outcome']);
  readonly entries = this.counter(
    'dialmark_log_entries_total',
    'Attempts to log a call in a CRM, by outcome',
    ['system', 'outcome'],
  );
  readonly dialSeconds = this.histogram(
    'dialmark_dial_seconds',
    'From the request to the provider until its answer',
  );
  readonly commitSeconds = this.histogram(
    'dialmark_store_commit_seconds',
    'Time of a commit, sync to disk included',
  );
  readonly lagSeconds = this.histogram(
    'dialmark_notification_lag_seconds',
    'From the arrival of a notification until it is durable and written to its streams',
  );
  readonly storeErrors = this.counter('dialmark_store_errors_total', 'Operations the store rejected', [
    'code',
  ]);
  readonly replayed = this.counter('dialmark_events_replayed_total', 'Events replayed to a resumed stream');
  readonly resets = this.counter('dialmark_resets_total', 'Readers whose cursor was not known');
  readonly streamsCut = this.counter('dialmark_streams_cut_total', 'Event streams cut for a slow reader');

  /** When the newest notification was accepted, a repetition too; absent before the first since the start. */
  lastNotificationAt: Date | undefined;

  constructor() {
    super();
    this.gauge(
      'dialmark_last_notification_timestamp_seconds',
      'When the newest notification was accepted; 0 before the first',
      () => (this.lastNotificationAt?.getTime() ?? 0) / 1000,
    );
    // These counters start at 0. An alert on an increase would miss a counter that appears with its first event.
    this.calls.inc({ state: 'callingCaller', reason: 'none' }, 0);
    for (const reason of ['notAnswered', 'other']) this.calls.inc({ state: 'unknown', reason }, 0);
    this.limited.inc({ limit: 'day' }, 0);
    for (const outcome of ['applied', 'conflict', 'forged']) this.notifications.inc({ outcome }, 0);
    this.forwards.inc({ outcome: 'dead' }, 0);
  }

  /** Counts a notification that came on a valid address. */
  notified(outcome: Applied['kind']): void {
    this.notifications.inc({ outcome });
    if (outcome !== 'unknownCall') this.lastNotificationAt = new Date();
  }

  applied(applied: Applied): void {
    if (applied.kind === 'applied')
      this.calls.inc({ state: applied.state, reason: applied.reason ?? 'none' });
  }
}
