import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Call, newCall, newCallId } from '../../shared/call/call.ts';
import { eventually } from '../../testing/eventually.ts';
import { WidgetError } from '../widget-error.ts';
import { type Notify, WidgetSession } from './session.ts';
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
    if (!Channel.open.has(this)) throw new DOMException('The channel is closed.', 'InvalidStateError');
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

const sessions: WidgetSession[] = [];
let stopRelay: () => void;
let dropStreams: () => void;
/** Status of the next event streams; 200 for a stream. */
let streamStatus: number;
let history: { status: number; calls: Call[] };
let relay: string;
beforeEach(async () => {
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('addEventListener', () => {});
  streamStatus = 200;
  history = { status: 200, calls: [] };
  const server = createServer((request, response) => {
    if (request.url !== '/v1/events')
      return void response
        .writeHead(history.status, { 'content-type': 'application/json' })
        .end(history.status === 200 ? JSON.stringify({ calls: history.calls }) : '{}');
    if (streamStatus !== 200) return void response.writeHead(streamStatus).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    // A reader with the cursor has it already.
    if (!request.headers['last-event-id'])
      response.write(`id: e-1\nevent: call\ndata: ${JSON.stringify(call)}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  relay = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  dropStreams = () => server.closeAllConnections();
  stopRelay = () => {
    server.close();
    dropStreams();
  };
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.close();
  stopRelay();
  waiting.length = 0;
  Channel.open.clear();
  vi.unstubAllGlobals();
});

const open = (getTicket: TicketSupplier = async () => ticket, notify: Notify = () => {}) => {
  const session = new WidgetSession(relay, getTicket, notify);
  sessions.push(session);
  return session;
};

/** Gives out the lock until this session has its stream: an earlier test's session may still ask for it. */
const leads = (session: WidgetSession) =>
  eventually(() => {
    for (const give of waiting.splice(0)) give();
    expect(session.snapshot.connection.name).toBe('open');
  });

describe('a session', () => {
  it('has the calls of the other tabs when it opens between two leaders', async () => {
    const first = open();
    await eventually(() => expect(waiting).toHaveLength(1));
    waiting.shift()!();
    await eventually(() => expect(first.snapshot).toMatchObject({ calls: [call], ready: true }));
    const second = open();
    await eventually(() => expect(second.snapshot).toMatchObject({ calls: [call], ready: true }));

    first.close();
    await eventually(() => expect(Channel.open.size).toBe(1));
    // There is no leader to reply to it.
    const third = open();
    await eventually(() => expect(waiting).toHaveLength(2));
    waiting.shift()!();
    await eventually(() => expect(third.snapshot.ready).toBe(true));
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
    await eventually(() => expect(session.snapshot.connection.name).toBe('down'));
    session.retry();
    await eventually(() => expect(requests).toBe(2));
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => 0 as never);
    session.retry();
    fail();
    for (let turn = 0; turn < 100 && requests < 3; turn++)
      await new Promise((resolve) => setImmediate(resolve));
    vi.mocked(setTimeout).mockRestore();
    expect(requests).toBe(3);
  });

  it('reports that the site is not available when an expired ticket cannot be renewed', async () => {
    const errors: unknown[] = [];
    let isSiteDown = false;
    const session = open(
      async () => {
        if (isSiteDown) throw new WidgetError('unavailable', 'ticket-url: HTTP 503');
        return ticket;
      },
      (name, detail) => void (name === 'error' && errors.push(detail)),
    );
    await leads(session);
    isSiteDown = true;
    streamStatus = 401;
    dropStreams();
    await eventually(() =>
      expect(session.snapshot.connection).toEqual({ name: 'down', fault: 'unavailable' }),
    );
    expect(errors).not.toContainEqual(expect.objectContaining({ code: 'unauthorized' }));
    for (const { message } of errors as WidgetError[]) expect(message).not.toMatch(/undefined/);
  });

  it('asks ever less often for tickets that are refused, each with another subject', async () => {
    streamStatus = 401;
    const waits: number[] = [];
    const wait = setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) => {
      waits.push(ms);
      return wait(work, ms / 100);
    }) as typeof setTimeout);
    let requests = 0;
    open(async () => ({ ...ticket, subject: `${++requests}` }));
    await eventually(() => {
      for (const give of waiting.splice(0)) give();
      expect(requests).toBeGreaterThan(12);
    });
    vi.mocked(setTimeout).mockRestore();
    expect(Math.max(...waits.filter((ms) => ms < 40_000))).toBeGreaterThan(10_000);
  });

  it('has the call that was placed before it was closed', async () => {
    const session = open();
    await leads(session);
    session.close();
    await eventually(() => expect(Channel.open.size).toBe(0));
    const placed = { ...call, id: newCallId() };
    session.add(placed);
    expect(session.snapshot.calls).toContainEqual(placed);
  });

  it('reports ready again after an outage', async () => {
    const names: string[] = [];
    const session = open(undefined, (name) => void (name !== 'change' && names.push(name)));
    await leads(session);
    await eventually(() => expect(names).toContain('ready'));
    streamStatus = 503;
    dropStreams();
    await eventually(() => expect(session.snapshot.connection.name).toBe('down'));
    streamStatus = 200;
    session.retry();
    await eventually(() => expect(names.filter((name) => name === 'ready')).toHaveLength(2));
  });

  it('loads the history after an outage if its first request failed', async () => {
    const past = { ...call, id: newCallId() };
    history = { status: 503, calls: [past] };
    const session = open();
    await leads(session);
    await eventually(() => expect(session.snapshot).toMatchObject({ calls: [call], ready: true }));
    streamStatus = 503;
    dropStreams();
    await eventually(() => expect(session.snapshot.connection.name).toBe('down'));
    streamStatus = 200;
    history.status = 200;
    session.retry();
    await eventually(() => expect(session.snapshot.calls).toContainEqual(past));
  });

  it('leaves the loading of the history to the next tab if its own requests failed', async () => {
    const past = { ...call, id: newCallId() };
    history = { status: 503, calls: [past] };
    const first = open();
    await leads(first);
    const second = open();
    await eventually(() => expect(second.snapshot).toMatchObject({ calls: [call], ready: true }));
    history.status = 200;
    first.close();
    await leads(second);
    await eventually(() => expect(second.snapshot.calls).toContainEqual(past));
  });
});
