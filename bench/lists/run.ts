/**
 * Measures a national register as a large list: the time to build it, the waits of requests meanwhile, its size,
 * and what it adds to a dial.
 */

import { once } from 'node:events';
import { createWriteStream, existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOfKey, NumberFile } from '../../relay/rules/lists/number-file.ts';
import { newClick, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { millisecondsOf, quantile } from '../statistics.ts';
import { formatTable } from '../table.ts';

const defaultRows = 10_000_000;
const dials = 2000;
const lookups = 20_000;
/** The pause between two requests that are timed while the list is built. */
const probeIntervalMs = 20;
const budget = { buildSeconds: 90, megabytes: 500, longestWaitMs: 50, lookupP99Ms: 1 };

/** Prints one table; `json`: a file that gets the figures. @param options `rows` of the list. */
export async function run({ json, rows }: { json?: string; rows?: string }): Promise<void> {
  const count = Number(rows ?? defaultRows);
  const folder = await temporaryFolder();
  const [from, rules] = [folder.file('register.csv'), folder.file('rules.json')];
  await writeRegister(from, count);
  await writeFile(rules, JSON.stringify({ lists: [{ name: 'national', from }] }));
  const settings = { COUNTRY: 'BR', MAX_CALLS_PER_DAY: '100000000' };
  const plain = await startTestRelay({ ...settings, STORE: `sqlite:${folder.file('plain.db')}` });
  // The first request of a process is slow by itself. That must not count as a wait for the list.
  for (const path of ['/healthz', '/metrics']) await plain.ask(path);
  const start = performance.now();
  const relay = await startTestRelay({
    ...settings,
    STORE: `sqlite:${folder.file('relay.db')}`,
    RULES_FILE: rules,
    LISTS_FOLDER: folder.path,
  });
  try {
    const waits: number[] = [];
    const file = folder.file('national.numbers');
    const isBuilt = async () => {
      waits.push(await millisecondsOf(() => relay.ask('/healthz')));
      await pause(probeIntervalMs);
      return (await relay.ask('/metrics')).text.includes('dialmark_lists_failing 0') && existsSync(file);
    };
    await until(isBuilt, 'the list', 30 * 60_000);
    const buildSeconds = (performance.now() - start) / 1000;
    const megabytes = statSync(file).size / 1e6;
    const times = await compareDials(plain, relay);
    const lookupP99 = quantile(timeLookups(file, count), 0.99);
    const longest = Math.max(...waits);
    console.log(`\nlists: a register of ${count.toLocaleString('en')} numbers, built while a relay serves`);
    console.log(
      formatTable([
        ['', 'measured', 'budget'],
        ['built in, s', buildSeconds.toFixed(1), String(budget.buildSeconds)],
        ['file, MB', megabytes.toFixed(0), String(budget.megabytes)],
        ['longest request meanwhile, ms', longest.toFixed(1), String(budget.longestWaitMs)],
        ['99 % of requests meanwhile, ms', quantile(waits, 0.99).toFixed(1), ''],
        [
          'a look-up, which is what it adds to a dial, p99, ms',
          lookupP99.toFixed(3),
          String(budget.lookupP99Ms),
        ],
        ['dial without the list, p50 and p99, ms', times.plain, ''],
        ['dial with it, p50 and p99, ms', times.listed, ''],
      ]),
    );
    if (json !== undefined)
      await writeFile(
        json,
        JSON.stringify({ count, buildSeconds, megabytes, longest, lookupP99, times, budget }, null, 2),
      );
    const isKept =
      buildSeconds <= budget.buildSeconds &&
      megabytes <= budget.megabytes &&
      longest <= budget.longestWaitMs &&
      lookupP99 <= budget.lookupP99Ms;
    if (!isKept) throw new Error('lists: a figure is beyond its budget');
  } finally {
    await relay.stop();
    await plain.stop();
    await folder.remove();
  }
}

/** The mobile in this row of the register. */
const numberAt = (row: number): string =>
  `${11 + (row % 9)}9${String((row * 7_368_787) % 100_000_000).padStart(8, '0')}`;

/** Writes the register as a CSV file. Its numbers are not sorted. */
async function writeRegister(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('number;listed\n');
  const batch = 100_000;
  for (let first = 0; first < count; first += batch) {
    let text = '';
    for (let n = first; n < Math.min(count, first + batch); n++) text += `${numberAt(n)};2026-01-01\n`;
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** Times announced calls, because those do not reach a calling service. The two relays take turns. */
async function compareDials(plain: TestRelay, listed: TestRelay) {
  const times = { plain: [] as number[], listed: [] as number[] };
  const agents = { plain: await plain.agent('1105'), listed: await listed.agent('1105') };
  for (let n = 0; n < dials; n++) {
    const body = { to: `4832${String(n).padStart(6, '0')}`, placedBy: 'client' };
    for (const [name, relay] of [['plain', plain] as const, ['listed', listed] as const])
      times[name].push(
        await millisecondsOf(() => relay.ask('/v1/calls', { as: agents[name], body, headers: newClick() })),
      );
  }
  const shown = (each: number[]) => `${quantile(each, 0.5).toFixed(2)}, ${quantile(each, 0.99).toFixed(2)}`;
  return { plain: shown(times.plain), listed: shown(times.listed) };
}

/** Times look-ups. Half of the numbers are in the list. @returns the milliseconds of each look-up. */
function timeLookups(path: string, count: number): number[] {
  const file = new NumberFile(path);
  try {
    return Array.from({ length: lookups }, (_, n) => {
      // Every other number is a landline. The register has only mobiles.
      const number = n % 2 === 0 ? numberAt((n * 99_991) % count) : `1132${String(n).padStart(6, '0')}`;
      const code = codeOfKey(`+55${number}`)!;
      const start = performance.now();
      file.has(code);
      return performance.now() - start;
    });
  } finally {
    file.close();
  }
}
