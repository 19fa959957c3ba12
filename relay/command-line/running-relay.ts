/** Finds out which store the relay at an address uses, so that no command writes another one by mistake. */
import { z } from 'zod/mini';

const Ready = z.object({ status: z.literal('ready'), store: z.string() });

type FoundRelay =
  | { kind: 'relay'; store: string }
  /** Something answers that is no relay, or one that is not ready. */
  | { kind: 'other'; status: number }
  /** `isHanging`: something takes the connection, and does not answer in time. */
  | { kind: 'nothing'; error: Error; isHanging: boolean };

/**
 * How long the relay may take for an answer. If nothing listens, the request fails at once. A busy machine needs
 * seconds, and a command that gave up would write to the wrong store.
 */
const timeoutMs = 15_000;

/** @param base of the relay. Never rejects. */
export async function findRunningRelay(base: string): Promise<FoundRelay> {
  try {
    const response = await fetch(`${base}/readyz`, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
    });
    const ready = Ready.safeParse(await response.json().catch(() => undefined));
    return ready.success
      ? { kind: 'relay', store: ready.data.store }
      : { kind: 'other', status: response.status };
  } catch (thrown) {
    const error = thrown as Error;
    return { kind: 'nothing', error, isHanging: error.name === 'TimeoutError' };
  }
}

/** The address at which this machine reaches a relay. It is undefined where the port is chosen at the start. */
export function localAddress({ host, port }: { host: string; port: number }): string | undefined {
  if (port === 0) return undefined;
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
