/**
 * The store for several relays on one Redis. Three connections: one writes, one reads, one listens, so that a reader
 * never waits behind a writer. Live events come by PUBLISH, numbered without gaps; what a broken connection missed is
 * read from the log before anything newer is passed on.
 *
 * As durable as Redis is told to be: `appendonly yes` and `appendfsync always` keep what was acknowledged through a crash;
 * with less, a restart may lose the last second, which is then told to every reader by a new epoch.
 */
import { randomBytes } from 'node:crypto';
import { type Call, isFinished } from '../../../shared/call/call.ts';
import { transition } from '../../../shared/call/transition.ts';
import { answer } from '../answer.ts';
import { belongsToNumber } from '../belongs-to-number.ts';
import type {
  Applied,
  Change,
  ForwardClaim,
  ForwardOutcome,
  ForwardState,
  Intent,
  Operations,
  Placed,
  PlacedBy,
  Snapshot,
  Store,
  StoredEvent,
  StoredKey,
} from '../store.ts';
import { StoreError } from '../store.ts';
import { type Connection, connectRedis, type Reply } from './connection.ts';
import { LiveFeed } from './live-feed.ts';
import {
  applyScript,
  claimForwardsScript,
  deleteScript,
  dropForwardScript,
  epochScript,
  keysScript,
  placeScript,
  pruneScript,
  releaseForwardsScript,
  retryForwardsScript,
  root,
  settleForwardScript,
} from './scripts.ts';

const idempotencyTtl = 24 * 3_600_000;
const maxArrivals = 40;
const maxRetries = 20;
const watchInterval = 300;
/** Calls looked at in one go when a number is to be forgotten. */
const scanBatch = 500;

export interface RedisStoreOptions {
  url: string;
  onError?: (error: Error) => void;
}

export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const onError = options.onError ?? (() => {});
  const writer = await connectRedis(options.url, onError);
  const reader = await connectRedis(options.url, onError);
  const listener = await connectRedis(options.url, onError);
  const store = new RedisStore(writer, reader, listener);
  await store.open();
  return store;
}

type Asynchronous = {
  [K in keyof Operations]: (...input: Parameters<Operations[K]>) => Promise<ReturnType<Operations[K]>>;
};

class RedisStore implements Asynchronous {
  readonly durability = 'engine';
  readonly shared = true;
  epoch = '';
  private readonly live: LiveFeed;
  private changed: () => void = () => {};
  private renewed: () => void = () => {};
  private keysVersion = '';
  private watch: NodeJS.Timeout | undefined;
  private looking = Promise.resolve();
  private nextLook: Promise<void> | undefined;

  constructor(
    private readonly writer: Connection,
    private readonly reader: Connection,
    private readonly listener: Connection,
  ) {
    this.live = new LiveFeed(reader);
  }

  async open(): Promise<void> {
    await this.agreeOnEpoch();
    await this.live.start(this.listener);
    await this.listener.subscribe(`${root}changed`, () => this.changed());
    this.keysVersion = text(await this.reader.send('GET', `${root}keys-version`));
    this.reader.onReady(() => void this.look());
    this.watch = setInterval(() => void this.look(), watchInterval);
    this.watch.unref();
  }

  onEvents(listener: (events: readonly StoredEvent[]) => void): void {
    this.live.onEvents(listener);
  }

  onChanged(listener: () => void): void {
    this.changed = listener;
  }

  onEpoch(listener: () => void): void {
    this.renewed = listener;
  }

  async place(intent: Intent): Promise<Placed> {
    const { call } = intent;
    const [kind, ...rest] = await this.write(
      placeScript,
      `${intent.owner}/${intent.idempotencyKey}`,
      intent.fingerprint || '-',
      idempotencyTtl,
      call.id,
      call.from,
      JSON.stringify(call),
      intent.placedBy,
      intent.deadline,
      intent.now,
      ...intent.tallies.flatMap((tally) => [tally.bucket, tally.max, tally.expires]),
    );
    if (kind === 'same')
      return { kind, call: JSON.parse(text(rest[0])) as Call, placedBy: text(rest[1]) as PlacedBy };
    if (kind === 'limited') return { kind, bucket: text(rest[0]) };
    return { kind: kind as 'placed' | 'otherRequest' | 'idTaken' };
  }

