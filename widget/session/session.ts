/**
 * One agent's calls, followed by every tab and widget of this origin over one stream: the tab that holds the Web Lock reads the
 * relay's stream and broadcasts to the others, with the cursor, so that the next holder continues where it stopped. Lock and
 * channel are named by the ticket's subject, so that two agents never mix. A page that is not secure (plain http) has no Web
 * Locks: there every page has a stream of its own.
 */
import { Call } from '../../shared/call/call.ts';
import { followEvents, type StreamFault } from '../../shared/protocol/stream.ts';
import { type Fault, WidgetError } from '../widget-error.ts';
import { addCall } from './call-list.ts';
import { readJson } from './read-json.ts';
import { fetchWithTicket, type TicketSupplier } from './ticket.ts';

export type Connection = { name: 'connecting' | 'open' } | { name: 'down'; fault: Fault };

export interface Snapshot {
  calls: readonly Call[];
  connection: Connection;
  /** The history is loaded; from here on, every change of a call is an event. */
  ready: boolean;
  /** Whether the ticket has the right to hang up. */
  mayHangUp: boolean;
}

/** `change`: there is something new to render; the others are `dialmark:` events. */
export type Notify = (name: 'change' | 'call' | 'error' | 'ready', detail?: unknown) => void;

export interface Session {
  readonly snapshot: Snapshot;
  /** Reconnects at once instead of after the back-off. */
  retry(): void;
  /** Adds a call that this page placed itself. */
  add(call: Call): void;
  close(): void;
}

/** A message between tabs; `calls` are those that may be new. */
type Message = 'getState' | 'retry' | (Partial<Snapshot> & { cursor?: string | undefined });

const faultOf: Record<StreamFault, Fault> = {
  ended: 'offline',
  offline: 'offline',
  silent: 'offline',
  unauthorized: 'unauthorized',
  refused: 'unavailable',
  notAStream: 'notUnderstood',
  garbage: 'notUnderstood',
};
const backOffMs = (failures: number) => Math.min(30_000, 1000 * 2 ** failures) * (0.5 + Math.random() / 2);

