/** Agents work through one call sheet at two relays on one Redis, while relays are killed and browsers are closed. */
import { setTimeout as pause } from 'node:timers/promises';
import { makeApiKey } from '../../relay/access/api-key.ts';
import { openRedisStore } from '../../relay/store/redis/redis-store.ts';
import type { Store } from '../../relay/store/store.ts';
import { newCallId } from '../../shared/call/call.ts';
import type { ClaimReply, SheetItem } from '../../shared/protocol/sheets.ts';
import { Cleanup } from '../cleanup.ts';
import { startFakeProvider } from '../servers/fake-provider.ts';
import { startRedis } from '../servers/redis-server.ts';
import { type RelayProcess, startRelayProcess } from './relay-process.ts';
import { type Answer, ask } from './test-relay.ts';

interface Options {
  agents: number;
  items: number;
  /** The length of a claim. */
  leaseSeconds: number;
  /** Between two kills of a relay, on average. */
  killEveryMs: number;
  /** The share of claims whose agents go away and come back after the lease. */
  abandonedShare: number;
}

export interface SheetFigures {
  kills: number;
  abandoned: number;
  /** Items that were dialled more than once. */
  calledTwice: number;
  /** Claims that were given to a second agent before the first one's ended. */
  claimedTwice: number;
  /** Items that are not done at the end. */
  notDone: number;
  /** Items whose relay was killed before it dialled. Their calls are unknown, and are not repeated. */
  neverDialled: number;
  seconds: number;
  /** The longest time from the end of an abandoned claim to the next claim of its item. */
  longestLateMs: number;
}

/** A request that a killed relay does not answer is sent again. */
const retryMs = 50;

export async function workWhileKilling(options: Options): Promise<SheetFigures> {
  const cleanup = new Cleanup();
  try {
    const redis = await startRedis(true);
    cleanup.add('Redis', () => redis.stop());
    const provider = await startFakeProvider();
    cleanup.add('the provider', async () => provider.close());
    const relays = await Promise.all(
      [1, 2].map(() =>
        startRelayProcess({
          STORE: redis.url,
          SECRET: 'one secret that both relays share',
          COUNTRY: 'BR',
          PROVIDER_URL: provider.url,
          PROVIDER_TOKEN: 't',
          MAX_CALLS_PER_MINUTE: '1000000',
          MAX_CALLS_PER_DAY: '1000000',
          LOG_LEVEL: 'silent',
        }),
      ),
    );
    cleanup.add('the relays', async () => void (await Promise.all(relays.map((relay) => relay.stop()))));
    const store = await openRedisStore(redis);
    cleanup.add('the store', () => store.close());
    const run = new SheetRun(relays, store, options);
    await run.prepare();
    await run.work();
    const dials = new Map<string, number>();
    for (const { fields } of provider.received)
      dials.set(String(fields.to), (dials.get(String(fields.to)) ?? 0) + 1);
    return {
      ...run.figures,
      ...(await run.countAtEnd()),
      calledTwice: [...dials.values()].filter((count) => count > 1).length,
      neverDialled: options.items - dials.size,
    };
  } finally {
    await cleanup.run();
  }
}

class SheetRun {
  figures = { kills: 0, abandoned: 0, claimedTwice: 0, seconds: 0, longestLateMs: 0 };
  private readonly sheet = newCallId();
  private readonly keys: string[] = [];
  /** Items under a claim, as the agents know it. */
  private readonly claims = new Map<number, { agent: string; until: number }>();
  private readonly abandonedUntil = new Map<number, number>();
  private done = 0;

  constructor(
    private readonly relays: readonly RelayProcess[],
    private readonly store: Store,
    private readonly options: Options,
  ) {}

  private get isOver(): boolean {
    return this.done >= this.options.items;
  }

