import type { ServerResponse } from 'node:http';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { Call } from '../../shared/call/call.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { until } from '../../testing/until.ts';
import { Metrics } from '../metrics.ts';
import { openMemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { EventStream } from './event-stream.ts';
import { Hub } from './hub.ts';
import { joinStream } from './join-stream.ts';

const metrics = new Metrics();
const log = pino({ level: 'silent' });

/** A response that keeps what is written, with the members of Node's that a stream reads. */
function fakeResponse() {
  const written: string[] = [];
  const response = {
    writableLength: 0,
    writableEnded: false,
    destroyed: false,
    writableNeedDrain: false,
    socket: null,
    write: (bytes: Buffer) => written.push(bytes.toString()),
    end: () => {
      response.writableEnded = true;
    },
    destroy: () => {
      response.destroyed = true;
    },
  };
  return { written, response: response as unknown as ServerResponse };
}

function read(written: readonly string[]) {
  const events: { id: string; event: string; call: Call }[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => events.push({ id: id!, event: event!, call: JSON.parse(data) as Call }),
  });
  for (const text of written) parser.feed(text);
  return events;
}

const place = async (store: Store, channel: string) => {
  const intent = clientIntent(channel);
  await store.calls.place(intent);
  return intent.call;
};

describe('the seam from history to live events', () => {
  it('neither loses, repeats nor reorders an event, whenever a reader joins', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        fc.nat(),
        async (scheduler, before, during, withCursor, cut) => {
          const real = openMemoryStore();
          // Every answer of the store arrives when the scheduler says so, and so does every event at the hub.
          const store: Store = {
            ...real,
            calls: {
              ...real.calls,
              eventsAfter: (channels, seq) => scheduler.schedule(real.calls.eventsAfter(channels, seq, 2)),
              listOpen: (channels) => scheduler.schedule(real.calls.listOpen(channels)),
            },
          };
          const hub = new Hub(store);
          real.onEvents((events) => hub.publish(events));
          const expected: string[] = [];
          for (let n = 0; n < before; n++) expected.push((await place(real, 'a')).id);
          const known = withCursor ? cut % (before + 1) : 0;

          const { written, response } = fakeResponse();
          const stream = new EventStream(
            response,
            {
              kind: 'agent',
              keyId: 'k',
              callers: ['a'],
              rights: [],
              sees: { record: true, wrapUp: true, names: true },
            },
            Infinity,
            () => {},
          );
          const publishing = scheduler.scheduleSequence(
            Array.from({ length: during }, () => async () => {
              expected.push((await place(real, 'a')).id);
              await place(real, 'b');
            }),
          );
          const joining = scheduler
            .schedule(Promise.resolve())
            .then(() =>
              joinStream(
                stream,
                withCursor ? `${real.epoch}-${known}` : undefined,
                { hub, store, metrics, log },
                () => {},
              ),
            );
          await scheduler.waitFor(Promise.all([publishing.task, joining]));

          const got = read(written);
          expect(got.map(({ call }) => call.id)).toEqual(expected.slice(known));
          const sequence = got.map(({ id }) => Number(id.split('-')[1]));
          expect(sequence).toEqual([...new Set(sequence)].sort((a, b) => a - b));
          hub.endAll();
          await real.close();
        },
      ),
      { numRuns: 2000 },
    );
  });
});

it.each([
  ['the relay stops', 503, 'stopping', (relay: TestRelay) => void relay.stop()],
  [
    'its key is revoked',
    401,
    'unauthorized',
    async ({ store }: TestRelay) => {
      const [key] = await store.keys.list();
      await store.keys.revoke(key!.id, new Date().toISOString());
    },
  ],
])('a stream that is being opened while %s gets %i', async (_what, status, code, interrupt) => {
  const relay = await startTestRelay({});
  const as = await relay.agent('1105');
  await relay.ask('/v1/calls', { as });
  const { calls } = relay.store;
  let goOn = () => {};
  const wait = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const listOpen = calls.listOpen.bind(calls);
  const read = vi.spyOn(calls, 'listOpen').mockImplementationOnce(async (channels) => {
    await wait;
    return listOpen(channels);
  });
  const opening = relay.ask('/v1/events', { as, headers: { accept: 'text/event-stream' } });
  await until(() => read.mock.calls.length > 0, 'the read');
  await interrupt(relay);
  goOn();
  const answer = await opening;
  expect([answer.status, answer.body?.code]).toEqual([status, code]);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  await relay.stop();
});
