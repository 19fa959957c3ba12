/**
 * Measures call sheets. While relays are killed, two agents must not call the same item. A sheet of 100,000 items is
 * imported, and items are claimed from it.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { openRedisStore } from '../../relay/store/redis/redis-store.ts';
import { openSqliteStore } from '../../relay/store/sqlite/sqlite-store.ts';
import type { Store } from '../../relay/store/store.ts';
import { newCallId } from '../../shared/call/call.ts';
import { runRelayCommand } from '../../testing/relay/relay-process.ts';
import { type SheetFigures, workWhileKilling } from '../../testing/relay/sheet-kills.ts';
import { startRedis } from '../../testing/servers/redis-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { quantile } from '../statistics.ts';
import { formatTable } from '../table.ts';

const rows = 100_000;
const claims = 2000;
/** How late an item may be claimed again: both relays may be down at the end of its lease. */
const maxLateMs = 30_000;

/** @throws Error where an item was called or claimed by two, is not done at the end, or was stuck. */
export async function run({ json, items }: { json?: string; items?: string }): Promise<void> {
  const large = [await largeSheet('SQLite'), await largeSheet('Redis')];
  const options = { agents: 50, leaseSeconds: 5, killEveryMs: 3000, abandonedShare: 0.01 };
  const killed = await workWhileKilling({ ...options, items: Number(items ?? 10_000) });
  const figures = { bench: 'sheets', load: loadavg()[0], large, killed };
  if (json) await writeFile(json, JSON.stringify(figures, null, 2));
  console.log('\nsheets: a sheet of 100,000, and 50 agents at two relays on one Redis that are killed');
  console.log(
    formatTable([
      ['', ...large.map(({ name }) => name)],
      ['import of 100,000 rows by command, s', ...large.map(({ importSeconds }) => importSeconds.toFixed(1))],
      ['claim p50 / p99, ms', ...large.map(({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`)],
      ['its counts, ms', ...large.map(({ countMs }) => countMs.toFixed(1))],
    ]),
  );
  console.log(formatTable(rowsOf(killed)));
  const wrong = killed.calledTwice + killed.claimedTwice + killed.notDone;
  if (wrong > 0) throw new Error(`${wrong} items were called or claimed by two, or are not done`);
  const { longestLateMs } = killed;
  if (longestLateMs > maxLateMs) throw new Error(`an item came back ${longestLateMs} ms after its lease`);
}

const rowsOf = (killed: SheetFigures): string[][] => [
  ['relays killed', String(killed.kills)],
  ['items called by two', String(killed.calledTwice)],
  ['items claimed by a second agent before the first claim ended', String(killed.claimedTwice)],
  ['items not done at the end', String(killed.notDone)],
  ['claims whose agent went away', String(killed.abandoned)],
  ['their items claimed again at the latest after the claim, ms', killed.longestLateMs.toFixed(0)],
  ['items whose relay died before it dialled: unknown, and not called again', String(killed.neverDialled)],
  ['time for all, s', killed.seconds.toFixed(0)],
];

async function largeSheet(name: 'SQLite' | 'Redis') {
  const folder = await temporaryFolder();
  const redis = name === 'Redis' ? await startRedis(true) : undefined;
  let store: Store | undefined;
  try {
    const file = folder.file('leads.csv');
    const lines = Array.from({ length: rows }, (_, n) => `Person ${n},Acme,+55 48 9${90_000_000 + n}`);
    await writeFile(file, `Name,Company,Phone\n${lines.join('\n')}\n`);
    const path = folder.file('relay.db');
    store = redis ? await openRedisStore(redis) : await openSqliteStore({ path });
    const environment = { STORE: redis?.url ?? `sqlite:${path}`, COUNTRY: 'BR', SECRET: 'x'.repeat(40) };
    const start = performance.now();
    const imported = await runRelayCommand(['sheet', 'import', file, '--team', 'sales'], environment);
    if (imported.code !== 0) throw new Error(imported.stderr);
    const importSeconds = (performance.now() - start) / 1000;
    const sheet = imported.stdout.trim();
    const times: number[] = [];
    for (let n = 0; n < claims; n++) {
      const now = Date.now();
      const begin = performance.now();
      const { item } = await store.sheets.claim({ sheet, caller: newCallId(), now, until: now + 3_600_000 });
      times.push(performance.now() - begin);
      if (!item) throw new Error('expected an item');
    }
    const begin = performance.now();
    await store.sheets.find(sheet);
    const countMs = performance.now() - begin;
    return { name, importSeconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99), countMs };
  } finally {
    await store?.close();
    await redis?.stop();
    await folder.remove();
  }
}
