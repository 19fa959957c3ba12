import type { Call } from '../../../shared/call/call.ts';
import type { DoNotCallEntry } from '../../../shared/protocol/do-not-call.ts';
import { parseLog } from '../../log/call-log.ts';
import { amendCall } from '../amend-call.ts';
import type { Amend, Amended, AmendedRules, Amendment } from '../amendment.ts';
import { applyChange, type DecidedChange, newCallState } from '../apply-change.ts';
import type { CallState } from '../call-state.ts';
import { talliesOf } from '../judge-intent.ts';
import type {
  Applied,
  Asynchronous,
  CallChange,
  CallOperations,
  DueCalls,
  EventBatch,
  FoundCall,
  History,
  Intent,
  Overdue,
  PlacedBy,
  PlaceResult,
  StoredEvent,
  UnloggedCall,
} from '../store.ts';
import { StoreError } from '../store.ts';
import type { Lease } from '../team-rules.ts';
import { type HashField, pairs, toText } from './connection.ts';
import { indexArguments } from './index-arguments.ts';
import { stateFields, toState, type VersionedState } from './redis-call-state.ts';
import { intentRules, rulesJson } from './redis-rules.ts';
import type { RedisSession } from './redis-session.ts';
import { shiftedMove } from './redis-sheets.ts';
import { callKey, root } from './script-parts.ts';
import { applyScript, placeScript } from './scripts.ts';

const maxRetries = 20;
/** How many due entries are read at once. Many of them may wait for an earlier call on their record. */
const duePageSize = 200;

export class RedisCalls implements Asynchronous<CallOperations> {
  constructor(private readonly session: RedisSession) {}

  async place(intent: Intent): Promise<PlaceResult> {
    const { call } = intent;
    const { session } = this;
    const record = newCallState(intent);
    const [kind, ...rest] = await session.write(
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
      session.shifted(intent.deadline),
      record.arrivals,
      record.log,
      intentRules(intent, session.shifted(record.leasedUntil), session.shifted(intent.now)),
      ...talliesOf(intent).flatMap((tally) => [tally.bucket, tally.max, session.shifted(tally.expires)]),
    );
    if (kind === 'same')
      return { kind, call: JSON.parse(toText(rest[0])) as Call, placedBy: toText(rest[1]) as PlacedBy };
    if (kind === 'refused') return intent.refusal!;
    if (kind === 'doNotCall') return { kind, entry: JSON.parse(toText(rest[0])) as DoNotCallEntry };
    if (kind === 'leased') return { kind, lease: JSON.parse(toText(rest[0])) as Lease };
    if (kind === 'limited') return { kind, bucket: toText(rest[0]) };
    if (kind === 'placed') session.acknowledge(Number(rest[0]));
    return { kind: kind as 'placed' | 'otherRequest' | 'idTaken' | 'itemTaken' };
  }

  private shifted(move: AmendedRules['move']): AmendedRules['move'] {
    return move && shiftedMove(move, this.session.clockOffsetMs);
  }

  async apply(change: CallChange): Promise<Applied> {
    const logNow = change.now + this.session.clockOffsetMs;
    const answer = await this.update(change.callId, change.now, (current) =>
      applyChange(current, change, logNow),
    );
    return answer ?? { kind: 'unknownCall' };
  }

  async amend({ callId, amendment, now }: Amend): Promise<Amended> {
    const { clockOffsetMs } = this.session;
    const shifted = shiftedBy(clockOffsetMs, amendment);
    const answer = await this.update(callId, now, (current) =>
      amendCall(current, shifted, now, now + clockOffsetMs),
    );
    return answer ?? { kind: 'unknownCall' };
  }

  /**
   * Decides on the call as read. The script writes only if the call was not changed meanwhile.
   * @returns undefined without a call
   */
  private async update<A>(
    callId: string,
    now: number,
    decide: (current: CallState) => {
      answer: A;
      next?: CallState;
      forward?: DecidedChange['forward'];
      rules?: AmendedRules | undefined;
    },
  ): Promise<A | undefined> {
    for (let attempt = 0; attempt < maxRetries; attempt++) {
      const read = await this.read(callId);
      if (!read) {
        await this.session.confirmEpoch();
        return undefined;
      }
      const { current, version } = read;
      const { answer, next, forward, rules } = decide(current);
      if (!next) return answer;
      const [kind, seq] = await this.session.write(
        applyScript,
        callId,
        version,
        now,
        next.data === current.data ? '' : next.data,
        Number(next.isOpen),
        Number(next.isDialling),
        next.deadline === undefined ? '' : this.session.shifted(next.deadline),
        next.arrivals,
        forward?.id ?? '',
        forward?.body ?? '',
        this.session.shifted(now),
        this.session.shifted(next.leasedUntil),
        rules ? rulesJson({ ...rules, move: this.shifted(rules.move) }) : '',
        ...indexArguments(current, next),
      );
      if (kind !== 'done') continue;
      this.session.acknowledge(Number(seq));
      return answer;
    }
    throw new StoreError('the call changes too often', 'contention');
  }

