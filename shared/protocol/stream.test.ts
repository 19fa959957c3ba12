import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { serveHttp } from '../../testing/servers/serve-http.ts';
import { type Call, newCall, newCallId } from '../call/call.ts';
import { type FollowOptions, followEvents, type StreamState } from './stream.ts';

/** A relay of one's own making, for what a real one never does. */
async function startFakeRelay(
  answer: (request: IncomingMessage, response: ServerResponse, nth: number) => void,
) {
  const requests: { cursor: string | undefined; authorization: string | undefined }[] = [];
  const service = await serveHttp((request, response) => {
    const { authorization, 'last-event-id': cursor } = request.headers;
    const nth = requests.push({ cursor: cursor as string | undefined, authorization }) - 1;
    answer(request, response, nth);
  });
  return { ...service, requests };
}

const open = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
const aCall = (): Call =>
  newCall({ id: newCallId(), from: '1105', to: '48', now: '2026-11-21T10:00:00.000Z' });
const frame = (id: string, call: Call) => `id: ${id}\nevent: call\ndata: ${JSON.stringify(call)}\n\n`;

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Follows until `enough` says so; what was seen on the way. */
async function follow(
  relay: Awaited<ReturnType<typeof startFakeRelay>>,
  enough: (seen: { calls: Call[]; states: StreamState[]; resets: number }) => boolean,
  options: Partial<FollowOptions> = {},
) {
  const seen = { calls: [] as Call[], cursors: [] as string[], states: [] as StreamState[], resets: 0 };
  const stop = new AbortController();
  cleanUps.push(
    () => void relay.close(),
    () => stop.abort(),
  );
  const check = () => enough(seen) && stop.abort();
  await followEvents({
    relay: relay.url,
    authorization: async () => 'credential',
    signal: stop.signal,
    random: () => 0,
    onCall: (call, cursor) => {
      seen.calls.push(call);
      seen.cursors.push(cursor);
      check();
    },
    onReset: () => {
      seen.resets++;
    },
    onState: (state) => {
      seen.states.push(state);
      check();
    },
    ...options,
  });
  return seen;
}

describe('following the stream', () => {
  it('reports events other than calls with their data, or without it where that is not JSON', async () => {
    const seen: unknown[] = [];
    const call = aCall();
    const relay = await startFakeRelay((_request, response) => {
      open(response);
      response.write('event: names\ndata: {"epoch":"7"}\n\nevent: rules\ndata: {\n\n');
      response.write(frame('e-1', call));
    });
    await follow(relay, ({ calls }) => calls.length === 1, {
      onOther: (event, data) => void seen.push([event, data]),
    });
    expect(seen).toEqual([
      ['names', { epoch: '7' }],
      ['rules', undefined],
    ]);
  });

  it('reports every call in order, then reconnects with the cursor of the last one', async () => {
    const [first, second, third] = [aCall(), aCall(), aCall()];
    const relay = await startFakeRelay((_request, response, nth) => {
      open(response);
      if (nth === 0) response.end(frame('e-1', first) + frame('e-2', second));
      else response.write(frame('e-3', third));
    });
    const seen = await follow(relay, ({ calls }) => calls.length === 3);
    expect(seen.calls).toEqual([first, second, third]);
    expect(relay.requests.map(({ cursor }) => cursor)).toEqual([undefined, 'e-2']);
    expect(relay.requests[0]!.authorization).toBe('Bearer credential');
  });

  it('moves the cursor only after the caller has handled the call', async () => {
    const relay = await startFakeRelay((_request, response, nth) => {
      open(response);
      if (nth === 0) response.write(`${frame('e-1', aCall())}${frame('e-2', aCall())}`);
    });
    let handled = 0;
    await follow(relay, () => relay.requests.length > 1, {
      onCall: async () => {
        if (++handled === 1) return;
        throw new Error('could not be written');
      },
    });
    expect(relay.requests[1]!.cursor).toBe('e-1');
  });

  it('restarts after a reset', async () => {
    const relay = await startFakeRelay((_request, response) => {
      open(response);
      response.write(`id: n-0\nevent: reset\ndata: {}\n\n${frame('n-1', aCall())}`);
    });
    const seen = await follow(relay, ({ calls }) => calls.length === 1, { cursor: 'old-9' });
    expect(relay.requests[0]!.cursor).toBe('old-9');
    expect(seen.resets).toBe(1);
    expect(seen.cursors).toEqual(['n-1']);
  });

  it('reconnects at the position of the stream, though no call has come yet', async () => {
    const call = aCall();
    const relay = await startFakeRelay((_request, response, nth) => {
      open(response);
      if (nth === 0) response.end(': cursor e-7\nid: e-7\n\n');
      else response.write(frame('e-8', call));
    });
    const seen = await follow(relay, ({ calls }) => calls.length === 1);
    expect(relay.requests.map(({ cursor }) => cursor)).toEqual([undefined, 'e-7']);
    expect(seen.calls).toEqual([call]);
  });

  it('requests a new credential after a refusal', async () => {
    const asked: boolean[] = [];
    const relay = await startFakeRelay((_request, response, nth) => {
      if (nth === 0) response.writeHead(401).end();
      else open(response);
    });
    await follow(relay, ({ states }) => states.at(-1)?.name === 'open', {
      authorization: async (refused) => {
        asked.push(refused);
        return refused ? 'fresh' : 'stale';
      },
    });
    expect(asked).toEqual([false, true]);
    expect(relay.requests.map(({ authorization }) => authorization)).toEqual([
      'Bearer stale',
      'Bearer fresh',
    ]);
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['answers 503', (response) => response.writeHead(503).end(), 'refused'],
    [
      'answers a web page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'notAStream',
    ],
    [
      'sends something that is no Call',
      (response) => {
        open(response);
        response.write('id: 1\nevent: call\ndata: {"id":1}\n\n');
      },
      'garbage',
    ],
    [
      'sends what is not JSON',
      (response) => {
        open(response);
        response.write('id: 1\nevent: call\ndata: {\n\n');
      },
      'garbage',
    ],
    [
      'never ends a frame',
      (response) => {
        open(response);
        response.write(`data: ${'x'.repeat(400_000)}`);
      },
      'garbage',
    ],
    [
      'sends one huge frame',
      (response) => {
        open(response);
        response.write(`id: 1\nevent: call\ndata: ${'x'.repeat(400_000)}\n\n`);
      },
      'garbage',
    ],
    ['cuts the connection', (response) => void response.destroy(), 'offline'],
  ])('reports the fault of a relay that %s, then reconnects', async (_name, answer, why) => {
    const relay = await startFakeRelay((_request, response, nth) =>
      nth < 2 ? answer(response) : open(response),
    );
    const seen = await follow(
      relay,
      ({ states }) => states.at(-1)?.name === 'open' && relay.requests.length === 3,
    );
    const waits = seen.states.filter((state) => state.name === 'waiting');
    expect(waits.map((wait) => wait.why)).toEqual([why, why]);
    expect(waits[1]!.retryIn).toBeGreaterThan(waits[0]!.retryIn);
    expect(seen.calls).toEqual([]);
  });

  it('ends when the signal aborts, in any state', async () => {
    const relay = await startFakeRelay((_request, response) => open(response));
    const seen = await follow(relay, ({ states }) => states.at(-1)?.name === 'open');
    expect(seen.states.map(({ name }) => name)).toEqual(['connecting', 'open']);
  });
});
