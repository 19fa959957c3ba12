import type { Call } from '../../../shared/call/call.ts';
import { Sql, sql } from '../../../shared/server/sql.ts';
import { parseLog } from '../../log/call-log.ts';
import { isBucketOfNumber, numbersMatching } from '../belongs-to-number.ts';
import type { CallsOfNumber, MaintenanceOperations, Retention } from '../maintenance.ts';
import type { EventLog } from './event-log.ts';
import type { RelayDatabase } from './relay-database.ts';
import type { SqliteSheets } from './sqlite-sheets.ts';

/** Tables whose rows name a number: the primary key, a key before the first row, and the number. */
const traces = [
  { table: 'tally', id: ['bucket'], first: [''], about: 'bucket' },
  { table: 'audit', id: ['n'], first: [0], about: "json_extract(data, '$.about')" },
  { table: 'sheet_item', id: ['sheet', 'n'], first: ['', 0], about: 'key' },
];
/** An index into `traces`, and the primary key of the row that was read last. */
type TraceCursor = [number, ...(string | number)[]];
const beforeFirst = (step: number): TraceCursor => [step, ...traces[step]!.first];
type CallToDelete = { id: string; seq: number };

export class SqliteMaintenance implements MaintenanceOperations {
  constructor(
    private readonly database: RelayDatabase,
    private readonly log: EventLog,
    private readonly sheets: SqliteSheets,
  ) {}

  prune({ callsBefore, eventsBefore, now, limit }: Retention): number {
    const events = this.log.prune(eventsBefore, limit);
    // An entry that is neither in its CRM nor given up, or a call to be repeated, keeps its call.
    const calls = this.database.all<CallToDelete>(sql`
      SELECT id, seq FROM call WHERE created_at < ${callsBefore} AND open = 0 AND call_back IS NULL AND unlogged = 0
      ORDER BY created_at LIMIT ${limit}`);
    this.deleteStored(calls);
    const tallies = this.database.run(sql`
      DELETE FROM tally WHERE bucket IN (SELECT bucket FROM tally WHERE expires < ${now} LIMIT ${limit})`);
    const oldest = new Date(callsBefore).toISOString();
    const audit = this.database.run(sql`
      DELETE FROM audit WHERE n IN (SELECT n FROM audit WHERE at < ${oldest} ORDER BY at LIMIT ${limit})`);
    const listed = this.database.run(sql`
      DELETE FROM do_not_call
      WHERE key IN (SELECT key FROM do_not_call WHERE ends > 0 AND ends <= ${now} LIMIT ${limit})`);
    return events + calls.length + tallies + audit + listed + this.sheets.prune(callsBefore, limit);
  }

  findCallsOfNumber(forms: readonly string[], cursor: string, limit: number): CallsOfNumber {
    const stored = this.database.all<{
      n: number;
      id: string;
      data: string;
      log: string;
      key: string | null;
    }>(sql`
      SELECT n, id, data, log, callee_key AS key FROM call WHERE n > ${Number(cursor)} ORDER BY n LIMIT ${limit}`);
    const calls = stored.map(({ id, data, log, key }) => ({
      id,
      numbers: numbersMatching(JSON.parse(data) as Call, key ?? '', forms),
      entries: parseLog(log).entries,
    }));
    return {
      calls: calls.filter(({ numbers }) => numbers.length > 0),
      ...(stored.length < limit ? {} : { next: String(stored.at(-1)!.n) }),
    };
  }

  deleteCalls(ids: readonly string[]): number {
    const stored = ids.flatMap((id) =>
      this.database.all<CallToDelete>(sql`SELECT id, seq FROM call WHERE id = ${id}`),
    );
    this.deleteStored(stored);
    return stored.length;
  }

  deleteTraces(forms: readonly string[], cursor: string, limit: number): string | undefined {
    const [step, ...after] = cursor === '' ? beforeFirst(0) : (JSON.parse(cursor) as TraceCursor);
    const { table, id, about } = traces[step]!;
    const columns = id.join(', ');
    const marks = id.map(() => '?').join(', ');
    const read = `SELECT ${columns}, ${about} AS about FROM ${table}
      WHERE (${columns}) > (${marks}) ORDER BY ${columns} LIMIT ?`;
    const rows = this.database.all<Record<string, string | number> & { about: string }>(
      new Sql(read, [...after, limit]),
    );
    const idOf = (row: (typeof rows)[number]) => id.map((column) => row[column]!);
    for (const row of rows)
      if (isBucketOfNumber(row.about, forms))
        this.database.run(new Sql(`DELETE FROM ${table} WHERE (${columns}) = (${marks})`, idOf(row)));
    const last = rows.at(-1);
    if (last && rows.length === limit) return JSON.stringify([step, ...idOf(last)]);
    if (step + 1 < traces.length) return JSON.stringify(beforeFirst(step + 1));
    this.database.rewriteAfterCommit();
    return undefined;
  }

  listForgotten(): string[] {
    return this.database
      .all<{ name: string }>(sql`SELECT name FROM meta WHERE name GLOB 'forgotten:*'`)
      .map(({ name }) => name.slice('forgotten:'.length));
  }

  forgottenKey(offered: string): string {
    const known = this.database.meta('forgotten-key');
    if (known === undefined) this.database.setMeta('forgotten-key', offered);
    return known ?? offered;
  }

  setForgotten(hash: string, isForgotten: boolean): void {
    const name = `forgotten:${hash}`;
    if (isForgotten) this.database.setMeta(name, '');
    else this.database.run(sql`DELETE FROM meta WHERE name = ${name}`);
  }

  check(): void {
    this.database.setMeta('checked', String(Date.now()));
  }

  private deleteStored(calls: readonly CallToDelete[]): void {
    if (calls.length === 0) return;
    this.log.saveHead();
    for (const { id, seq } of calls) {
      this.log.deleteChain(seq);
      this.database.run(sql`DELETE FROM due_entry WHERE n = (SELECT n FROM call WHERE id = ${id})`);
      this.database.run(sql`DELETE FROM call WHERE id = ${id}`);
      this.database.run(sql`DELETE FROM forward WHERE call_id = ${id}`);
    }
  }
}
