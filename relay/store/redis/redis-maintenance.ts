import type { Call } from '../../../shared/call/call.ts';
import { parseLog } from '../../log/call-log.ts';
import { isBucketOfNumber, numbersMatching } from '../belongs-to-number.ts';
import type { CallsOfNumber, MaintenanceOperations, Retention } from '../maintenance.ts';
import type { Asynchronous } from '../store.ts';
import type { AuditRecord } from '../team-rules.ts';
import { pairs, type RedisReply, toText } from './connection.ts';
import type { RedisSession } from './redis-session.ts';
import type { RedisSheets } from './redis-sheets.ts';
import { callKey, pruneListedScript, root } from './script-parts.ts';
import { deleteScript, pruneScript } from './scripts.ts';

const scanCount = 500;

/** Tallies are not pruned here: they expire by themselves. */
export class RedisMaintenance implements Asynchronous<MaintenanceOperations> {
  constructor(
    private readonly session: RedisSession,
    private readonly sheets: RedisSheets,
  ) {}

  async prune({ eventsBefore, callsBefore, now, limit }: Retention): Promise<number> {
    const [, events] = await this.session.write(pruneScript, eventsBefore, limit);
    const range = ['-inf', `(${callsBefore}`, 'BYSCORE', 'LIMIT', 0, limit];
    const finished = (await this.session.reader.send('ZRANGE', `${root}over`, ...range)) as string[];
    if (finished.length > 0) await this.session.write(deleteScript, ...finished);
    const trimmed = await this.session.writer.send(
      'XTRIM',
      `${root}audit`,
      'MINID',
      Math.max(0, callsBefore),
    );
    const [, listed] = await this.session.write(pruneListedScript, now, limit);
    const items = await this.sheets.prune(callsBefore, limit);
    return Number(events) + finished.length + Number(trimmed) + Number(listed) + items;
  }

  async findCallsOfNumber(forms: readonly string[], cursor: string, limit: number): Promise<CallsOfNumber> {
    const { reader } = this.session;
    // The scan finds every call that exists from its start to its end, whatever is deleted meanwhile.
    const scanned = await reader.send('ZSCAN', `${root}calls`, cursor || 0, 'COUNT', limit);
    const [next, entries] = scanned as [string, RedisReply];
    const ids = pairs(entries).map(([id]) => id);
    const calls = await Promise.all(
      ids.map(async (id) => {
        const fields = (await reader.send('HMGET', callKey(id), 'data', 'log', 'number')) as (
          | string
          | null
        )[];
        const [data, log, key] = fields.map(toText) as [string, string, string];
        const numbers = data === '' ? [] : numbersMatching(JSON.parse(data) as Call, key, forms);
        return { id, numbers, entries: parseLog(log).entries };
      }),
    );
    return {
      calls: calls.filter(({ numbers }) => numbers.length > 0),
      ...(next === '0' ? {} : { next }),
    };
  }

  async deleteCalls(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const [, deleted] = await this.session.write(deleteScript, ...ids);
    await this.session.announceChange();
    return Number(deleted);
  }

  /** Reads everything at once, in steps of its own. */
  async deleteTraces(forms: readonly string[]): Promise<undefined> {
    const { reader, writer } = this.session;
    const prefix = `${root}tally:`;
    for (let cursor = ''; cursor !== '0'; ) {
      const match = ['MATCH', `${prefix}*`, 'COUNT', scanCount];
      const [next, keys] = (await reader.send('SCAN', cursor || 0, ...match)) as [string, string[]];
      const wanted = keys.filter((key) => isBucketOfNumber(key.slice(prefix.length), forms));
      if (wanted.length > 0) await writer.send('DEL', ...wanted);
      cursor = next;
    }
    await this.sheets.deleteNumber((key) => isBucketOfNumber(key, forms));
    for (let from: string | undefined = '-'; from !== undefined; ) {
      const range = ['XRANGE', `${root}audit`, from, '+', 'COUNT', scanCount] as const;
      const audit = (await reader.send(...range)) as [string, string[]][];
      const about = ([, fields]: [string, string[]]) => (JSON.parse(fields[1]!) as AuditRecord).about;
      const wanted = audit.filter((entry) => isBucketOfNumber(about(entry), forms)).map(([id]) => id);
      if (wanted.length > 0) await writer.send('XDEL', `${root}audit`, ...wanted);
      from = audit.length < scanCount ? undefined : `(${audit.at(-1)![0]}`;
    }
  }

  async listForgotten(): Promise<string[]> {
    return (await this.session.reader.send('SMEMBERS', `${root}forgotten`)) as string[];
  }

  async forgottenKey(offered: string): Promise<string> {
    await this.session.writer.send('SET', `${root}forgotten-key`, offered, 'NX');
    return toText(await this.session.writer.send('GET', `${root}forgotten-key`));
  }

  async setForgotten(hash: string, isForgotten: boolean): Promise<void> {
    await this.session.writer.send(isForgotten ? 'SADD' : 'SREM', `${root}forgotten`, hash);
  }

  async check(): Promise<void> {
    await this.session.writer.send('SET', `${root}checked`, Date.now());
    await this.session.reader.send('PING');
  }
}
