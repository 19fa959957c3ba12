import type { Call } from '../../../shared/call/call.ts';
import { belongsToNumber } from '../belongs-to-number.ts';
import type { Asynchronous, MaintenanceOperations, Retention } from '../store.ts';
import { text } from './connection.ts';
import type { RedisSession } from './redis-session.ts';
import { callKey, deleteScript, pruneScript, root } from './scripts.ts';

/** Calls read in one round when a number is to be forgotten. */
const scanBatch = 500;

/** Idempotency keys and tallies expire by themselves. */
export class RedisMaintenance implements Asynchronous<MaintenanceOperations> {
  constructor(private readonly session: RedisSession) {}

  async prune({ eventsBefore, callsBefore, limit }: Retention): Promise<number> {
    const [, events] = await this.session.write(pruneScript, eventsBefore, limit);
    const range = ['-inf', `(${callsBefore}`, 'BYSCORE', 'LIMIT', 0, limit];
    const finished = (await this.session.reader.send('ZRANGE', `${root}over`, ...range)) as string[];
    if (finished.length > 0) await this.session.write(deleteScript, ...finished);
    return Number(events) + finished.length;
  }

  async forget(digits: string): Promise<number> {
    const { reader } = this.session;
    const found: string[] = [];
    for (let from = 0; ; from += scanBatch) {
      const ids = (await reader.send('ZRANGE', `${root}calls`, from, from + scanBatch - 1)) as string[];
      if (ids.length === 0) break;
      const calls = await Promise.all(ids.map((id) => reader.send('HGET', callKey(id), 'data')));
      for (const [index, data] of calls.entries())
        if (data !== null && belongsToNumber(JSON.parse(text(data)) as Call, digits)) found.push(ids[index]!);
    }
    for (const id of found) await this.session.write(deleteScript, id);
    if (found.length > 0) await this.session.announceChange();
    return found.length;
  }

  async check(): Promise<void> {
    await this.session.writer.send('SET', `${root}checked`, Date.now());
    await this.session.reader.send('PING');
  }
}