/** @param relay base address without a slash at its end. */
export function openSession(relay: string, getTicket: TicketSupplier, notify: Notify): Session {
  const stop = new AbortController();
  /** Aborted to reconnect at once. */
  let attempt = new AbortController();
  let snapshot: Snapshot = { calls: [], connection: { name: 'connecting' }, ready: false, mayHangUp: false };
  let channel: BroadcastChannel | undefined;
  let isLeader = false;
  let cursor: string | undefined;
  let subject: string | undefined;
  let lastFault: string | undefined;

  const broadcast = (message: Message) => channel?.postMessage(message);

  const change = (part: Partial<Snapshot>) => {
    const becomesReady = part.ready && !snapshot.ready;
    snapshot = { ...snapshot, ...part };
    if (isLeader) broadcast({ connection: snapshot.connection, ready: snapshot.ready, cursor });
    notify('change');
    if (becomesReady) notify('ready', { calls: snapshot.calls });
  };

  const add = (call: Call, isEvent: boolean) => {
    const calls = addCall(snapshot.calls, call);
    if (calls === snapshot.calls) return;
    snapshot = { ...snapshot, calls };
    notify('change');
    if (isEvent) notify('call', call);
  };

  /** @param values newest first; checked, since another tab may have another version of this file. */
  const addAll = (values: readonly unknown[]) => {
    for (const call of values.map(readCall).reverse()) add(call, snapshot.ready);
  };

  /** A repeated fault is reported once. */
  const reportError = (error: WidgetError) => {
    if (error.code !== lastFault) notify('error', error);
    lastFault = error.code;
  };

  const fail = (error: WidgetError) => {
    change({ connection: { name: 'down', fault: error.code as Fault } });
    reportError(error);
  };

  const pause = (ms: number, signal: AbortSignal) =>
    new Promise<unknown>((resolve) => {
      // "Try now" was pressed while the attempt was still failing.
      if (signal.aborted) return resolve(0);
      setTimeout(resolve, ms);
      signal.addEventListener('abort', resolve);
    });

  const retry = () => {
    if (snapshot.connection.name !== 'down') return;
    attempt.abort();
    broadcast('retry');
  };

  const receive = (message: Message) => {
    if (message === 'getState') return isLeader && broadcast({ ...snapshot, cursor });
    if (message === 'retry') return isLeader && attempt.abort();
    const { calls = [], connection, ready } = message;
    cursor = message.cursor ?? cursor;
    addAll(calls);
    if (isLeader || !connection) return;
    change({ connection, ready: ready || snapshot.ready });
    if (connection.name === 'down') reportError(new WidgetError(connection.fault, 'another tab'));
  };

  /** Retries until it succeeds: the stream alone does not bring calls that have ended. */
  const loadHistory = async (signal: AbortSignal) => {
    for (let failures = 0; !signal.aborted; ) {
      try {
        const response = await fetchWithTicket(await getTicket(), `${relay}/v1/calls?limit=20`, signal);
        const { calls } = (await readJson(response)) as { calls: unknown[] };
        addAll(calls);
        broadcast({ calls: snapshot.calls });
        return change({ ready: true });
      } catch (error) {
        if (signal.aborted) return;
        reportError(new WidgetError('notUnderstood', `history: ${error}`));
        change({ ready: true });
        await pause(backOffMs(failures++), signal);
      }
    }
  };

  const stream = (signal: AbortSignal, onOtherSubject: () => void) => {
    let needsHistory = false;
    return followEvents({
      relay,
      cursor,
      signal,
      async authorization(isPreviousRejected) {
        const ticket = await getTicket(isPreviousRejected);
        if (ticket.subject === subject) return ticket.text;
        onOtherSubject();
        throw 0;
      },
      onCall(call, at) {
        cursor = at;
        lastFault = undefined;
        add(call, true);
        broadcast({ calls: [call], cursor });
      },
      onReset() {
        cursor = undefined;
        void loadHistory(signal);
      },
      onState(state) {
        // With a cursor the stream brings everything since; without one, only the calls still open.
        if (state.name === 'connecting') needsHistory = !cursor || !snapshot.ready;
        if (state.name === 'open') {
          change({ connection: { name: 'open' } });
          // Only now: what happens from here on comes over the stream, so nothing is missed in between.
          if (needsHistory) void loadHistory(signal);
        }
        // A stream that ended in good order reconnects within half a second, which need not be shown.
        if (state.name === 'waiting' && (state.why !== 'ended' || state.retryIn > 500))
          fail(new WidgetError(faultOf[state.why], `${state.why} ${state.status}`));
      },
    });
  };

  const lead = async (signal: AbortSignal, onOtherSubject: () => void) => {
    isLeader = true;
    // A page that asked while there was no leader got no reply, and a stream with a cursor does not bring the past.
    broadcast({ ...snapshot, cursor });
    while (!signal.aborted) {
      attempt = new AbortController();
      await stream(AbortSignal.any([signal, attempt.signal]), onOtherSubject);
    }
    isLeader = false;
  };

  /** Resolves when tickets are for another agent. */
  const follow = async () => {
    const ticket = await getTicket();
    if (subject !== ticket.subject) {
      cursor = undefined;
      change({ calls: [], connection: { name: 'connecting' }, ready: false });
    }
    subject = ticket.subject;
    change({ mayHangUp: ticket.mayHangUp });
    const following = new AbortController();
    const signal = AbortSignal.any([stop.signal, following.signal]);
    const leadHere = () => lead(signal, () => following.abort());
    if (!navigator.locks) return leadHere();
    const name = await nameFor(`${relay} ${subject}`);
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => receive(data);
    broadcast('getState');
    // A sandboxed frame has locks that it must not use.
    await navigator.locks
      .request(name, { signal }, leadHere)
      .catch(() => (signal.aborted ? undefined : leadHere()));
    channel.close();
  };

  const run = async () => {
    for (let failures = 0; !stop.signal.aborted; ) {
      attempt = new AbortController();
      try {
        await follow();
        failures = 0;
      } catch (error) {
        fail(error as WidgetError);
        await pause(backOffMs(failures++), attempt.signal);
      }
    }
  };

  addEventListener('online', retry, { signal: stop.signal });
  void run();
  return {
    get snapshot() {
      return snapshot;
    },
    retry,
    add(call) {
      add(call, true);
      broadcast({ calls: [call] });
    },
    close() {
      stop.abort();
      attempt.abort();
    },
  };
}

/** @throws TypeError */
function readCall(value: unknown): Call {
  const { data } = Call.safeParse(value);
  if (!data) throw new TypeError('not a Call');
  return data;
}

/** A hash, since names are visible to every script of the page, and a ticket without readable claims is its own subject. */
async function nameFor(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `dialmark${new Uint8Array(hash)}`;
}
