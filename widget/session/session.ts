/**
 * One agent's calls, which all tabs and widgets of this origin follow over one stream. The tab that holds the Web Lock
 * reads the relay's stream. It sends calls and the cursor to the other tabs, so that the next holder can continue. The
 * ticket's subject names lock and channel, so that two agents never mix. A page without TLS has no Web Locks: every
 * such page has its own stream.
 */
import { Call } from '../../shared/call/call.ts';
import { pause } from '../../shared/protocol/pause.ts';
import { followEvents, type StreamFault, type StreamState } from '../../shared/protocol/stream.ts';
import { type Fault, WidgetError } from '../widget-error.ts';
import { withCall } from './call-list.ts';
import { readReplyJson } from './read-json.ts';
import { fetchWithTicket, type HeldTicket, type TicketSupplier } from './ticket.ts';

export type WidgetConnection =
  | { name: 'connecting' | 'open'; fault?: undefined }
  | { name: 'down'; fault: Fault };

export interface SessionSnapshot {
  calls: readonly Call[];
  connection: WidgetConnection;
  /** The history was loaded, or its first request failed. After that, every change of a call is an event. */
  ready: boolean;
  /** Whether the ticket has the right to hang up. */
  mayHangUp: boolean;
}

/** `change`: the widget must render again. The other names are those of `dialmark:` events. */
export type Notify = (name: 'change' | 'call' | 'error' | 'ready', detail?: unknown) => void;

/** A message between tabs. `calls` are calls that may be new to the other tabs. */
type TabMessage = 'getState' | 'retry' | (Partial<SessionSnapshot> & { cursor?: string | undefined });

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

export class WidgetSession {
  snapshot: SessionSnapshot = {
    calls: [],
    connection: { name: 'connecting' },
    ready: false,
    mayHangUp: false,
  };
  readonly #relay: string;
  readonly #getTicket: TicketSupplier;
  readonly #notify: Notify;
  readonly #stop = new AbortController();
  /** Its abort starts a new connection at once. */
  #attempt = new AbortController();
  #channel: BroadcastChannel | undefined;
  #isLeader = false;
  #cursor: string | undefined;
  #subject: string | undefined;
  /** The last reported fault. It is reported again only after another fault, a call or `ready`. */
  #lastFault: string | undefined;
  /** Why the last request for a ticket failed. */
  #ticketError: WidgetError | undefined;
  /** Attempts since a stream was open last. */
  #failures = 0;
  /** Whether the stream that is opening lacks the calls that have ended, until they are loaded. */
  #needsHistory = false;
  /** Its abort ends the attempts to load the history. */
  #history = new AbortController();

  /** @param relay base address without a slash at its end. */
  constructor(relay: string, getTicket: TicketSupplier, notify: Notify) {
    this.#relay = relay;
    this.#getTicket = getTicket;
    this.#notify = notify;
    addEventListener('online', () => this.retry(), { signal: this.#stop.signal });
    void this.#run();
  }

  /** Reconnects at once, without the wait after a fault. */
  retry(): void {
    if (!this.snapshot.connection.fault) return;
    this.#attempt.abort();
    this.#broadcast('retry');
  }

  /** Adds a call that this page itself has placed. */
  add(call: Call): void {
    this.#add(call, true);
    this.#broadcast({ calls: [call] });
  }

  close(): void {
    this.#stop.abort();
    this.#attempt.abort();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#attempt = new AbortController();
      try {
        await this.#follow();
      } catch (error) {
        this.#fail(error as WidgetError);
      }
      // Also after another subject: a site that gives out no real tickets has another one each time.
      await pause(backOffMs(this.#failures++), this.#attempt.signal);
    }
  }

  /** Resolves if a ticket has another subject, such as another agent. */
  async #follow(): Promise<void> {
    const ticket = await this.#getTicket();
    if (this.#subject !== ticket.subject) {
      this.#cursor = undefined;
      this.#change({ calls: [], connection: { name: 'connecting' }, ready: false });
    }
    this.#subject = ticket.subject;
    this.#change({ mayHangUp: ticket.mayHangUp });
    const following = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, following.signal]);
    const leadHere = () => this.#lead(signal, () => following.abort());
    if (!navigator.locks) return leadHere();
    const name = await channelName(`${this.#relay} ${this.#subject}`);
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => this.#receive(data);
    this.#channel = channel;
    this.#broadcast('getState');
    // A sandboxed frame has Web Locks but may not use them.
    await navigator.locks
      .request(name, { signal }, leadHere)
      .catch(() => (signal.aborted ? undefined : leadHere()));
    channel.close();
    this.#channel = undefined;
  }