  async apply(change: Change): Promise<Applied> {
    for (let attempt = 0; attempt < maxRetries; attempt++) {
      const [data, seq, wasDialling, wasDue] = (await this.writer.send(
        'HMGET',
        callKey(change.callId),
        'data',
        'seq',
        'dialling',
        'deadline',
      )) as (string | null)[];
      if (data == null) {
        // Nothing there, or nothing there any more because the past was lost: the script tells which.
        await this.write(applyScript, change.callId, '', '', '', 0, 0, '', 0, '', '', '', 0, '', '');
        return { kind: 'unknownCall' };
      }
      const before = JSON.parse(data) as Call;
      const call = transition(before, change.fact);
      const dialling = change.arrival ? text(wasDialling) : '0';
      const over = isFinished(call) && dialling === '0';
      const next = call === before ? '' : JSON.stringify(call);
      const [kind] = await this.write(
        applyScript,
        change.callId,
        text(seq),
        text(wasDialling),
        next,
        isFinished(call) ? 0 : 1,
        dialling,
        over ? '' : (change.deadline ?? text(wasDue)),
        change.now,
        change.arrival?.event ?? '',
        change.arrival?.digest ?? '',
        change.arrival && 'details' in change.fact ? JSON.stringify(change.fact.details) : '',
        maxArrivals,
        change.arrival?.forward?.id ?? '',
        change.arrival?.forward?.body ?? '',
      );
      if (kind === 'done')
        return answer(
          next === '' ? 'unchanged' : 'applied',
          call,
          change.wantsCall ? next || data : undefined,
        );
      if (kind !== 'retry') return { kind: kind as 'repeat' | 'conflict' | 'unknownCall' };
    }
    throw new StoreError('the call changes too often', 'contention');
  }

  async call(id: string) {
    const [data, channel, placedBy] = (await this.reader.send(
      'HMGET',
      callKey(id),
      'data',
      'channel',
      'placedBy',
    )) as (string | null)[];
    if (data == null) return undefined;
    return { call: JSON.parse(data) as Call, channel: text(channel), placedBy: text(placedBy) as PlacedBy };
  }

  async history(channels: readonly string[], limit: number, before: string | undefined) {
    let below = '+inf';
    if (before !== undefined) {
      const channel = text(await this.reader.send('HGET', callKey(before), 'channel'));
      if (!channels.includes(channel)) return undefined;
      below = `(${text(await this.reader.send('ZSCORE', `${root}history:${channel}`, before))}`;
    }
    const found = await Promise.all(
      channels.map(async (channel) =>
        pairs(
          await this.reader.send(
            'ZRANGE',
            `${root}history:${channel}`,
            below,
            '-inf',
            'BYSCORE',
            'REV',
            'LIMIT',
            0,
            limit + 1,
            'WITHSCORES',
          ),
        ),
      ),
    );
    const ids = found
      .flat()
      .sort((a, b) => Number(b[1]) - Number(a[1]))
      .map(([id]) => id);
    const calls = await Promise.all(ids.slice(0, limit).map((id) => this.call(id)));
    return {
      calls: calls.flatMap((each) => (each ? [each.call] : [])),
      ...(ids.length > limit ? { next: ids[limit - 1]! } : {}),
    };
  }

  async openCalls(channels: readonly string[]): Promise<Snapshot> {
    // The head first: what comes while we read is told again, live.
    const head = await this.head();
    const events = await Promise.all(
      channels.map(async (channel) => {
        const ids = (await this.reader.send('ZRANGE', `${root}open:${channel}`, 0, -1)) as string[];
        const rows = await Promise.all(
          ids.map((id) => this.reader.send('HMGET', callKey(id), 'data', 'seq')),
        );
        return rows.flatMap((row, index): StoredEvent[] => {
          const [data, seq] = row as (string | null)[];
          return data == null ? [] : [{ seq: Number(seq), channel, callId: ids[index]!, data }];
        });
      }),
    );
    const open = events.flat().filter(({ seq }) => seq <= head);
    return { events: open.sort((a, b) => a.seq - b.seq), head, more: false };
  }

