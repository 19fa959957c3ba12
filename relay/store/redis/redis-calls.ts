import type { Call } from '../../../shared/call/call.ts';
import { applyChange, newRecord } from '../apply-change.ts';
import type {
  Applied,
  Asynchronous,
  CallChange,
  CallOperations,
  EventBatch,
  FoundCall,
  History,
  Intent,
  Overdue,
  PlacedBy,
  PlaceResult,
  StoredEvent,
} from '../store.ts';
import { StoreError } from '../store.ts';
import { pairs, text } from './connection.ts';
import type { RedisSession } from './redis-session.ts';
import { applyScript, callKey, placeScript, root } from './scripts.ts';

const maxRetries = 20;

type Fields = (string | null)[];

export class RedisCalls implements Asynchronous<CallOperations> {
  constructor(private readonly session: RedisSession) {}

  async place(intent: Intent): Promise<PlaceResult> {
    const { call } = intent;
    const record = newRecord(intent);
    const [kind, ...rest] = await this.session.write(
      placeScript,
      `${intent.owner}/${intent.idempotencyKey}`,
      intent.fingerprint || '-',
      call.id,
      call.from,
      intent.placedBy,
      intent.now,
      record.data,
      Number(record.isOpen),
      Number(record.isDialling),
      record.deadline ?? '',
      record.arrivals,
      ...intent.tallies.flatMap((tally) => [tally.bucket, tally.max, tally.expires]),
    );
    if (kind === 'same')
      return { kind, call: JSON.parse(text(rest[0])) as Call, placedBy: text(rest[1]) as PlacedBy };
    if (kind === 'limited') return { kind, bucket: text(rest[0]) };
    if (kind === 'placed') this.session.acknowledge(Number(rest[0]));
    return { kind: kind as 'placed' | 'otherRequest' | 'idTaken' };
  }

  /** Decides on the call as read; the script writes only when no one else wrote meanwhile. */
  async apply(change: CallChange): Promise<Applied> {
    const { writer } = this.session;
    const names = ['data', 'open', 'dialling', 'deadline', 'arrivals', 'version'];
    for (let attempt = 0; attempt < maxRetries; attempt++) {
      const fields = (await writer.send('HMGET', callKey(change.callId), ...names)) as Fields;
      if (fields[0] == null) {
        await this.session.confirmEpoch();
        return { kind: 'unknownCall' };
      }
      const [data, open, dialling, deadline, arrivals, version] = fields.map(text) as [string, ...string[]];
      const { answer, next, forward } = applyChange(
        {
          data,
          isOpen: open === '1',
          isDialling: dialling === '1',
          deadline: deadline === '' ? undefined : Number(deadline),
          arrivals: arrivals!,
        },
        change,
      );
      if (!next) return answer;
      const [kind, seq] = await this.session.write(
        applyScript,
        change.callId,
        version!,
        change.now,
        next.data === data ? '' : next.data,
        Number(next.isOpen),
        Number(next.isDialling),
        next.deadline ?? '',
        next.arrivals,
        forward?.id ?? '',
        forward?.body ?? '',
      );
      if (kind !== 'done') continue;
      this.session.acknowledge(Number(seq));
      return answer;
    }
    throw new StoreError('the call changes too often', 'contention');
  }

  async find(id: string): Promise<FoundCall | undefined> {
    const [data, channel, placedBy] = (await this.session.reader.send(
      'HMGET',
      callKey(id),
      'data',
      'channel',
      'placedBy',
    )) as Fields;
    if (data == null) return undefined;
    return { call: JSON.parse(data) as Call, channel: text(channel), placedBy: text(placedBy) as PlacedBy };
  }

  async history(
    channels: readonly string[],
    limit: number,
    before: string | undefined,
  ): Promise<History | undefined> {
    const { reader } = this.session;
    let below = '+inf';
    if (before !== undefined) {
      const channel = text(await reader.send('HGET', callKey(before), 'channel'));
      if (!channels.includes(channel)) return undefined;
      below = `(${text(await reader.send('ZSCORE', `${root}history:${channel}`, before))}`;
    }
    const range = [below, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, limit + 1, 'WITHSCORES'];
    const found = await Promise.all(
      channels.map(async (channel) =>
        pairs(await reader.send('ZRANGE', `${root}history:${channel}`, ...range)),
      ),
    );
    const ids = found
      .flat()
      .sort((a, b) => Number(b[1]) - Number(a[1]))
      .map(([id]) => id);
    const calls = await Promise.all(ids.slice(0, limit).map((id) => this.find(id)));
    return {
      calls: calls.flatMap((each) => (each ? [each.call] : [])),
      ...(ids.length > limit ? { next: ids[limit - 1]! } : {}),
    };
  }

  async listOpen(channels: readonly string[]): Promise<EventBatch> {
    const { reader } = this.session;
    // The head first: what comes during the reads is left out here and sent live.
    const head = await this.session.head();
    const events = await Promise.all(
      channels.map(async (channel) => {
        const ids = (await reader.send('ZRANGE', `${root}open:${channel}`, 0, -1)) as string[];
        const rows = await Promise.all(ids.map((id) => reader.send('HMGET', callKey(id), 'data', 'seq')));
        return rows.flatMap((row, index): StoredEvent[] => {
          const [data, seq] = row as Fields;
          return data == null ? [] : [{ seq: Number(seq), channel, callId: ids[index]!, data }];
        });
      }),
    );
    const open = events.flat().filter(({ seq }) => seq <= head);
    return { events: open.sort((a, b) => a.seq - b.seq), head, more: false };
  }

  async eventsAfter(
    channels: readonly string[],
    seq: number,
    limit: number,
  ): Promise<EventBatch | undefined> {
    const { reader, live } = this.session;
    const [floor, head] = await Promise.all([reader.send('GET', `${root}floor`), this.session.head()]);
    if (seq > head || seq < Number(floor ?? 0)) return undefined;
    const found = await Promise.all(channels.map((channel) => live.read(channel, seq, head, limit + 1)));
    const events = found.flat().sort((a, b) => a.seq - b.seq);
    return { events: events.slice(0, limit), head, more: events.length > limit };
  }

  async listOverdue(now: number, limit: number): Promise<Overdue[]> {
    const { reader } = this.session;
    const range = ['-inf', `(${now}`, 'BYSCORE', 'LIMIT', 0, limit];
    const ids = (await reader.send('ZRANGE', `${root}due`, ...range)) as string[];
    return Promise.all(
      ids.map(async (callId) => ({
        callId,
        isDialling: (await reader.send('HGET', callKey(callId), 'dialling')) === '1',
      })),
    );
  }

  async listInterrupted(): Promise<string[]> {
    return (await this.session.reader.send('SMEMBERS', `${root}dialling`)) as string[];
  }
}
