import type { ServerResponse } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { openMemoryStore } from '../store/memory-store.ts';
import { heartbeat } from './event-bytes.ts';
import { EventStream } from './event-stream.ts';
import { Hub } from './hub.ts';

afterEach(() => void vi.restoreAllMocks());

it('beats every heart as promised on a machine whose timers are always late', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let tick = () => {};
  vi.spyOn(globalThis, 'setInterval').mockImplementation((callback) => {
    tick = callback as () => void;
    return setTimeout(() => {}, 0);
  });
  const store = openMemoryStore();
  const hub = new Hub(store);
  const lastBeat = Array.from({ length: 250 }, () => 0);
  let longest = 0;
  for (const nth of lastBeat.keys()) {
    const response = {
      write(bytes: Buffer) {
        if (bytes !== heartbeat) return;
        longest = Math.max(longest, now - lastBeat[nth]!);
        lastBeat[nth] = now;
      },
    } as unknown as ServerResponse;
    const reader = {
      kind: 'agent' as const,
      keyId: 'k',
      team: undefined,
      callers: ['a'],
      rights: [],
      sees: { record: true, wrapUp: true, names: true },
    };
    const stream = new EventStream(response, reader, Number.POSITIVE_INFINITY, () => {});
    stream.open();
    hub.add(stream);
  }
  // Half as late again as it was asked for, each time, for a minute.
  for (; now < 60_000; now += 150) tick();
  expect(Math.min(...lastBeat)).toBeGreaterThan(45_000);
  expect(longest).toBeGreaterThan(9_000);
  expect(longest).toBeLessThan(12_000);

  // A machine that slept an hour beats each heart once, not three hundred times.
  longest = 0;
  now += 3_600_000;
  const before = [...lastBeat];
  tick();
  expect(lastBeat.every((at, nth) => at > before[nth]!)).toBe(true);
  expect(longest).toBeGreaterThan(3_600_000);
  await store.close();
});
