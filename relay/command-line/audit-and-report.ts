/** `audit` and `report`: what the store knows of who did what, for the operator. */
import type { Call } from '../../shared/call/call.ts';
import { outcomeOf } from '../../shared/call/outcome.ts';
import { printRow } from '../../shared/server/print.ts';
import type { Store } from '../store/store.ts';
import type { AuditRecord } from '../store/team-rules.ts';

const pageSize = 500;

export async function printAudit(store: Store, since: string): Promise<void> {
  const rows: string[][] = [];
  const names = new Map((await store.keys.list()).map(({ id, name }) => [id, name]));
  for await (const { at, action, by, about, callId = '', detail = '' } of auditSince(store, since))
    rows.push([at, action, names.get(by) ? `${names.get(by)} (${by})` : by, about, callId, detail]);
  for await (const { createdAt, from, to, id } of callsSince(store, since))
    rows.push([createdAt, 'call', from, to, id, '']);
  rows.sort(([a], [b]) => (a! < b! ? -1 : 1));
  for (const row of rows) printRow(row);
}

async function* auditSince({ rules }: Store, since: string): AsyncGenerator<AuditRecord> {
  for await (const { records } of pagesOf((before) => rules.audit(since, pageSize, before))) yield* records;
}

interface Sums {
  calls: number;
  answered: number;
  talkSeconds: number;
  callbacks: number;
}

/** Prints sums by outcome. They are by agent only on request, since such a list is about people. */
export async function printReport(store: Store, since: string, isByAgent: boolean): Promise<void> {
  const sums = new Map<string, Sums>();
  for await (const call of callsSince(store, since)) {
    const row = [...(isByAgent ? [call.from] : []), call.wrapUp?.outcome ?? 'none'].join(',');
    const sum = sums.get(row) ?? { calls: 0, answered: 0, talkSeconds: 0, callbacks: 0 };
    sum.calls += 1;
    sum.answered += Number(outcomeOf(call) === 'answered');
    sum.talkSeconds += call.talkSeconds ?? 0;
    sum.callbacks += Number(call.wrapUp?.callBackAt !== undefined);
    sums.set(row, sum);
  }
  const line = (...cells: (string | number)[]) => process.stdout.write(`${cells.join(',')}\r\n`);
  line(...(isByAgent ? ['agent'] : []), 'outcome', 'calls', 'answered', 'talkSeconds', 'callbacks');
  for (const [row, { calls, answered, talkSeconds, callbacks }] of [...sums].sort())
    line(row, calls, answered, talkSeconds, callbacks);
}

/**
 * Calls of every caller that ever had a key, newest first. Only a whole page of older calls ends the search. If a clock
 * was wrong for a while, new calls have old times.
 */
async function* callsSince({ keys, calls }: Store, since: string): AsyncGenerator<Call> {
  const callers = [...new Set((await keys.list()).flatMap((key) => key.callers))];
  for await (const page of pagesOf((before) => calls.history(callers, pageSize, before))) {
    const wanted = page.calls.filter(({ createdAt }) => createdAt >= since);
    if (wanted.length === 0) return;
    yield* wanted;
  }
}

/** Reads page by page, the newest first. @param read gets the `next` of the page before; undefined for the first. */
async function* pagesOf<Page extends { next?: string | undefined }>(
  read: (before: string | undefined) => Promise<Page | undefined>,
): AsyncGenerator<Page> {
  for (
    let page = await read(undefined);
    page;
    page = page.next === undefined ? undefined : await read(page.next)
  )
    yield page;
}