  async #lead(signal: AbortSignal, onOtherSubject: () => void): Promise<void> {
    this.#isLeader = true;
    // A page that asked before there was a leader got no reply. A stream with a cursor does not send past calls.
    this.#broadcast({ ...this.snapshot, cursor: this.#sharedCursor });
    while (!signal.aborted) {
      this.#attempt = new AbortController();
      await this.#stream(AbortSignal.any([signal, this.#attempt.signal]), onOtherSubject);
    }
    this.#isLeader = false;
  }

  #stream(signal: AbortSignal, onOtherSubject: () => void): Promise<void> {
    return followEvents({
      relay: this.#relay,
      cursor: this.#cursor,
      signal,
      authorization: async (isPreviousRejected) => {
        const ticket = await this.#renewTicket(isPreviousRejected);
        if (ticket.subject === this.#subject) return ticket.text;
        onOtherSubject();
        throw 0;
      },
      onCall: (call, at) => {
        this.#cursor = at;
        this.#lastFault = undefined;
        this.#add(call, true);
        this.#broadcast({ calls: [call], cursor: this.#sharedCursor });
      },
      onReset: () => {
        this.#cursor = undefined;
        void this.#loadHistory(signal);
      },
      onState: (state) => this.#onStreamState(state, signal),
    });
  }

  #onStreamState(state: StreamState, signal: AbortSignal): void {
    // With a cursor, the stream sends everything since then. Without a cursor, it sends only the calls that are still
    // open.
    if (state.name === 'connecting') this.#needsHistory ||= !this.#cursor || !this.snapshot.ready;
    if (state.name === 'open') {
      this.#failures = 0;
      this.#change({ connection: { name: 'open' } });
      // Only after the stream is open: the stream sends all later changes, so that no change is missed.
      if (this.#needsHistory) void this.#loadHistory(signal);
    }
    // A stream that ended normally reconnects within half a second. The widget need not show that.
    if (state.name !== 'waiting' || (state.why === 'ended' && state.retryIn <= 500)) return;
    const { why, status = '' } = state;
    this.#fail(this.#ticketError ?? new WidgetError(faultOf[why], `${why} ${status}`.trim()));
  }

  async #renewTicket(isPreviousRejected: boolean): Promise<HeldTicket> {
    this.#ticketError = undefined;
    try {
      return await this.#getTicket(isPreviousRejected);
    } catch (error) {
      // The stream knows only that it got no ticket. If the site is down, it has not refused the agent.
      this.#ticketError = error as WidgetError;
      throw error;
    }
  }

  /**
   * Retries until it succeeds: the stream alone does not send calls that ended earlier. The next stream starts it
   * again, since the reply to an earlier request may lack calls.
   */
  async #loadHistory(leading: AbortSignal): Promise<void> {
    this.#needsHistory = true;
    this.#history.abort();
    this.#history = new AbortController();
    const signal = AbortSignal.any([leading, this.#history.signal]);
    for (let failures = 0; !signal.aborted; ) {
      try {
        const url = `${this.#relay}/v1/calls?limit=20`;
        const response = await fetchWithTicket(await this.#getTicket(), url, { signal });
        const { calls } = (await readReplyJson(response)) as { calls: unknown[] };
        this.#addAll(calls);
        this.#broadcast({ calls: this.snapshot.calls });
        this.#needsHistory = false;
        return this.#change({ ready: true });
      } catch (error) {
        if (signal.aborted) return;
        this.#change({ ready: true });
        this.#report(new WidgetError('notUnderstood', `history: ${error}`));
        await pause(backOffMs(failures++), signal);
      }
    }
  }

  /** The cursor for the other tabs. Without it, the next tab that reads the stream loads the history, too. */
  get #sharedCursor(): string | undefined {
    return this.#needsHistory ? undefined : this.#cursor;
  }

  #broadcast(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  #receive(message: TabMessage): void {
    if (message === 'getState' || message === 'retry') {
      if (!this.#isLeader) return;
      if (message === 'retry') this.#attempt.abort();
      else this.#broadcast({ ...this.snapshot, cursor: this.#sharedCursor });
      return;
    }
    const { calls = [], connection, ready } = message;
    this.#cursor = message.cursor ?? this.#cursor;
    this.#addAll(calls);
    if (this.#isLeader || !connection) return;
    this.#change({ connection, ready: ready || this.snapshot.ready });
    if (connection.fault) this.#report(new WidgetError(connection.fault, 'another tab'));
  }

  #change(part: Partial<SessionSnapshot>): void {
    const wasReady = isReady(this.snapshot);
    this.snapshot = { ...this.snapshot, ...part };
    const { connection, ready, calls } = this.snapshot;
    if (this.#isLeader) this.#broadcast({ connection, ready, cursor: this.#sharedCursor });
    this.#notify('change');
    if (wasReady || !isReady(this.snapshot)) return;
    this.#lastFault = undefined;
    this.#notify('ready', { calls });
  }

  #add(call: Call, isEvent: boolean): void {
    const calls = withCall(this.snapshot.calls, call);
    if (calls === this.snapshot.calls) return;
    this.snapshot = { ...this.snapshot, calls };
    this.#notify('change');
    if (isEvent) this.#notify('call', call);
  }

  /** @param values calls, newest first. They are checked, since another tab may have another version of this file. */
  #addAll(values: readonly unknown[]): void {
    for (const call of values.map((value) => Call.parse(value)).reverse())
      this.#add(call, this.snapshot.ready);
  }

  #fail(error: WidgetError): void {
    this.#change({ connection: { name: 'down', fault: error.code as Fault } });
    this.#report(error);
  }

  #report(error: WidgetError): void {
    if (error.code !== this.#lastFault) this.#notify('error', error);
    this.#lastFault = error.code;
  }
}

/** Whether the history is loaded, or failed to load, without a fault now. */
export const isReady = ({ ready, connection }: SessionSnapshot): boolean => ready && !connection.fault;

/**
 * A hash, since every script of the page can see the name. A ticket without readable claims would be in the name
 * itself.
 */
async function channelName(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `dialmark${new Uint8Array(hash)}`;
}
