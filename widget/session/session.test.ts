import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Call, newCall, newCallId } from '../../shared/call/call.ts';
import { WidgetError } from '../widget-error.ts';
import { openSession, type Session } from './session.ts';
import type { TicketSupplier } from './ticket.ts';

const ticket = { text: 'ticket', subject: 'agent', mayHangUp: true };
const call: Call = newCall({ id: newCallId(), from: '1105', to: '48', now: '2026-11-21T10:00:00.000Z' });

/** As the browser's, but messages arrive synchronously. */
class Channel {
  static open = new Set<Channel>();
  onmessage: ((event: { data: unknown }) => void) | undefined;
  constructor(readonly name: string) {
    Channel.open.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of Channel.open)
      if (other !== this && other.name === this.name) other.onmessage?.({ data: structuredClone(data) });
  }
  close(): void {
    Channel.open.delete(this);
  }
}

/** The queue for the lock: each gets it when the test calls its function. */
const waiting: (() => void)[] = [];
const locks = {
  request: async (_name: string, _options: unknown, work: () => Promise<void>) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    await work();
  },
};

const sessions: Session[] = [];
let stopRelay: () => void;
let relay: string;
beforeEach(async () => {
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('addEventListener', () => {});
  const server = createServer((request, response) => {
    if (request.url !== '/v1/events')
      return void response.setHeader('content-type', 'application/json').end('{"calls":[]}');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    // A reader with the cursor has it already.
    if (!request.headers['last-event-id'])
      response.write(`id: e-1\nevent: call\ndata: ${JSON.stringify(call)}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  relay = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stopRelay = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.close();
  stopRelay();
  waiting.length = 0;
  Channel.open.clear();
  vi.unstubAllGlobals();
});

const open = (getTicket: TicketSupplier = async () => ticket) => {
  const session = openSession(relay, getTicket, () => {});
  sessions.push(session);
  return session;
};
const waitOptions = { timeout: 60_000, interval: 5 };

describe('a session', () => {
  it('has the calls of the other tabs when it opens between two leaders', async () => {
    const first = open();
    await vi.waitFor(() => expect(waiting).toHaveLength(1), waitOptions);
    waiting.shift()!();
    await vi.waitFor(() => expect(first.snapshot).toMatchObject({ calls: [call], ready: true }), waitOptions);
    const second = open();
    await vi.waitFor(
      () => expect(second.snapshot).toMatchObject({ calls: [call], ready: true }),
      waitOptions,
    );

    first.close();
    await vi.waitFor(() => expect(Channel.open.size).toBe(1), waitOptions);
    // There is no leader to reply to it.
    const third = open();
    await vi.waitFor(() => expect(waiting).toHaveLength(2), waitOptions);
    waiting.shift()!();
    await vi.waitFor(() => expect(third.snapshot.ready).toBe(true), waitOptions);
    expect(third.snapshot.calls).toEqual([call]);
  });

  it('reconnects at once after a retry during a failing attempt', async () => {
    let requests = 0;
    let fail: () => void = () => {};
    const session = open(async () => {
      if (++requests === 3) return ticket;
      if (requests === 2) await new Promise<void>((resolve) => (fail = resolve));
      throw new WidgetError('unavailable', 'away');
    });
    await vi.waitFor(() => expect(session.snapshot.connection.name).toBe('down'), waitOptions);
    session.retry();
    await vi.waitFor(() => expect(requests).toBe(2), waitOptions);
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => 0 as never);
    session.retry();
    fail();
    for (let turn = 0; turn < 100 && requests < 3; turn++)
      await new Promise((resolve) => setImmediate(resolve));
    vi.mocked(setTimeout).mockRestore();
    expect(requests).toBe(3);
  });
});
