/**
 * One agent's calls, followed by every tab and widget of this origin over one stream: whoever holds the Web Lock reads the
 * relay's stream and tells the others over a BroadcastChannel, with the cursor, so that the next holder goes on where the
 * last one stopped. Both are named by what the ticket is for, so that two agents never mix.
 *
 * A page that is not secure (plain http) has no Web Locks: there every page has a stream of its own.
 */
import { Call } from '../../shared/call/call.ts';
import { followEvents, type StreamFault } from '../../shared/protocol/stream.ts';
import { type Fault, WidgetError } from '../widget-error.ts';
import { withCall } from './known-calls.ts';
import { readJson } from './read-json.ts';
import { type TicketKeeper, withTicket } from './ticket.ts';

export type Connection = { name: 'connecting' | 'open' } | { name: 'down'; fault: Fault };

export interface Snapshot {
  calls: readonly Call[];
  connection: Connection;
  /** The history came; from here on, every call that changes is news. */
  ready: boolean;
}

/** `change`: there is something new to draw; the others are `dialmark:` events. */
export type Notify = (name: 'change' | 'call' | 'error' | 'ready', detail?: unknown) => void;

export interface Session {
  readonly snapshot: Snapshot;
  /** Tries at once where the next try would be later. */
  retry(): void;
  /** What this page itself learnt of a call, by placing it. */
  learn(call: Call): void;
  close(): void;
}

/** What tabs tell each other; `calls` are those that may be new. */
type Message = 'ask' | 'retry' | (Partial<Snapshot> & { cursor?: string | undefined });

const faultOf: Record<StreamFault, Fault> = {
  ended: 'offline',
  offline: 'offline',
  silent: 'offline',
  unauthorized: 'unauthorized',
  refused: 'unavailable',
  notAStream: 'notUnderstood',
  garbage: 'notUnderstood',
};
const backOff = (failures: number) => Math.min(30_000, 1000 * 2 ** failures) * (0.5 + Math.random() / 2);

