/** Prometheus metrics of the calling service. */
import { MetricsRegistry } from '../../shared/server/metrics-registry.ts';

export class PbxMetrics extends MetricsRegistry {
  readonly calls = this.counter('dialmark_pbx_calls_total', 'Calls that ended, by outcome', ['outcome']);
  readonly notifications = this.counter(
    'dialmark_pbx_notification_attempts_total',
    'Attempts to deliver a notification, by outcome',
    ['outcome'],
  );

  constructor() {
    super();
    // If a counter first appears with its first event, an alert on its increase does not see that event.
    this.calls.inc({ outcome: 'unknown' }, 0);
    this.notifications.inc({ outcome: 'dead' }, 0);
  }
}
