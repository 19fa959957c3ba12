import type { Call } from '../../../shared/call/call.ts';
import type { DoNotCallEntry } from '../../../shared/protocol/do-not-call.ts';
import type { Callee } from '../../../shared/rules/callee.ts';
import type { AmendedRules } from '../amendment.ts';
import { overrideRecords } from '../judge-intent.ts';
import type { Asynchronous, Intent } from '../store.ts';
import {
  type AuditPage,
  type AuditRecord,
  type DoNotCallRows,
  endOf,
  type Lease,
  type ListedEntry,
  type RuleOperations,
  type RulesStatus,
  talkDepth,
} from '../team-rules.ts';
import { type HashField, type RedisReply, toText } from './connection.ts';
import type { RedisSession } from './redis-session.ts';
import { listScript, newestCallsScript, root, unlistScript } from './script-parts.ts';

export class RedisRules implements Asynchronous<RuleOperations> {
  constructor(private readonly session: RedisSession) {}

  async list(entries: readonly ListedEntry[], audit: readonly AuditRecord[]): Promise<number> {
    const [, changed] = await this.session.write(listScript, rulesJson({ entries, audit }));
    return Number(changed);
  }

  async unlist(key: string, audit: AuditRecord): Promise<boolean> {
    const [, removed] = await this.session.write(unlistScript, key, JSON.stringify(audit));
    return removed === 1;
  }

  async listed(after: string, limit: number): Promise<DoNotCallRows> {
    const { reader } = this.session;
    const range = [after === '' ? '-' : `(${after}`, '+', 'BYLEX', 'LIMIT', 0, limit];
    const keys = (await reader.send('ZRANGE', `${root}do-not-call-keys`, ...range)) as string[];
    if (keys.length === 0) return { rows: [] };
    const values = (await reader.send('HMGET', `${root}do-not-call`, ...keys)) as HashField[];
    const rows = values.flatMap((value, index) => {
      const row = value === null ? undefined : parseEntry(value);
      return row ? [{ key: keys[index]!, entry: row.entry }] : [];
    });
    return { rows, ...(keys.length < limit ? {} : { next: keys.at(-1)! }) };
  }

  async status(callees: readonly Callee[], now: number): Promise<RulesStatus[]> {
    return Promise.all(callees.map((callee) => this.statusOf(callee, now)));
  }

  async tallies(buckets: readonly string[]): Promise<number[]> {
    const keys = buckets.map((bucket) => `${root}tally:${bucket}`);
    return ((await this.session.reader.send('MGET', ...keys)) as HashField[]).map(Number);
  }

  async lastTalks(keys: readonly string[], channels: readonly string[]): Promise<(Call | undefined)[]> {
    const wanted = new Set(channels);
    return Promise.all(keys.map((key) => this.lastTalk(key, wanted)));
  }

  private async lastTalk(key: string, channels: ReadonlySet<string>): Promise<Call | undefined> {
    const { reader } = this.session;
    const callers = (await reader.send('SMEMBERS', `${root}callers-of:${key}`)) as string[];
    const wanted = callers.filter((caller) => channels.has(caller));
    if (wanted.length === 0) return undefined;
    const calls = (await reader.script(newestCallsScript, key, talkDepth, ...wanted)) as HashField[];
    return calls
      .flatMap((data) => (data === null ? [] : [JSON.parse(data) as Call]))
      .find(({ talkSeconds = 0 }) => talkSeconds > 0);
  }

  async record(audit: readonly AuditRecord[]): Promise<void> {
    await this.session.write(listScript, rulesJson({ entries: [], audit }));
  }

  async audit(since: string, limit: number, before?: string): Promise<AuditPage> {
    const range = [before === undefined ? '+' : `(${before}`, Date.parse(since), 'COUNT', limit];
    const entries = (await this.session.reader.send('XREVRANGE', `${root}audit`, ...range)) as [
      string,
      RedisReply[],
    ][];
    return {
      records: entries.map(([, fields]) => JSON.parse(toText(fields[1])) as AuditRecord),
      ...(entries.length < limit ? {} : { next: entries.at(-1)![0] }),
    };
  }

  private async statusOf({ numbers, prefixes }: Callee, now: number): Promise<RulesStatus> {
    const { reader } = this.session;
    const keys = [...numbers, ...prefixes];
    const [values, ...leases] = await Promise.all([
      reader.send('HMGET', `${root}do-not-call`, ...keys),
      ...numbers.map((number) => reader.send('HVALS', `${root}lease:${number}`)),
    ]);
    const listed = (values as HashField[])
      .map((value) => (value === null ? undefined : parseEntry(value)))
      .find((row) => row && (row.ends === 0 || row.ends > now));
    const lease = (leases.flat() as string[])
      .map((value) => /^(\d+) \S+ (.*)$/s.exec(value))
      .find((found) => Number(found?.[1]) > this.session.shifted(now))?.[2];
    return {
      ...(listed ? { doNotCall: listed.entry } : {}),
      ...(lease ? { lease: JSON.parse(lease) as Lease } : {}),
    };
  }
}

function parseEntry(value: string): { ends: number; entry: DoNotCallEntry } {
  const blank = value.indexOf(' ');
  return { ends: Number(value.slice(0, blank)), entry: JSON.parse(value.slice(blank + 1)) as DoNotCallEntry };
}

/**
 * Changes of the rules as JSON for a script. Inner JSON stays text, because a script would write it in another form.
 */
export const rulesJson = ({ entries, takenBack, audit, move, attempt }: AmendedRules): string =>
  JSON.stringify({
    move,
    attempt,
    takenBack: takenBack && { ...takenBack, audit: JSON.stringify(takenBack.audit) },
    entries: entries.map(({ key, entry }) => ({
      ...{ key, at: Date.parse(entry.at), ends: endOf(entry) },
      entry: JSON.stringify(entry),
    })),
    audit: audit.map((record) => JSON.stringify(record)),
  });

/** An intent's rules for `placeScript`; '' if it has no callee. Leases are compared by the clock of Redis. */
export function intentRules(intent: Intent, leasedUntil: number, now: number): string {
  const { call, callee, lease, override, refusal, attempt } = intent;
  if (!callee) return '';
  return JSON.stringify({
    key: callee.key,
    keys: [...callee.numbers, ...callee.prefixes],
    numbers: callee.numbers,
    override: override !== undefined,
    refused: refusal !== undefined,
    audit: overrideRecords(intent).map((record) => JSON.stringify(record)),
    leasedUntil,
    now,
    item: call.item,
    attempt: attempt?.bucket,
    ...(lease ? { lease: JSON.stringify(lease) } : {}),
  });
}
