/** Prometheus metrics. Labels come from closed lists, so no number, key or address can appear in one. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds, from half a millisecond to half a minute. */
const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A registry with the process's own metrics; a server extends it by its counters and histograms. */
export class MetricsRegistry {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** @param read called at each scrape. If it throws, the value is not a number and the other metrics stay. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        try {
          this.set(read());
        } catch {
          this.set(Number.NaN);
        }
      },
    });
  }

  /** One gauge for each value of a label. @param read called at each scrape. */
  gauges(
    name: string,
    help: string,
    label: string,
    values: readonly string[],
    read: (value: string) => number,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        for (const value of values) this.set({ [label]: value }, read(value));
      },
    });
  }

  protected counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  protected histogram(name: string, help: string): Histogram {
    return new Histogram({ name, help, buckets: latencyBuckets, registers: [this.registry] });
  }
}