  async prepare(): Promise<void> {
    for (let n = 0; n < this.options.agents; n++) {
      const callers = [String(1000 + n)];
      const { key, stored } = makeApiKey(
        { kind: 'agent', name: '', origins: [], callers, team: 'sales' },
        new Date(),
      );
      await this.store.keys.add(stored);
      this.keys.push(key);
    }
    const numbers = Array.from({ length: this.options.items }, (_, n) => `+5548${32_000_000 + n}`);
    const head = {
      id: this.sheet,
      name: 'Leads',
      team: 'sales',
      by: 'operator',
      createdAt: new Date().toISOString(),
    };
    for (let start = 0; start < numbers.length; start += 500) {
      const items = numbers.slice(start, start + 500).map((number) => ({ key: number, number }));
      await this.store.sheets.add(head, items, Date.now());
    }
  }

  async work(): Promise<void> {
    const start = performance.now();
    const killing = this.kill();
    await Promise.all(this.keys.map((key, n) => this.agent(key, String(1000 + n))));
    this.figures.seconds = (performance.now() - start) / 1000;
    await killing;
  }

  async countAtEnd(): Promise<{ notDone: number }> {
    const { counts } = (await this.store.sheets.find(this.sheet))!;
    return { notDone: this.options.items - counts.done };
  }

  private async kill(): Promise<void> {
    while (!this.isOver) {
      await pause(this.options.killEveryMs * (0.5 + Math.random()));
      if (this.isOver) return;
      const relay = this.relays[Math.floor(Math.random() * this.relays.length)]!;
      await relay.stop('SIGKILL');
      this.figures.kills++;
      await relay.start();
    }
  }

  private async agent(key: string, name: string): Promise<void> {
    while (!this.isOver) {
      const { leaseSeconds: seconds } = this.options;
      const sentAt = Date.now();
      const { body } = await this.ask(`/v1/sheets/${this.sheet}/claim`, key, { body: { seconds } });
      const { item } = body as ClaimReply;
      if (!item) await pause(100);
      else if (this.isAbandoned(item, name, sentAt)) await pause(seconds * 1500);
      else await this.call(item, key);
    }
  }

  /** Notes the claim. @returns whether the agent's browser is closed now. */
  private isAbandoned(item: SheetItem, agent: string, sentAt: number): boolean {
    const before = this.claims.get(item.id);
    // Another's claim that lasted beyond this request.
    if (before && before.agent !== agent && before.until > Date.now()) this.figures.claimedTwice++;
    const late = sentAt - (this.abandonedUntil.get(item.id) ?? sentAt);
    this.figures.longestLateMs = Math.max(this.figures.longestLateMs, late);
    this.abandonedUntil.delete(item.id);
    const until = Date.parse(item.leasedUntil!);
    this.claims.set(item.id, { agent, until });
    if (Math.random() >= this.options.abandonedShare) return false;
    this.figures.abandoned++;
    this.abandonedUntil.set(item.id, until);
    return true;
  }

  private async call(item: SheetItem, key: string): Promise<void> {
    const click = { 'idempotency-key': newCallId() };
    const body = { to: item.number.slice(3), item: { sheet: this.sheet, id: item.id } };
    const { status, body: call } = await this.ask('/v1/calls', key, { body, headers: click });
    if (status !== 201) return;
    this.claims.delete(item.id);
    const wrapUp = { method: 'PATCH', body: { outcome: 'reached' }, headers: { 'if-match': '0' } };
    await this.ask(`/v1/calls/${call.id}/wrap-up`, key, wrapUp);
    this.done++;
  }

  /** Asks any of the relays until one answers, as if they had one address. */
  private async ask(path: string, as: string, options: object): Promise<Answer> {
    for (;;) {
      const { url } = this.relays[Math.floor(Math.random() * this.relays.length)]!;
      const answer = await ask(url, path, { as, ...options }).catch(() => undefined);
      if (answer && answer.status < 500) return answer;
      await pause(retryMs);
    }
  }
}
