import { afterEach, describe, expect, it } from 'vitest';
import {
  type Fault,
  type FaultyAddress,
  faults,
  provenUnsent,
  startAddress,
  startCutAddress,
  wholeAnswer,
} from '../../testing/servers/faulty-address.ts';
import { dial } from './dial.ts';

/** Short only where the fault lasts until its limit, so that a slow machine fails no other test. */
const limitsFor = (fault?: Fault) => ({
  connectTimeoutMs: fault === 'accept queue full' || fault === 'TLS never completes' ? 500 : 20_000,
  answerTimeoutMs: fault === 'no answer' ? 1500 : 20_000,
});
const request = { from: '1105', to: '4833224455', returnurl: 'https://relay.example/h/v1/x' };
const provider = (method: 'post' | 'get', ...addresses: FaultyAddress[]) => ({
  addresses: addresses.map(({ url }) => url),
  token: 'service-token',
  tokenIn: 'header' as const,
  method,
});

const open: FaultyAddress[] = [];
const start = async (...input: Parameters<typeof startAddress>) => {
  const address = await startAddress(...input);
  open.push(address);
  return address;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((address) => address.stop()));
});

describe.each(['post', 'get'] as const)('never dials twice, by %s', (method) => {
  it.each(faults)('when the primary address fails by: %s', async (fault) => {
    const secondary = await start('healthy');
    const primary = await start(fault, () => secondary.url);
    const { fact, tried } = await dial(provider(method, primary, secondary), request, limitsFor(fault));
    const unsent = provenUnsent.has(fault);
    // The secondary gets the request only with proof that nothing was sent.
    expect(tried).toBe(unsent ? 2 : 1);
    expect(primary.read + secondary.read).toBe(fault === 'FIN at accept' ? 0 : 1);
    expect(fact.kind).toBe(unsent || fault === 'slow' ? 'accepted' : 'notAnswered');
  });

  it.each(faults)('when the primary is refused and the secondary fails by: %s', async (fault) => {
    const [primary, elsewhere] = [await start('refused'), await start('healthy')];
    const secondary = await start(fault, () => elsewhere.url);
    const { fact } = await dial(provider(method, primary, secondary), request, limitsFor(fault));
    expect(secondary.read + elsewhere.read).toBeLessThanOrEqual(1);
    expect(elsewhere.read).toBe(0);
    expect(fact.kind).toBe(
      provenUnsent.has(fault) ? 'notSent' : fault === 'slow' ? 'accepted' : 'notAnswered',
    );
  });
});

describe('a reply cut off at any byte', () => {
  it('never makes the secondary dial too', async () => {
    const secondary = await start('healthy');
    for (let bytes = 0; bytes < wholeAnswer.length; bytes += 3) {
      const primary = await startCutAddress(bytes);
      const { fact } = await dial(provider('post', primary, secondary), request, limitsFor());
      await primary.stop();
      expect([bytes, fact.kind, primary.read]).toEqual([bytes, 'notAnswered', 1]);
    }
    expect(secondary.read).toBe(0);
  });
});

describe('the error of a failed dial', () => {
  it.each([
    ['refused', 'unreachable'],
    ['DNS failure', 'notFound'],
    ['TLS never completes', 'unreachable'],
    ['no answer', 'noAnswerInTime'],
    ['reset after reading', 'connectionLost'],
    ['garbage', 'unreadableReply'],
    ['redirect', 'redirected'],
    ['502', 'notJson'],
  ] as const)('names %s as %s', async (fault, code) => {
    const { fact } = await dial(provider('post', await start(fault)), request, limitsFor(fault));
    expect(fact).toMatchObject({ error: { code } });
  });
});
