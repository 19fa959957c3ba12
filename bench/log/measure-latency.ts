/** From the end of a call, its wrap-up saved before, to the entry that the CRM's own interface shows. */
import { startLoggingRelay } from '../../testing/crm/logging-relay.ts';
import type { RealCrm } from '../../testing/crm/real-crm.ts';
import { until } from '../../testing/until.ts';
import { quantile } from '../statistics.ts';

const warmUp = 5;

/** One call after the other, each on a record of its own. @returns milliseconds. */
export async function measureLatency(crm: RealCrm, calls: number): Promise<{ p50: number; p99: number }> {
  const relay = await startLoggingRelay(crm);
  try {
    const times: number[] = [];
    for (let n = 0; n < warmUp + calls; n++) {
      const record = await crm.addRecord();
      const call = await relay.place(record);
      await relay.wrapUp(call);
      const start = performance.now();
      await relay.end(call);
      const isReadable = async () => (await crm.texts(record)).some((text) => text.includes(call.id));
      await until(isReadable, 'the entry');
      if (n >= warmUp) times.push(performance.now() - start);
    }
    return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  } finally {
    await relay.stop();
  }
}
