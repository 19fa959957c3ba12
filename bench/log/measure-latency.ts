/** Measures the time from the end of a call to the entry that the CRM's own interface returns. */
import { startLoggingRelay } from '../../testing/crm/logging-relay.ts';
import type { RealCrm } from '../../testing/crm/real-crm.ts';
import { until } from '../../testing/until.ts';
import { quantile } from '../statistics.ts';

const warmUp = 5;

/** Times calls one after the other, each on its own record. The wrap-up is saved before. @returns milliseconds. */
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
