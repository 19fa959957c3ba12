/**
 * What the parts of the Redis store share: the connections, the epoch, the events as they happen. Three connections:
 * one writes, one reads, one listens, so that a reader never waits behind a writer.
 */
import { randomBytes } from 'node:crypto';
import { coalesce } from '../../../shared/async/coalesce.ts';
import { StoreError } from '../store.ts';
import { connectRedis, type RedisConnection, type RedisReply, toText, unusableRedis } from './connection.ts';
import { LiveFeed } from './live-feed.ts';
import { root } from './script-parts.ts';
import { confirmEpochScript, epochScript } from './scripts.ts';

const pollIntervalMs = 300;
const maxEpochRetries = 3;
const minClockOffsetMs = 1000;

export interface RedisStoreOptions {
  url: string;
  onError?: (error: Error) => void;
  /** Redis can be reached again after an outage. */
  onRestored?: () => void;
  /** How long Redis may take for an answer. */
  answerTimeoutMs?: number;
  /** This machine's clock. */
  now?: () => number;
}

export class RedisSession {
  epoch = '';
  /** The newest `seq` that a write of this relay returned. It may be known before the event itself arrives. */
  private acknowledged = 0;
  readonly live: LiveFeed;
  onChanged: () => void = () => {};
  onEpoch: () => void = () => {};
  /**
   * Notices another epoch, other keys and missed events. Never rejects: if Redis is away, the operations of the store
   * reject.
   */
  readonly poll = coalesce(() => this.pollOnce().catch(() => {}));
  /** Events come without a request, so only this shows that the listening connection is silent. Never rejects. */
  private readonly askListener = coalesce(() =>
    this.listener.send('PING').then(
      () => {},
      () => {},
    ),
  );
  private keysVersion = '';
  private timer: NodeJS.Timeout | undefined;
  /** Milliseconds that Redis's clock is ahead of ours. Claims of several relays are compared by that one clock. */
  clockOffsetMs = 0;

  private constructor(
    readonly writer: RedisConnection,
    readonly reader: RedisConnection,
    private readonly listener: RedisConnection,
    private readonly now: () => number,
  ) {
    this.live = new LiveFeed(reader);
  }

  /** @throws StoreError that names the setting, if Redis cannot be reached or refuses a command. */
  static async open(options: RedisStoreOptions): Promise<RedisSession> {
    const { url, answerTimeoutMs, onError = () => {}, onRestored = () => {}, now = Date.now } = options;
    const connections: RedisConnection[] = [];
    // The writer is made first, and moves last. A reader that still read the replica would miss what the writer wrote.
    const renew = coalesce(async () => {
      for (const connection of connections.toReversed()) await connection.renew();
    });
    const onReadOnly = () => void renew().catch(() => {});
    const connect = async () => {
      const connection = await connectRedis({ url, onError, answerTimeoutMs, onReadOnly });
      connections.push(connection);
      return connection;
    };
    try {
      const session = new RedisSession(await connect(), await connect(), await connect(), now);
      await session.start(onRestored).catch((error) => Promise.reject(unusableRedis(url, error)));
      return session;
    } catch (error) {
      // An open connection would keep the process alive, and nothing would start it again.
      for (const connection of connections) connection.close();
      throw error;
    }
  }

  private async start(onRestored: () => void): Promise<void> {
    await this.agreeOnEpoch();
    await this.readClock();
    await this.live.start(this.listener);
    await this.listener.subscribe(`${root}changed`, () => this.onChanged());
    this.keysVersion = toText(await this.reader.send('GET', `${root}keys-version`));
    this.reader.onReady(() => {
      onRestored();
      void this.poll();
    });
    this.timer = setInterval(() => {
      void this.poll();
      void this.askListener();
    }, pollIntervalMs);
    this.timer.unref();
  }

  /** A time of our clock, converted to the clock of Redis. 0 means that there is not a time, so it stays. */
  shifted(at: number): number {
    return at === 0 ? 0 : at + this.clockOffsetMs;
  }

  /**
   * Runs a script. In another epoch than ours, the script does nothing. It is then run again in the epoch that the
   * relays agree on.
   */
  async write(script: string, ...input: (string | number)[]): Promise<RedisReply[]> {
    for (let attempt = 0; attempt < maxEpochRetries; attempt++) {
      const answer = await this.writer.script(script, `${this.epoch} ${this.knownSeq}`, ...input);
      if (answer[0] !== 'epoch') return answer;
      await this.poll();
    }
    throw new StoreError('the relays do not agree on an epoch', 'epoch');
  }

  /** Remembers the `seq` of a write that was kept. */
  acknowledge(seq: number): void {
    this.acknowledged = Math.max(this.acknowledged, seq);
  }

  private get knownSeq(): number {
    return Math.max(this.acknowledged, this.live.position);
  }

  /** Checks whether a call is missing because Redis lost its past. */
  async confirmEpoch(): Promise<void> {
    await this.write(confirmEpochScript);
  }

  /** Notifies every relay that keys, calls or forwards changed beside its events. */
  async announceChange(): Promise<void> {
    await this.writer.send('INCR', `${root}keys-version`);
    await this.writer.send('PUBLISH', `${root}changed`, '');
  }

  /** @returns the newest `seq` of any channel. */
  async head(): Promise<number> {
    return Number((await this.reader.send('GET', `${root}seq`)) ?? 0);
  }

  close(): void {
    clearInterval(this.timer);
    for (const connection of [this.writer, this.reader, this.listener]) connection.close();
  }

  private async pollOnce(): Promise<void> {
    const before = this.epoch;
    await this.agreeOnEpoch();
    if (this.epoch !== before) {
      this.acknowledged = 0;
      await this.live.restart();
      this.onEpoch();
    }
    await this.live.catchUp();
    await this.readClock();
    const version = toText(await this.reader.send('GET', `${root}keys-version`));
    if (version === this.keysVersion) return;
    this.keysVersion = version;
    this.onChanged();
  }

  private async readClock(): Promise<void> {
    const before = this.now();
    const [seconds, microseconds] = (await this.reader.send('TIME')) as [string, string];
    const offset = Number(seconds) * 1000 + Number(microseconds) / 1000 - (before + this.now()) / 2;
    // A smaller offset is the time that the way to Redis and back takes.
    this.clockOffsetMs = Math.abs(offset) < minClockOffsetMs ? 0 : Math.round(offset);
  }

  /**
   * The first relay names the epoch. It ends when Redis comes back with less than it had: emptied, or restarted without
   * every acknowledged write on its disk.
   */
  private async agreeOnEpoch(): Promise<void> {
    const known = this.epoch;
    // Read before the request: an event that arrives while its answer is on the way is no sign of a lost past.
    const { knownSeq } = this;
    const isLost = known !== '' && (await this.head()) < knownSeq;
    // One step: relays that find the same loss at the same moment agree at once, and no reader starts again twice.
    const [epoch] = await this.writer.script(
      epochScript,
      isLost ? known : '',
      randomBytes(6).toString('hex'),
    );
    this.epoch = toText(epoch);
  }
}
