import dns from 'node:dns';
import { type MockInstance, onTestFinished, vi } from 'vitest';

/** Until the test ends, a look-up of any name fails after a while, as where the name's servers do not answer. */
export function failLookups(): MockInstance<typeof dns.lookup> {
  const noAnswer = Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' });
  const giveUp = (_host: string, _options: object, onLookedUp: (error: Error) => void) =>
    void setTimeout(onLookedUp, 200, noAnswer);
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(giveUp as never);
  onTestFinished(() => lookup.mockRestore());
  return lookup;
}
