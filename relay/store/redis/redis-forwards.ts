import type { DeliveryClaim, DeliveryOutcome } from '../../../shared/server/delivery.ts';
import type { Asynchronous, Forward, ForwardOperations, ForwardState } from '../store.ts';
import { pairs, toText } from './connection.ts';
import type { RedisSession } from './redis-session.ts';
import { callKey, root } from './script-parts.ts';
import {
  claimForwardsScript,
  dropForwardScript,
  releaseForwardsScript,
  retryForwardsScript,
  settleForwardScript,
} from './scripts.ts';

/** Due times are stored by the clock of Redis, so that relays whose clocks differ agree on them. */
export class RedisForwards implements Asynchronous<ForwardOperations> {
  constructor(private readonly session: RedisSession) {}

  async claim({
    now,
    until,
    limit,
  }: {
    now: number;
    until: number;
    limit: number;
  }): Promise<DeliveryClaim<Forward>> {
    const { session } = this;
    const [, pending, next, ...claimed] = await session.write(
      claimForwardsScript,
      session.shifted(now),
      session.shifted(until),
      limit,
    );
    return {
      items: Array.from({ length: claimed.length / 4 }, (_, index) => {
        const [id, callId, body, attempt] = claimed.slice(4 * index);
        return {
          id: toText(id),
          callId: toText(callId),
          body: toText(body),
          attempt: Number(attempt),
        };
      }),
      pending: Number(pending),
      ...(next === '' ? {} : { next: Number(next) - session.clockOffsetMs }),
    };
  }

  async settle(id: string, attempt: number, outcome: DeliveryOutcome): Promise<void> {
    const { at, note } = outcome.kind === 'delivered' ? { at: 0, note: '' } : outcome;
    await this.session.write(settleForwardScript, id, attempt, outcome.kind, this.session.shifted(at), note);
  }

  async release(now: number): Promise<number> {
    return Number((await this.session.write(releaseForwardsScript, this.session.shifted(now)))[1]);
  }

  async list(limit: number): Promise<ForwardState[]> {
    const { reader, clockOffsetMs } = this.session;
    const range = async (key: string) =>
      pairs(await reader.send('ZRANGE', `${root}${key}`, 0, limit - 1, 'WITHSCORES'));
    const [pending, dead] = await Promise.all([range('forwards'), range('dead-forwards')]);
    const states = await Promise.all(
      [...pending, ...dead].slice(0, limit).map(async ([id, at], index): Promise<ForwardState[]> => {
        const fields = await reader.send('HMGET', `${root}forward:${id}`, 'call', 'attempts', 'note');
        const [callId, attempts, note] = (fields as (string | null)[]).map(toText) as [
          string,
          string,
          string,
        ];
        const data = await reader.send('HGET', callKey(callId), 'data');
        if (data === null) return [];
        const { from, to } = JSON.parse(toText(data)) as { from: string; to: string };
        const state = { attempts: Number(attempts), at: Number(at) - clockOffsetMs, note };
        return [{ id, callId, from, to, dead: index >= pending.length, ...state }];
      }),
    );
    return states.flat();
  }

  async retry(id: string | undefined, now: number): Promise<number> {
    const due = this.session.shifted(now);
    const count = Number((await this.session.write(retryForwardsScript, id ?? '', due))[1]);
    if (count > 0) await this.session.announceChange();
    return count;
  }

  async drop(id: string): Promise<boolean> {
    return Number((await this.session.write(dropForwardScript, id))[1]) > 0;
  }
}
