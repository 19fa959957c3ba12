/** Prometheus metrics of the calling service. Labels come from closed lists: no number, agent or address is in one. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export class PbxMetrics {
  readonly registry = new Registry();
  readonly calls = this.counter('dialmark_pbx_calls_total', 'Calls that ended, by outcome', 'outcome');
  readonly notifications = this.counter(
    'dialmark_pbx_notification_attempts_total',
    'Attempts to deliver a notification, by outcome',
    'outcome',
  );

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Registers a number that is read at each scrape. */
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

  private counter(name: string, help: string, label: string): Counter<string> {
    return new Counter({ name, help, labelNames: [label], registers: [this.registry] });
  }
}
