/**
 * A client of Asterisk's manager interface: logs in, keeps the connection alive and connects again after it
 * broke. Every action has a time limit. Without a connection an action is rejected, not queued.
 */
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { startDeadline } from '../../../shared/server/deadline.ts';
import { sharedLookup } from '../../../shared/server/shared-lookup.ts';
import { type AmiFields, type AmiPacket, amiDecoder, encodeAction } from './ami-packets.ts';

const defaultPingIntervalMs = 10_000;

type AmiErrorCode =
  /** Nothing was sent. */
  | 'notConnected'
  /** Sent; no response within the time limit. It may be carried out later. */
  | 'timeout'
  /** Sent; the connection broke before the response. It may have been carried out. */
  | 'connectionLost'
  /** Asterisk answered with an error: not carried out. */
  | 'refused';

export class AmiError extends Error {
  constructor(
    readonly code: AmiErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'AmiError';
  }
}

/** The user or its secret is wrong, or this address may not log in. */
export class AmiLoginError extends Error {}

interface AmiClientOptions {
  host: string;
  port: number;
  username: string;
  secret: string;
  onEvent(event: AmiPacket): void;
  /** Runs after each login, before `isReady`, to read what happened meanwhile. A rejection closes the connection. */
  onLogin(): Promise<void>;
  /** Called when a connection that was logged in broke, and when an attempt to get one failed. */
  onLost(error: Error): void;
  actionTimeoutMs?: number;
  pingIntervalMs?: number;
  /** Milliseconds between two attempts to connect. With each failure it doubles, up to 16 times as much. */
  reconnectDelayMs?: number;
}

interface Waiting {
  resolve(packet: AmiPacket): void;
  reject(error: AmiError): void;
  /** Set for an action whose answer is a list: its events so far, and the event that ends it. */
  list?: { until: string; events: AmiPacket[] };
}

export class AmiClient {
  /** Logged in, and `onLogin` has run. */
  isReady = false;
  /** Asterisk can be reached, but refused the newest login. */
  isLoginRefused = false;
  private socket: Socket | undefined;
  private isLoggedIn = false;
  private isStopped = false;
  private reconnectTimer: NodeJS.Timeout | undefined;
  private pingTimer: NodeJS.Timeout | undefined;
  private attempts = 0;
  private lastId = 0;
  private readonly waiting = new Map<string, Waiting>();
  private readonly actionTimeoutMs: number;

  constructor(private readonly options: AmiClientOptions) {
    this.actionTimeoutMs = options.actionTimeoutMs ?? 5000;
  }

