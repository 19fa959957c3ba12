/** No call reaches the provider for a number that is listed, in 100,000 ways to dial it. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dialledInManyWays } from '../../testing/numbers/listed-numbers.ts';
import { newClick, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';

const numbers = 500;
const waysOfEach = 100;
const atOnce = 20;

let provider: FakeProvider;
let relay: TestRelay;
beforeAll(async () => {
  provider = await startFakeProvider();
  const settings = { PROVIDER_URL: provider.url, PROVIDER_TOKEN: 't', DIAL_OUTSIDE_PREFIX: '7' };
  relay = await startTestRelay({ COUNTRY: 'BR', ...settings });
});
afterAll(async () => {
  await relay?.stop();
  await provider?.close();
});

it('refuses them all, with or without the prefix for an outside line', { timeout: 1_800_000 }, async () => {
  const agent = await relay.agent('1105');
  const place = (to: string) => relay.ask('/v1/calls', { as: agent, body: { to }, headers: newClick() });
  const waiting: string[] = [];
  for (const { e164, dialled } of fc.sample(dialledInManyWays('BR', waysOfEach), numbers)) {
    const listed = await relay.ask('/v1/rules/do-not-call', { as: agent, body: { number: e164 } });
    expect([200, 201]).toContain(listed.status);
    waiting.push(...dialled.flatMap((to) => [to, `7${to}`]));
  }
  expect(waiting).toHaveLength(100_000);
  const codes = new Map<string, string>();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let to = waiting.pop(); to !== undefined; to = waiting.pop()) {
        const { status, body } = await place(to);
        codes.set(`${status} ${body.code}`, to);
      }
    }),
  );
  // Some forms may also reach a premium number.
  const refusals = ['403 doNotCall', '403 numberNotAllowed'];
  expect([...codes].filter(([answer]) => !refusals.includes(answer))).toEqual([]);
  expect(provider.received).toEqual([]);
});