/** @param relay base address without a slash at its end. */
export function openSession(relay: string, tickets: TicketKeeper, notify: Notify): Session {
  const stop = new AbortController();
  /** Aborted to try again at once. */
  let attempt = new AbortController();
  let snapshot: Snapshot = { calls: [], connection: { name: 'connecting' }, ready: false };
  let channel: BroadcastChannel | undefined;
  let leading = false;
  let cursor: string | undefined;
  let subject: string | undefined;
  let lastFault: string | undefined;

  const tell = (message: Message) => channel?.postMessage(message);

  const change = (part: Partial<Snapshot>) => {
    const becomesReady = part.ready && !snapshot.ready;
    snapshot = { ...snapshot, ...part };
    if (leading) tell({ connection: snapshot.connection, ready: snapshot.ready, cursor });
    notify('change');
    if (becomesReady) notify('ready', { calls: snapshot.calls });
  };

  const add = (call: Call, isNews: boolean) => {
    const calls = withCall(snapshot.calls, call);
    if (calls === snapshot.calls) return;
    snapshot = { ...snapshot, calls };
    notify('change');
    if (isNews) notify('call', call);
  };

  /** The same fault again is no news. */
  const say = (error: WidgetError) => {
    if (error.code !== lastFault) notify('error', error);
    lastFault = error.code;
  };

  const fail = (error: WidgetError) => {
    change({ connection: { name: 'down', fault: error.code as Fault } });
    say(error);
  };

  const pause = (ms: number, signal: AbortSignal) =>
    new Promise<unknown>((resolve) => {
      // Whoever presses "retry" while an attempt is still failing does not wait for the next.
      if (signal.aborted) return resolve(0);
      setTimeout(resolve, ms);
      signal.addEventListener('abort', resolve);
    });

  const retry = () => {
    if (snapshot.connection.name !== 'down') return;
    attempt.abort();
    tell('retry');
  };

  const hear = (message: Message) => {
    if (message === 'ask') return leading && tell({ ...snapshot, cursor });
    if (message === 'retry') return leading && attempt.abort();
    const { calls = [], connection, ready } = message;
    cursor = message.cursor ?? cursor;
    // Another version of this file may be loaded in the other tab.
    for (const call of calls.map(readCall).reverse()) add(call, snapshot.ready);
    if (leading || !connection) return;
    change({ connection, ready: ready || snapshot.ready });
    if (connection.name === 'down') say(new WidgetError(connection.fault, 'another tab'));
  };

  /** Tried until it comes: the stream alone does not tell of calls that are over. */
  const loadHistory = async (signal: AbortSignal) => {
    for (let failures = 0; !signal.aborted; ) {
      try {
        const response = await withTicket(await tickets(), `${relay}/v1/calls?limit=20`, signal);
        const { calls } = (await readJson(response)) as { calls: unknown[] };
        for (const call of calls.map(readCall).reverse()) add(call, snapshot.ready);
        tell({ calls: snapshot.calls });
        return change({ ready: true });
      } catch (error) {
        if (signal.aborted) return;
        say(new WidgetError('notUnderstood', `history: ${error}`));
        change({ ready: true });
        await pause(backOff(failures++), signal);
      }
    }
  };

  const stream = (signal: AbortSignal, somebodyElse: () => void) => {
    let needsPast = false;
    return followEvents({
      relay,
      cursor,
      signal,
      async authorization(refused) {
        const ticket = await tickets(refused);
        if (ticket.subject === subject) return ticket.text;
        somebodyElse();
        throw 0;
      },
      onCall(call, at) {
        cursor = at;
        lastFault = undefined;
        add(call, true);
        tell({ calls: [call], cursor });
      },
      onReset() {
        cursor = undefined;
        void loadHistory(signal);
      },
      onState(state) {
        // With a cursor the stream brings everything since; without one, only the calls still open.
        if (state.name === 'connecting') needsPast = !cursor || !snapshot.ready;
        if (state.name === 'open') {
          change({ connection: { name: 'open' } });
          // Asked for only now: what happens from here on comes over the stream, so nothing falls between.
          if (needsPast) void loadHistory(signal);
        }
        // A stream that ended in good order is opened again within half a second; nobody needs to see that.
        if (state.name === 'waiting' && (state.why !== 'ended' || state.retryIn > 500))
          fail(new WidgetError(faultOf[state.why], `${state.why} ${state.status}`));
      },
    });
  };

  const lead = async (signal: AbortSignal, somebodyElse: () => void) => {
    leading = true;
    // A page that asked while nobody led has had no answer, and a stream with a cursor does not tell the past.
    tell({ ...snapshot, cursor });
    while (!signal.aborted) {
      attempt = new AbortController();
      await stream(AbortSignal.any([signal, attempt.signal]), somebodyElse);
    }
    leading = false;
  };

  /** Follows as long as tickets are for the same agent. */
  const follow = async () => {
    const ticket = await tickets();
    if (subject !== ticket.subject) {
      cursor = undefined;
      change({ calls: [], connection: { name: 'connecting' }, ready: false });
    }
    subject = ticket.subject;
    const following = new AbortController();
    const signal = AbortSignal.any([stop.signal, following.signal]);
    const leadHere = () => lead(signal, () => following.abort());
    if (!navigator.locks) return leadHere();
    const name = await nameFor(`${relay} ${subject}`);
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => hear(data);
    tell('ask');
    // A sandboxed frame has locks that it may not use.
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
        await pause(backOff(failures++), attempt.signal);
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
    learn(call) {
      add(call, true);
      tell({ calls: [call] });
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

/** A ticket that tells nothing of itself is its own subject, and a name is seen by every script of the page: so a hash. */
async function nameFor(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `dialmark${new Uint8Array(hash)}`;
}