  async eventsAfter(channels: readonly string[], seq: number, limit: number): Promise<Snapshot | undefined> {
    const [floor, head] = await Promise.all([this.reader.send('GET', `${root}floor`), this.head()]);
    if (seq > head || seq < Number(floor ?? 0)) return undefined;
    const found = await Promise.all(channels.map((channel) => this.live.read(channel, seq, head, limit + 1)));
    const events = found.flat().sort((a, b) => a.seq - b.seq);
    return { events: events.slice(0, limit), head, more: events.length > limit };
  }

  async overdue(now: number, limit: number) {
    const ids = (await this.reader.send(
      'ZRANGE',
      `${root}due`,
      '-inf',
      `(${now}`,
      'BYSCORE',
      'LIMIT',
      0,
      limit,
    )) as string[];
    return Promise.all(
      ids.map(async (callId) => ({
        callId,
        dialling: (await this.reader.send('HGET', callKey(callId), 'dialling')) === '1',
      })),
    );
  }

  async interrupted(): Promise<string[]> {
    return (await this.reader.send('SMEMBERS', `${root}dialling`)) as string[];
  }

  async claimForwards(claim: { now: number; until: number; limit: number }): Promise<ForwardClaim> {
    const [, pending, next, ...claimed] = await this.write(
      claimForwardsScript,
      claim.now,
      claim.until,
      claim.limit,
    );
    return {
      forwards: Array.from({ length: claimed.length / 4 }, (_, index) => {
        const [id, callId, body, attempt] = claimed.slice(4 * index);
        return { id: text(id), callId: text(callId), body: text(body), attempt: Number(attempt) };
      }),
      pending: Number(pending),
      ...(next === '' ? {} : { next: Number(next) }),
    };
  }

  async settleForward(id: string, attempt: number, outcome: ForwardOutcome): Promise<void> {
    const { at, note } = outcome.kind === 'delivered' ? { at: 0, note: '' } : outcome;
    await this.write(settleForwardScript, id, attempt, outcome.kind, at, note);
  }

  async releaseForwards(now: number): Promise<number> {
    return Number((await this.write(releaseForwardsScript, now))[1]);
  }

  async forwards(limit: number): Promise<ForwardState[]> {
    const range = async (key: string) =>
      pairs(await this.reader.send('ZRANGE', `${root}${key}`, 0, limit - 1, 'WITHSCORES'));
    const [pending, dead] = await Promise.all([range('forwards'), range('dead-forwards')]);
    const states = await Promise.all(
      [...pending, ...dead].slice(0, limit).map(async ([id, at], index): Promise<ForwardState[]> => {
        const fields = await this.reader.send('HMGET', `${root}forward:${id}`, 'call', 'attempts', 'note');
        const [callId, attempts, note] = (fields as (string | null)[]).map(text);
        const known = await this.call(callId!);
        if (!known) return [];
        const { from, to } = known.call;
        const state = { attempts: Number(attempts), at: Number(at), note: note! };
        return [{ id, callId: callId!, from, to, dead: index >= pending.length, ...state }];
      }),
    );
    return states.flat();
  }

  async retryForwards(id: string | undefined, now: number): Promise<number> {
    const count = Number((await this.write(retryForwardsScript, id ?? '', now))[1]);
    if (count > 0) await this.announceChange();
    return count;
  }

  async dropForward(id: string): Promise<boolean> {
    return Number((await this.write(dropForwardScript, id))[1]) > 0;
  }

  async addKey(key: StoredKey): Promise<void> {
    await this.writer.send('HSETNX', `${root}keys`, key.id, JSON.stringify(key));
    await this.writer.send('HSET', `${root}key-hashes`, key.hash, key.id);
    await this.announceChange();
  }

  async keys(): Promise<StoredKey[]> {
    // A look under way may have found a loss that it has not told of yet.
    await this.looking;
    const [, ...values] = await this.write(keysScript);
    return values
      .map((value) => JSON.parse(text(value)) as StoredKey)
      .sort((a, b) =>
        a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : 1,
      );
  }

  async keyByHash(hash: string): Promise<StoredKey | undefined> {
    const id = await this.reader.send('HGET', `${root}key-hashes`, hash);
    const value = id === null ? null : await this.reader.send('HGET', `${root}keys`, text(id));
    return value === null ? undefined : (JSON.parse(text(value)) as StoredKey);
  }

