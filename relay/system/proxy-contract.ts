/** What every proxy set up as `docs/deploy` has it must do for the relay behind it, as tests that run on each. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  announce,
  ask,
  hangup,
  readEvents,
  startTestRelay,
  type TestRelay,
  temporaryFolder,
} from '../../testing/relay/test-relay.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import type { Child } from '../../tools/child.ts';

export interface ProxySetup {
  /** For its configuration and whatever it writes. */
  folder: Awaited<ReturnType<typeof temporaryFolder>>;
  /** Where it listens, on loopback. */
  port: number;
  relayPort: number;
}

/**
 * Seconds that a proxy under test waits for a byte of the relay: a stream whose comments do not pass is cut within the test,
 * one whose comments come as promised (design 4) is not.
 */
export const impatience = 15;

/** @param accessLog its file in the folder; what it writes to its own output is read, too. */
export function describeProxy(
  name: string,
  start: (setup: ProxySetup) => Promise<Child>,
  accessLog: string,
): void {
  let folder: ProxySetup['folder'];
  let relay: TestRelay;
  let proxy: Child;
  let outside: string;
  let agent: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    relay = await startTestRelay({ TRUSTED_PROXIES: '127.0.0.1', MAX_FAILED_REQUESTS_PER_MINUTE: '3' });
    const port = await freePort();
    outside = `http://127.0.0.1:${port}`;
    proxy = await start({ folder, port, relayPort: Number(new URL(relay.url).port) });
    agent = await relay.agent('1105');
  });
  afterAll(async () => {
    await relay?.stop();
    await proxy?.stop();
    await folder?.remove();
  });

  /** The relay's answer to a wrong key that comes from this address. */
  const guess = async (localAddress: string, headers: Record<string, string> = {}) => {
    const asked = request(`${outside}/v1/calls`, {
      localAddress,
      headers: { authorization: 'Bearer wrong', ...headers },
    }).end();
    const [response] = await once(asked, 'response');
    await text(response);
    return response.statusCode as number;
  };

  describe(`the relay behind ${name} as documented`, () => {
    it('pushes an event at once, without buffering on the way', async () => {
      const reader = await readEvents(outside, agent);
      // Each is written only after the one before was read: one that is held back would hold up everything.
      for (let n = 0; n < 5; n++) {
        const { path } = await announce(outside, agent);
        await reader.until(2 * n + 1);
        await ask(outside, path, { body: hangup() });
        await reader.until(2 * n + 2);
      }
      reader.close();
    });

    it('keeps an idle stream open beyond the time-out of the proxy', async () => {
      const reader = await readEvents(outside, agent);
      const over = reader.ended.then(() => 'over');
      const waited = new Promise((resolve) => setTimeout(resolve, (impatience + 2) * 1000, 'open'));
      expect(await Promise.race([over, waited])).toBe('open');
      const before = reader.frames.length;
      await announce(outside, agent);
      await reader.until(before + 1);
      reader.close();
    });

    it('identifies the client despite forged headers', async () => {
      const [guesser, other] = ['127.0.0.2', '127.0.0.3'] as const;
      const statuses = [];
      for (let n = 0; n < 4; n++)
        statuses.push(await guess(guesser, { 'x-forwarded-for': `${other}, 203.0.113.${n}` }));
      expect(statuses).toEqual([401, 401, 401, 429]);
      expect(await guess(other)).toBe(401);
    });

    it('rejects a body above the limit', async () => {
      const { path } = await announce(outside, agent);
      for (const size of [70_000, 1_000_000])
        expect((await ask(outside, path, { body: hangup({ x: 'x'.repeat(size) }) })).status).toBe(413);
    });

    it('does not expose metrics', async () => {
      expect((await ask(outside, '/metrics')).status).toBe(404);
    });

    // Last, since it ends the relay.
    it('keeps capabilities out of every log, also while the relay is down', async () => {
      const { path } = await announce(outside, agent);
      expect((await ask(outside, path, { body: hangup() })).status).toBe(200);
      await relay.stop();
      expect((await ask(outside, path, { body: hangup() })).status).toBe(502);
      await proxy.stop();
      const access = await folder.read(accessLog);
      expect(access.match(/\/h\/v1\/\[hidden\]/g)?.length).toBeGreaterThanOrEqual(2);
      expect(access + proxy.output()).not.toContain(path.split('.').at(-1)!);
      expect(access + proxy.output()).not.toContain(agent);
    });
  });
}
