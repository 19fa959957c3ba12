/** A change of the list races a click, and agents race for one number: on one relay, and on two relays that share a Redis. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newClick, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';
import { startRedis } from '../../testing/servers/redis-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const races = 1000;
const secret = 'x'.repeat(40);
const folder = await temporaryFolder();
const redis = await startRedis();
const provider: FakeProvider = await startFakeProvider();
afterAll(async () => {
  await redis.stop();
  await provider.close();
  await folder.remove();
});

const stores: [name: string, store: string, relays: number][] = [
  ['one relay on SQLite', `sqlite:${folder.file('races.db')}`, 1],
  ['two relays on Redis', redis.url, 2],
];

describe.each(stores)('on %s', (_name, store, count) => {
  const relays: TestRelay[] = [];
  beforeAll(async () => {
    for (let n = 0; n < count; n++)
      relays.push(
        await startTestRelay({
          COUNTRY: 'BR',
          STORE: store,
          SECRET: secret,
          PROVIDER_URL: provider.url,
          PROVIDER_TOKEN: 't',
          MAX_CALLS_PER_DAY: '1000000',
        }),
      );
  });
  afterAll(() => Promise.all(relays.map((relay) => relay.stop())));

  const call = (relay: TestRelay, as: string, to: string) =>
    relay.ask('/v1/calls', { as, body: { to }, headers: newClick() });

  it('dials a number never again once its entry is acknowledged', { timeout: 900_000 }, async () => {
    const [here, there] = [relays[0]!, relays.at(-1)!];
    const agent = await here.agent('1105');
    const first = provider.received.length;
    let placed = 0;
    for (let race = 0; race < races; race++) {
      const to = `48${32_000_000 + race}`;
      const listing = here.ask('/v1/rules/do-not-call', { as: agent, body: { number: to } });
      const racing = call(there, agent, `015${to}`);
      const listed = await listing;
      // Sent after the acknowledgement, while the click that raced may still be on its way.
      const late = await call(there, agent, to);
      expect([listed.status, late.status, late.body.code]).toEqual([201, 403, 'doNotCall']);
      if ((await racing).status === 201) placed++;
    }
    expect(provider.received.length - first).toBe(placed);
  });

  it('gives a number to one agent of many that click at once', { timeout: 900_000 }, async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        relays[0]!.member(`20${10 + n}`, { name: `Agent ${n}`, team: 'sales' }),
      ),
    );
    for (let race = 0; race < races / 10; race++) {
      const to = `48${33_000_000 + race}`;
      const before = provider.received.length;
      const answers = await Promise.all(keys.map((key, n) => call(relays[n % relays.length]!, key, to)));
      const counts = [201, 409].map((status) => answers.filter((answer) => answer.status === status).length);
      expect([to, ...counts, provider.received.length - before]).toEqual([to, 1, keys.length - 1, 1]);
    }
  });
});
