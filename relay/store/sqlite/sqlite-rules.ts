import type { Call } from '../../../shared/call/call.ts';
import type { DoNotCallEntry } from '../../../shared/protocol/do-not-call.ts';
import type { Callee } from '../../../shared/rules/callee.ts';
import { sql } from '../../../shared/server/sql.ts';
import type { AmendedRules } from '../amendment.ts';
import { refusalOnStatus } from '../judge-intent.ts';
import type { Intent, PlaceResult } from '../store.ts';
import {
  type AuditPage,
  type AuditRecord,
  type DoNotCallRows,
  endOf,
  type Lease,
  type ListedEntry,
  lastsLonger,
  type RuleOperations,
  type RulesStatus,
  talkDepth,
} from '../team-rules.ts';
import type { RelayDatabase } from './relay-database.ts';

/**
 * How many of a number's newest calls are searched for a lease. While a caller has a lease, others cannot add calls.
 */
const leaseDepth = 20;

type ListedRow = { key: string; data: string };
const toEntry = ({ data }: Pick<ListedRow, 'data'>) => JSON.parse(data) as DoNotCallEntry;

export class SqliteRules implements RuleOperations {
  constructor(private readonly database: RelayDatabase) {}

  /** Why the rules stop a call, inside the transaction that journals it. */
  refusalOf(intent: Intent): PlaceResult | undefined {
    const { call, callee, lease, now } = intent;
    if (!callee) return undefined;
    const status = lease ? this.statusOf(callee, now, call.from) : this.listedStatus(callee, now);
    return refusalOnStatus(intent, status);
  }

  list(entries: readonly ListedEntry[], audit: readonly AuditRecord[]): number {
    let changed = 0;
    for (const { key, entry } of entries) {
      const known = this.database.get<{ ends: number; callId: string | null }>(sql`
        SELECT ends, data ->> 'callId' AS callId FROM do_not_call
        WHERE key = ${key} AND (ends = 0 OR ends > ${Date.parse(entry.at)})`);
      const ends = endOf(entry);
      if (!known || lastsLonger(ends, known.ends)) {
        const values = sql`${key}, ${ends}, ${JSON.stringify(entry)}`;
        changed += this.database.run(sql`INSERT OR REPLACE INTO do_not_call VALUES (${values})`);
      }
      if (known && known.callId !== (entry.callId ?? null))
        this.database.run(
          sql`UPDATE do_not_call SET data = json_remove(data, '$.callId') WHERE key = ${key}`,
        );
    }
    this.record(audit);
    return changed;
  }

  unlist(key: string, audit: AuditRecord): boolean {
    if (this.database.run(sql`DELETE FROM do_not_call WHERE key = ${key}`) === 0) return false;
    this.record([audit]);
    return true;
  }

  takeBack({ key, callId, audit }: NonNullable<AmendedRules['takenBack']>): void {
    const own = sql`SELECT 1 FROM do_not_call WHERE key = ${key} AND data ->> 'callId' = ${callId}`;
    if (this.database.get(own)) this.unlist(key, audit);
  }

  listed(after: string, limit: number): DoNotCallRows {
    const rows = this.database.all<ListedRow>(
      sql`SELECT key, data FROM do_not_call WHERE key > ${after} ORDER BY key LIMIT ${limit}`,
    );
    return {
      rows: rows.map((row) => ({ key: row.key, entry: toEntry(row) })),
      ...(rows.length < limit ? {} : { next: rows.at(-1)!.key }),
    };
  }

  status(callees: readonly Callee[], now: number): RulesStatus[] {
    return callees.map((callee) => this.statusOf(callee, now));
  }

  tallies(buckets: readonly string[]): number[] {
    return buckets.map((bucket) => {
      const row = this.database.get<{ count: number }>(sql`SELECT count FROM tally WHERE bucket = ${bucket}`);
      return row?.count ?? 0;
    });
  }

  count({ bucket, by }: NonNullable<AmendedRules['attempt']>): void {
    this.database.run(sql`UPDATE tally SET count = count + ${by} WHERE bucket = ${bucket}`);
  }

  lastTalks(keys: readonly string[], channels: readonly string[]): (Call | undefined)[] {
    const wanted = JSON.stringify(channels);
    return keys.map((key) => {
      const rows = this.database.all<{ data: string }>(sql`
        SELECT data FROM call WHERE callee_key = ${key} AND channel IN (SELECT value FROM json_each(${wanted}))
        ORDER BY n DESC LIMIT ${talkDepth}`);
      return rows.map(({ data }) => JSON.parse(data) as Call).find(({ talkSeconds = 0 }) => talkSeconds > 0);
    });
  }

  record(audit: readonly AuditRecord[]): void {
    for (const record of audit)
      this.database.run(sql`INSERT INTO audit VALUES (NULL, ${record.at}, ${JSON.stringify(record)})`);
  }

  audit(since: string, limit: number, before?: string): AuditPage {
    // The first page goes by the index of times. With it, each later page would sort all records again.
    const wanted =
      before === undefined ? sql`at >= ${since}` : sql`+at >= ${since} AND n < ${Number(before)}`;
    const rows = this.database.all<{ n: number; data: string }>(
      sql`SELECT n, data FROM audit WHERE ${wanted} ORDER BY n DESC LIMIT ${limit}`,
    );
    return {
      records: rows.map(({ data }) => JSON.parse(data) as AuditRecord),
      ...(rows.length < limit ? {} : { next: String(rows.at(-1)!.n) }),
    };
  }

  /**
   * @param except a caller whose leases do not count. Another caller may have a lease on a further number of the
   * callee.
   */
  private statusOf(callee: Callee, now: number, except?: string): RulesStatus {
    const leases = callee.numbers.map((number) => this.leaseOf(number, now));
    const lease = leases.find((found) => found && found.caller !== except);
    return { ...this.listedStatus(callee, now), ...(lease ? { lease } : {}) };
  }

  private listedStatus({ numbers, prefixes }: Callee, now: number): RulesStatus {
    const keys = JSON.stringify([...numbers, ...prefixes]);
    const row = this.database.get<ListedRow>(sql`
      SELECT do_not_call.key, data FROM json_each(${keys}) JOIN do_not_call ON do_not_call.key = json_each.value
      WHERE ends = 0 OR ends > ${now} LIMIT 1`);
    return row ? { doNotCall: toEntry(row) } : {};
  }

  private leaseOf(number: string, now: number): Lease | undefined {
    const row = this.database.get<{ lease: string }>(sql`
      SELECT lease FROM (
        SELECT lease, leased_until FROM call WHERE callee_key = ${number} AND lease IS NOT NULL
        ORDER BY n DESC LIMIT ${leaseDepth}
      ) WHERE leased_until > ${now} LIMIT 1`);
    return row && (JSON.parse(row.lease) as Lease);
  }
}