  private async read(callId: string): Promise<VersionedState | undefined> {
    const fields = await this.session.writer.send('HMGET', callKey(callId), ...stateFields);
    return toState(fields as HashField[], this.session.clockOffsetMs);
  }

  async listDueEntries(query: { system: string; now: number; limit: number }): Promise<DueCalls> {
    const { system, limit } = query;
    const { reader, clockOffsetMs } = this.session;
    const now = query.now + clockOffsetMs;
    const key = `${root}log-due:${system}`;
    const callIds: string[] = [];
    for (let start = 0, isLast = false; !isLast && callIds.length < limit; start += duePageSize) {
      const range = ['-inf', now, 'BYSCORE', 'LIMIT', start, duePageSize];
      const due = (await reader.send('ZRANGE', key, ...range)) as string[];
      // Entries on one record are sent in the order of their calls.
      const firsts = await Promise.all(
        due.map((place) => reader.send('ZRANGE', `${root}log-lane:${system} ${splitPlace(place)[1]}`, 0, 0)),
      );
      const heads = due
        .map((place) => splitPlace(place)[0])
        .filter((id, n) => (firsts[n] as string[])[0] === id);
      callIds.push(...heads.slice(0, limit - callIds.length));
      isLast = due.length < duePageSize;
    }
    const [next] = pairs(
      await reader.send('ZRANGE', key, `(${now}`, '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES'),
    );
    const pending = Number(await reader.send('ZCARD', key));
    return { callIds, pending, ...(next ? { next: Number(next[1]) - clockOffsetMs } : {}) };
  }

  async listUnlogged(limit: number): Promise<UnloggedCall[]> {
    const { reader } = this.session;
    const ids = (await reader.send('ZRANGE', `${root}unlogged`, 0, limit - 1)) as string[];
    const rows = await Promise.all(ids.map((id) => reader.send('HMGET', callKey(id), 'data', 'log')));
    return rows.flatMap((row) => {
      const [data, log] = row as HashField[];
      return data == null ? [] : [{ call: JSON.parse(data) as Call, entries: parseLog(toText(log)).entries }];
    });
  }

  async listCallbacks(channels: readonly string[], limit: number): Promise<Call[]> {
    const { reader } = this.session;
    const found = await Promise.all(
      channels.map(async (channel) =>
        pairs(await reader.send('ZRANGE', `${root}callbacks:${channel}`, 0, limit - 1, 'WITHSCORES')),
      ),
    );
    const ids = found
      .flat()
      .sort((a, b) => Number(a[1]) - Number(b[1]))
      .slice(0, limit);
    const calls = await Promise.all(ids.map(([id]) => this.find(id)));
    return calls.flatMap((each) => (each ? [each.call] : []));
  }

  async find(id: string): Promise<FoundCall | undefined> {
    const fields = ['data', 'channel', 'placedBy'];
    const found = await this.session.reader.send('HMGET', callKey(id), ...fields);
    const [data, channel, placedBy] = found as HashField[];
    if (data == null) return undefined;
    return {
      call: JSON.parse(data) as Call,
      channel: toText(channel),
      placedBy: toText(placedBy) as PlacedBy,
    };
  }

  async history(
    channels: readonly string[],
    limit: number,
    before: string | undefined,
  ): Promise<History | undefined> {
    const { reader } = this.session;
    let below = '+inf';
    if (before !== undefined) {
      const channel = toText(await reader.send('HGET', callKey(before), 'channel'));
      if (!channels.includes(channel)) return undefined;
      below = `(${toText(await reader.send('ZSCORE', `${root}history:${channel}`, before))}`;
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
    // The head is read first. Events during the later reads are left out here and sent live.
    const head = await this.session.head();
    const events = await Promise.all(
      channels.map(async (channel) => {
        const ids = (await reader.send('ZRANGE', `${root}open:${channel}`, 0, -1)) as string[];
        const rows = await Promise.all(ids.map((id) => reader.send('HMGET', callKey(id), 'data', 'seq')));
        return rows.flatMap((row, index): StoredEvent[] => {
          const [data, seq] = row as HashField[];
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
    const range = ['-inf', `(${this.session.shifted(now)}`, 'BYSCORE', 'LIMIT', 0, limit];
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

/** The times of a claim by the clock of Redis: another relay's clock may be minutes off. */
function shiftedBy(ms: number, amendment: Amendment): Amendment {
  if (ms === 0) return amendment;
  if ('until' in amendment) return { ...amendment, until: amendment.until + ms };
  if (amendment.kind !== 'settleEntry' || !('due' in amendment.outcome)) return amendment;
  return { ...amendment, outcome: { ...amendment.outcome, due: amendment.outcome.due + ms } };
}

/** `CALL LANE` */
function splitPlace(place: string): [callId: string, lane: string] {
  const blank = place.indexOf(' ');
  return [place.slice(0, blank), place.slice(blank + 1)];
}
