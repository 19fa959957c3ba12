import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hourMs } from '../../shared/durations.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import { stopProcess } from '../../testing/stop-process.ts';
import { dial } from './dial-with-failover.ts';

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

  it.each(faults)('when the primary is refused, then the secondary fails by: %s', async (fault) => {
    const elsewhere = await start('healthy');
    const secondary = await start(fault, () => elsewhere.url);
    // Last: a server that starts later may be given the port that refuses.
    const primary = await start('refused');
    const { fact } = await dial(provider(method, primary, secondary), request, limitsFor(fault));
    expect(secondary.read + elsewhere.read).toBeLessThanOrEqual(1);
    expect(elsewhere.read).toBe(0);
    expect(fact.kind).toBe(
      provenUnsent.has(fault) ? 'notSent' : fault === 'slow' ? 'accepted' : 'notAnswered',
    );
  });
});

it('sends nothing where the connection came an hour late, as to a paused machine', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const [primary, secondary] = [await start('healthy'), await start('healthy')];
    const dialled = dial(provider('post', primary, secondary), request, limitsFor());
    vi.setSystemTime(Date.now() + hourMs);
    expect(await dialled).toMatchObject({ fact: { kind: 'notSent', error: { code: 'unreachable' } } });
    expect(primary.read + secondary.read).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('takes a reply that came while the process was stopped for longer than it may take', async () => {
  const address = await listen(
    afterRequest((socket) => socket.write(wholeAnswer, () => stopProcess(1500))),
    'http',
  );
  open.push(address);
  const limits = { connectTimeoutMs: 500, answerTimeoutMs: 500 };
  expect((await dial(provider('post', address), request, limits)).fact.kind).toBe('accepted');
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

/** Addresses of the service that break in one particular way. Each counts the whole requests that it read. */

interface FaultyAddress {
  url: string;
  /** Whole requests read. */
  read: number;
  stop(): Promise<void>;
}

type Behaviour = (socket: Socket, address: FaultyAddress) => void;

const trying = JSON.stringify({
  status: 'OK',
  callstatus: 'Trying',
  message: 'Call in Progress',
  callid: 'c1',
});
const head = (status: string, type: string, length: number, more = '') =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n${more}\r\n`;
const wholeAnswer = head('200 OK', 'application/json', trying.length) + trying;

/** After a whole request: head, and as many bytes of body as it announces. */
const afterRequest =
  (act: (socket: Socket) => void): Behaviour =>
  (socket, address) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      text = '';
      address.read += 1;
      act(socket);
    });
  };

/** What goes wrong -> how. `elsewhere` is where a redirect points. */
const behaviours = (elsewhere: () => string) =>
  ({
    'reset at accept': (socket) => socket.resetAndDestroy(),
    'TLS never completes': (socket) => socket.resume(),
    'FIN at accept': (socket) => socket.end(),
    'reset after reading': afterRequest((socket) => socket.resetAndDestroy()),
    'no answer': afterRequest(() => {}),
    'half an answer': afterRequest((socket) => socket.end(wholeAnswer.slice(0, -20))),
    garbage: afterRequest((socket) => socket.write('this is no HTTP\r\n\r\n')),
    '502': afterRequest((socket) => socket.end(`${head('502 Bad Gateway', 'text/html', 13)}<h1>502</h1>\n`)),
    redirect: afterRequest((socket) =>
      socket.end(head('307 Temporary Redirect', 'text/plain', 0, `location: ${elsewhere()}/call\r\n`)),
    ),
    slow: afterRequest((socket) => setTimeout(() => socket.end(wholeAnswer), 100)),
    healthy: afterRequest((socket) => socket.end(wholeAnswer)),
  }) satisfies Record<string, Behaviour>;

const faults = [
  'refused',
  'DNS failure',
  'accept queue full',
  'reset at accept',
  'TLS never completes',
  'FIN at accept',
  'reset after reading',
  'no answer',
  'half an answer',
  'garbage',
  '502',
  'redirect',
  'slow',
] as const;
type Fault = (typeof faults)[number];

/** Faults that leave proof that nothing was sent. */
const provenUnsent: ReadonlySet<Fault> = new Set<Fault>([
  'refused',
  'DNS failure',
  'accept queue full',
  'reset at accept',
  'TLS never completes',
]);

async function startAddress(
  fault: Fault | 'healthy',
  elsewhere: () => string = () => 'http://127.0.0.1:9',
): Promise<FaultyAddress> {
  if (fault === 'refused')
    return { url: `http://127.0.0.1:${await freePort()}`, read: 0, stop: async () => {} };
  if (fault === 'DNS failure') return { url: 'http://no-such-name.invalid', read: 0, stop: async () => {} };
  if (fault === 'accept queue full') return fullQueue();
  return listen(behaviours(elsewhere)[fault], fault === 'TLS never completes' ? 'https' : 'http');
}

/** Reads the request, sends so many bytes of a good answer, and resets. */
function startCutAddress(bytes: number): Promise<FaultyAddress> {
  return listen(
    afterRequest((socket) =>
      bytes === 0
        ? socket.resetAndDestroy()
        : socket.write(wholeAnswer.slice(0, bytes), () => setImmediate(() => socket.resetAndDestroy())),
    ),
    'http',
  );
}

async function listen(behaviour: Behaviour, scheme: 'http' | 'https'): Promise<FaultyAddress> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    behaviour(socket, address);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: FaultyAddress = {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    read: 0,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return address;
}

/** A thread listens and then never looks again, while its queue is filled: the next connection waits for ever. */
async function fullQueue(): Promise<FaultyAddress> {
  // It stands still in the very task that posts its port: whatever connects from then on is never accepted.
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer();
     server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const [port] = (await once(worker, 'message')) as [number];
  // The queue takes one more than its backlog, in order of arrival; whatever comes after these waits.
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(fillers.slice(0, 2).map((filler) => once(filler, 'connect')));
  return {
    url: `http://127.0.0.1:${port}`,
    read: 0,
    stop: async () => {
      for (const filler of fillers) filler.destroy();
      await worker.terminate();
    },
  };
}
