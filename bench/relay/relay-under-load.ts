/** The relay in its own process, with a key per channel and an announced call per expected message. */
import { makeApiKey } from '../../relay/access/api-key.ts';
import { makeCapability } from '../../relay/access/capability.ts';
import { Signer } from '../../relay/access/signer.ts';
import { readRelaySettings } from '../../relay/settings.ts';
import { startRelay } from '../../relay/start-relay.ts';
import { newCall, newCallId } from '../../shared/call/call.ts';

const secret = 'b'.repeat(40);
const relay = await startRelay(
  readRelaySettings({
    DIALMARK_LISTEN: '127.0.0.1:0',
    DIALMARK_STORE: process.env.BENCH_STORE!,
    DIALMARK_SECRET: secret,
    DIALMARK_LOG_LEVEL: 'warn',
  }),
);
const signer = new Signer([secret]);
const keys: Record<string, string> = {};
for (const channels = process.env.BENCH_CHANNELS!.split(','); channels.length > 0; )
  await Promise.all(
    channels.splice(0, 500).map(async (channel) => {
      const { key, stored } = makeApiKey(
        { kind: 'agent', name: '', origins: [], callers: [channel] },
        new Date(),
      );
      keys[channel] = key;
      await relay.store.keys.add(stored);
    }),
  );
globalThis.gc?.();
process.send!({ port: Number(new URL(relay.url).port), keys });

process.on('message', async (plan: string[]) => {
  const paths: string[] = [];
  const now = Date.now();
  for (let start = 0; start < plan.length; start += 1000)
    await Promise.all(
      plan.slice(start, start + 1000).map(async (channel, index) => {
        const call = newCall({
          id: newCallId(),
          from: channel,
          to: '4833224455',
          now: new Date(now).toISOString(),
        });
        paths[start + index] = `/h/v1/${makeCapability(signer, call.id, 3600, now)}`;
        await relay.store.calls.place({
          call,
          placedBy: 'client',
          owner: channel,
          idempotencyKey: call.id,
          fingerprint: 'bench',
          deadline: now + 3_600_000,
          tallies: [],
          now,
        });
      }),
    );
  globalThis.gc?.();
  process.send!(paths);
});
// Ends with its target, or with a bench that dies.
process.on('disconnect', () => process.exit());
