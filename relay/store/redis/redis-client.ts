/**
 * A client of Redis that replaces a connection which does not answer: after a failover the old server may be silent
 * for good, and the system itself gives such a connection up after a quarter of an hour.
 */
import { createClient } from 'redis';
import { coalesce } from '../../../shared/async/coalesce.ts';
import { startDeadline } from '../../../shared/server/deadline.ts';
import { OutageReports } from '../../../shared/server/outage-reports.ts';

export type RedisReply = string | number | null | RedisReply[];

const connectTimeoutMs = 5000;
const maxReconnectDelayMs = 1000;
/** How long Redis may take for an answer. Every command here takes it less than a second. */
const defaultAnswerTimeoutMs = 8000;

export interface RedisClientOptions {
  url: string;
  /** For the log, once for each error of an outage; the client reconnects by itself. */
  onError: (error: Error) => void;
  /** How long Redis may take for an answer. */
  answerTimeoutMs?: number | undefined;
  /** Redis refused a write, since it is a replica now. Default: this connection alone is renewed. */
  onReadOnly?: () => void;
}

class NoAnswer extends Error {}

/** @param isKept whether the client connects again if the connection breaks. */
const makeClient = (url: string, isKept: () => boolean) =>
  createClient({
    url,
    RESP: 2,
    // While Redis is away, an error at once is better than an answer after the request has timed out.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectTimeoutMs,
      reconnectStrategy: (retries) => (isKept() ? Math.min(50 * 2 ** retries, maxReconnectDelayMs) : false),
    },
  });

export class RedisClient {
  private client: ReturnType<typeof makeClient>;
  /** True once the client has connected, until it is closed: it reconnects by itself. */
  private isKept = false;
  private readonly subscriptions: [channel: string, listener: (message: string) => void][] = [];
  private readonly readyListeners: (() => void)[] = [];
  private readonly reports: OutageReports;
  /**
   * Moves to a new connection. The old one still answers earlier commands. Rejects if a new connection cannot be made.
   */
  readonly renew = coalesce(() => this.renewOnce());

  constructor(protected readonly options: RedisClientOptions) {
    this.reports = new OutageReports(options.onError);
    this.client = this.make();
  }

  /** Rejects where Redis cannot be reached, or does not answer. */
  async connect(): Promise<void> {
    const { client } = this;
    try {
      await this.inTime(client.connect());
    } catch (error) {
      this.close();
      throw error;
    }
    this.isKept = true;
  }

  async ask(command: readonly string[]): Promise<RedisReply> {
    const { client } = this;
    try {
      return (await this.inTime(client.sendCommand(command))) as unknown as RedisReply;
    } catch (error) {
      if (error instanceof NoAnswer) this.replace(client, error);
      throw error;
    }
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    this.subscriptions.push([channel, listener]);
    await this.inTime(this.client.subscribe(channel, listener));
  }

  onReady(listener: () => void): void {
    this.readyListeners.push(listener);
  }

  close(): void {
    this.isKept = false;
    if (this.client.isOpen) this.client.destroy();
  }

  private make(): ReturnType<typeof makeClient> {
    const client = makeClient(this.options.url, () => this.isKept);
    client.on('ready', () => {
      // A client that has not taken over yet does not end an outage.
      if (client !== this.client) return;
      this.reports.end();
      // The client itself repeats only subscriptions that were answered. A connection may break before that.
      this.subscribeAll(client).catch(() => {});
      for (const listener of this.readyListeners) listener();
    });
    client.on('error', (error: Error) => this.reports.report(error));
    // A connection that is accepted may be silent from its first command on.
    client.on('connect', () => {
      const settled = new Promise((resolve) => client.once('ready', resolve).once('error', resolve));
      this.inTime(settled).catch((error: Error) => this.replace(client, error));
    });
    return client;
  }

  private replace(silent: RedisClient['client'], error: Error): void {
    if (!this.isKept || silent !== this.client) return;
    this.reports.report(error);
    silent.destroy();
    const client = this.make();
    this.client = client;
    // Its errors are reported by its own events.
    client.connect().catch(() => {});
  }

  private async subscribeAll(client: RedisClient['client']): Promise<void> {
    for (const [channel, listener] of this.subscriptions) await client.subscribe(channel, listener);
  }

  private async renewOnce(): Promise<void> {
    const client = this.make();
    try {
      await this.inTime(client.connect().then(() => this.subscribeAll(client)));
    } catch (error) {
      client.destroy();
      throw error;
    }
    const old = this.client;
    this.client = client;
    if (!this.isKept) this.close();
    this.inTime(old.close()).catch(() => old.destroy());
  }

  private async inTime<T>(answer: Promise<T>): Promise<T> {
    const { answerTimeoutMs = defaultAnswerTimeoutMs } = this.options;
    let endWait = () => {};
    const late = new Promise<never>((_resolve, reject) => {
      const error = new NoAnswer(`Redis did not answer within ${answerTimeoutMs} ms`);
      endWait = startDeadline(answerTimeoutMs, () => reject(error));
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      endWait();
    }
  }
}