  start(): void {
    const { host, port } = this.options;
    const socket = connect({ host, port, noDelay: true, lookup: sharedLookup });
    this.socket = socket;
    const decoder = amiDecoder();
    const endConnectWait = startDeadline(this.actionTimeoutMs, () =>
      socket.destroy(new Error('no connection in time')),
    );
    socket.setEncoding('utf8');
    socket.on('connect', () => {
      endConnectWait();
      this.logIn().catch((error: Error) => socket.destroy(error));
    });
    socket.on('data', (chunk: string) => {
      try {
        for (const packet of decoder.push(chunk)) this.receive(packet);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    let reason = new Error('Asterisk closed the connection');
    socket.on('error', (error) => {
      reason = withEachReason(error);
    });
    socket.on('close', () => {
      endConnectWait();
      this.lose(reason);
    });
  }

  /** Closes the connection for good. Actions under way are rejected. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.reconnectTimer);
    this.socket?.destroy();
  }

  /**
   * Sends one action. An `ActionID` of the caller's own is kept.
   * @throws AmiError; only `notConnected` and `refused` prove that nothing was carried out.
   */
  async action(fields: AmiFields): Promise<AmiPacket> {
    const response = await this.send(fields);
    if (response.Response !== 'Success')
      throw new AmiError('refused', response.Message ?? 'Asterisk refused the action');
    return response;
  }

  /** Sends an action that is answered by a list of events. @param until event name that ends the list. */
  async list(fields: AmiFields, until: string): Promise<AmiPacket[]> {
    const events: AmiPacket[] = [];
    await this.send(fields, { until, events });
    return events;
  }

  private async send(fields: AmiFields, list?: Waiting['list']): Promise<AmiPacket> {
    const { socket } = this;
    if (!socket?.writable || !this.isLoggedIn)
      throw new AmiError('notConnected', 'there is no connection to Asterisk');
    return this.request(fields, list);
  }

  private request(fields: AmiFields, list?: Waiting['list']): Promise<AmiPacket> {
    this.lastId += 1;
    const id = typeof fields.ActionID === 'string' ? fields.ActionID : `dialmark-${this.lastId}`;
    const text = encodeAction({ ...fields, ActionID: id });
    return new Promise((resolve, reject) => {
      const endWait = startDeadline(this.actionTimeoutMs, () => {
        this.waiting.delete(id);
        reject(new AmiError('timeout', `no answer from Asterisk within ${this.actionTimeoutMs} ms`));
      });
      const settle =
        <T>(done: (value: T) => void) =>
        (value: T) => {
          endWait();
          this.waiting.delete(id);
          done(value);
        };
      this.waiting.set(id, { resolve: settle(resolve), reject: settle(reject), ...(list ? { list } : {}) });
      this.socket?.write(text);
    });
  }

  /** The challenge keeps the secret off the wire. */
  private async logIn(): Promise<void> {
    const { username, secret } = this.options;
    const { Challenge = '' } = await this.request({ Action: 'Challenge', AuthType: 'MD5' });
    const key = createHash('md5')
      .update(Challenge + secret)
      .digest('hex');
    const answer = await this.request({
      Action: 'Login',
      AuthType: 'MD5',
      Username: username,
      Key: key,
      Events: 'on',
    });
    if (answer.Response !== 'Success') {
      const { Message = 'no reason given' } = answer;
      const problem = `Asterisk refused the login of ${username}: ${Message}`;
      // Asterisk also refuses every login while it shuts down.
      throw /authentication failed/i.test(Message) ? new AmiLoginError(problem) : new Error(problem);
    }
    this.isLoggedIn = true;
    await this.options.onLogin();
    this.isReady = true;
    this.isLoginRefused = false;
    this.attempts = 0;
    this.pingTimer = setInterval(() => {
      // A refusal is an answer, too: an Asterisk that shuts down still reports how its calls end.
      this.send({ Action: 'Ping' }).catch((error: Error) => this.socket?.destroy(error));
    }, this.options.pingIntervalMs ?? defaultPingIntervalMs);
  }

  private receive(packet: AmiPacket): void {
    const waiting = packet.ActionID === undefined ? undefined : this.waiting.get(packet.ActionID);
    // An event may have a field `Response`, too: OriginateResponse.
    if (packet.Event === undefined) {
      if (waiting?.list && packet.Response === 'Success') return;
      if (waiting?.list)
        waiting.reject(new AmiError('refused', packet.Message ?? 'Asterisk refused the list'));
      else waiting?.resolve(packet);
      return;
    }
    if (waiting?.list) {
      if (packet.Event === waiting.list.until) waiting.resolve(packet);
      else waiting.list.events.push(packet);
      return;
    }
    this.options.onEvent(packet);
  }

  private lose(reason: Error): void {
    clearInterval(this.pingTimer);
    this.isReady = false;
    this.isLoggedIn = false;
    this.isLoginRefused = reason instanceof AmiLoginError;
    for (const waiting of [...this.waiting.values()])
      waiting.reject(new AmiError('connectionLost', 'the connection to Asterisk broke before its answer'));
    if (this.isStopped) return;
    this.options.onLost(reason);
    const base = this.options.reconnectDelayMs ?? 250;
    this.reconnectTimer = setTimeout(() => this.start(), base * 2 ** Math.min(this.attempts, 4));
    this.attempts += 1;
  }
}

/** If each address of a host fails, the message of Node's error is empty. Its errors have the reasons. */
function withEachReason(error: Error): Error {
  if (!(error instanceof AggregateError)) return error;
  return new Error(error.errors.map(({ message }: Error) => message).join('; '));
}