  async revokeKey(id: string, at: string): Promise<boolean> {
    const value = await this.writer.send('HGET', `${root}keys`, id);
    if (value === null) return false;
    const key = JSON.parse(text(value)) as StoredKey;
    if (key.revokedAt !== undefined) return false;
    await this.writer.send('HSET', `${root}keys`, id, JSON.stringify({ ...key, revokedAt: at }));
    await this.announceChange();
    return true;
  }

  async prune(retention: Parameters<Operations['prune']>[0]): Promise<number> {
    const [, events] = await this.write(pruneScript, retention.eventsBefore, retention.limit);
    const over = (await this.reader.send(
      'ZRANGE',
      `${root}over`,
      '-inf',
      `(${retention.callsBefore}`,
      'BYSCORE',
      'LIMIT',
      0,
      retention.limit,
    )) as string[];
    if (over.length > 0) await this.write(deleteScript, ...over);
    return Number(events) + over.length;
  }

  async forget(digits: string): Promise<number> {
    const found: string[] = [];
    for (let from = 0; ; from += scanBatch) {
      const ids = (await this.reader.send('ZRANGE', `${root}calls`, from, from + scanBatch - 1)) as string[];
      if (ids.length === 0) break;
      const calls = await Promise.all(ids.map((id) => this.call(id)));
      for (const each of calls) if (each && belongsToNumber(each.call, digits)) found.push(each.call.id);
    }
    for (const id of found) await this.write(deleteScript, id);
    if (found.length > 0) await this.announceChange();
    return found.length;
  }

  async check(): Promise<void> {
    await this.writer.send('SET', `${root}checked`, Date.now());
    await this.reader.send('PING');
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    for (const connection of [this.writer, this.reader, this.listener]) connection.close();
  }

  /** A script that finds another epoch than ours did nothing; it runs again in the one that the relays agree on. */
  private async write(script: string, ...input: (string | number)[]): Promise<Reply[]> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = await this.writer.script(script, this.epoch, ...input);
      if (answer[0] !== 'epoch') return answer;
      await this.look();
    }
    throw new StoreError('the relays do not agree on an epoch', 'epoch');
  }

  private async announceChange(): Promise<void> {
    await this.writer.send('INCR', `${root}keys-version`);
    await this.writer.send('PUBLISH', `${root}changed`, '');
  }

  private async head(): Promise<number> {
    return Number((await this.reader.send('GET', `${root}seq`)) ?? 0);
  }

  /** Notices another epoch, other keys, missed events. One look at a time, and one more for however many ask meanwhile. */
  private look(): Promise<void> {
    this.nextLook ??= this.looking.then(() => {
      this.looking = this.nextLook!;
      this.nextLook = undefined;
      return this.lookOnce();
    });
    return this.nextLook;
  }

  private async lookOnce(): Promise<void> {
    try {
      const before = this.epoch;
      await this.agreeOnEpoch();
      if (this.epoch !== before) {
        await this.live.restart();
        this.renewed();
      }
      await this.live.catchUp();
      const version = text(await this.reader.send('GET', `${root}keys-version`));
      if (version !== this.keysVersion) {
        this.keysVersion = version;
        this.changed();
      }
    } catch {
      // Redis is away; whoever asks for something is told.
    }
  }

  /**
   * The first relay names the epoch. It ends when Redis comes back with less than it had: emptied, or restarted without
   * every acknowledged write on its disk.
   */
  private async agreeOnEpoch(): Promise<void> {
    const known = this.epoch;
    // As it was before we ask: an event that is heard while the answer is on its way is no sign of a lost past.
    const { position } = this.live;
    const lost = known !== '' && (await this.head()) < position;
    const fresh = randomBytes(6).toString('hex');
    // One step: relays that find the same loss at the same moment agree at once, and no reader starts anew twice.
    const [epoch] = await this.writer.script(epochScript, lost ? known : '', fresh);
    this.epoch = text(epoch);
  }
}

const callKey = (id: string) => `${root}call:${id}`;

function text(reply: Reply | undefined): string {
  return reply == null ? '' : String(reply);
}

function pairs(reply: Reply): [string, string][] {
  const flat = reply as string[];
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index]!, flat[2 * index + 1]!]);
}
