/** The directory with 100,000 people and 250,000 numbers: time, sizes and lookups, on SQLite and Redis. */
import { appendFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DirectoryIndex } from '../../relay/directory/index/directory-index.ts';
import { openRedisIndex } from '../../relay/directory/index/redis-index.ts';
import { openSqliteIndex } from '../../relay/directory/index/sqlite-index.ts';
import { vcardSource } from '../../relay/directory/sources/vcard.ts';
import { syncSource } from '../../relay/directory/sync.ts';
import { searchWordsOf } from '../../relay/directory/words.ts';
import { connectRedis } from '../../relay/store/redis/connection.ts';
import { startRedis } from '../../testing/servers/redis-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { millisecondsOf, quantile } from '../statistics.ts';
import { formatTable } from '../table.ts';

const people = 100_000;
const lookups = 2_000;
const numbersPerLookup = 50;
const megabyte = 1024 * 1024;

interface DirectoryFigures {
  engine: string;
  firstSyncSeconds: number;
  /** The processor's time, which a busy machine does not change. */
  firstSyncCpuSeconds: number;
  unchangedSyncSeconds: number;
  /** How much the memory of this process grew during the measurement. */
  memoryMb: number;
  storeMb: number;
  lookupP50Ms: number;
  lookupP99Ms: number;
  searchP99Ms: number;
}

const promised: Partial<Record<keyof DirectoryFigures, number>> = {
  firstSyncSeconds: 60,
  memoryMb: 30,
  storeMb: 120,
  lookupP99Ms: 2,
};

const given = [
  'Ana',
  'Rui',
  'João',
  'Maria',
  'Inês',
  'Paulo',
  'Carla',
  'Tiago',
  'Luís',
  'Beatriz',
  'Eva',
  'Ida',
];
const family = [
  'Prado',
  'Costa',
  'Silva',
  'Souza',
  'Ferreira',
  'Almeida',
  'Nogueira',
  'Braga',
  'Teles',
  'Vaz',
];
const mobile = (n: number) => `9${String(80_000_000 + n)}`;

function cardOf(n: number): string {
  const names = [
    given[n % given.length],
    family[(n * 7) % family.length],
    family[Math.floor(n / 97) % family.length],
  ];
  const name = names.join(' ');
  const landline = `3${String(1_000_000 + ((n * 13) % 9_000_000)).padStart(7, '0')}`;
  const third = n % 2 ? `TEL;TYPE=HOME:+55 21 ${landline}\r\n` : '';
  return (
    `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:5f0c-${n}-9d1e\r\nFN:${name}\r\nORG:Acme ${n % 5000} Ltda\r\nTITLE:Buyer\r\n` +
    `TEL;TYPE=CELL:(48) ${mobile(n)}\r\nTEL;TYPE=WORK:(11) ${landline}\r\n${third}END:VCARD\r\n`
  );
}

export async function run({ json }: { json?: string }): Promise<void> {
  const folder = await temporaryFolder();
  const redis = await startRedis();
  try {
    const file = folder.file('people.vcf');
    await writeFile(file, Array.from({ length: people }, (_, n) => cardOf(n)).join(''));
    const database = folder.file('relay.db.directory');
    const figures = [
      await measure('SQLite', openSqliteIndex(database), file, async () => (await stat(database)).size),
      await measure('Redis', await openRedisIndex(redis.url), file, () => redisBytes(redis.url)),
    ];
    console.log(
      `${people} people, ${people * 2.5} numbers; load ${loadavg()[0]!.toFixed(1)}\n${formatTable(rowsOf(figures))}`,
    );
    if (json)
      for (const each of figures)
        appendFileSync(json, `${JSON.stringify({ bench: 'directory', ...each })}\n`);
  } finally {
    await redis.stop();
    await folder.remove();
  }
}

async function measure(
  engine: string,
  index: DirectoryIndex,
  file: string,
  storeBytes: () => Promise<number>,
): Promise<DirectoryFigures> {
  growYoungGeneration();
  const memoryBefore = await memory();
  const sync = async () => {
    const startedAt = performance.now();
    const result = await syncSource(
      {
        name: 'book',
        source: vcardSource(file),
        rules: { country: 'BR', extensions: [] },
        index,
        readForgotten: async () => ({ has: () => false, digest: '' }),
      },
      { signal: new AbortController().signal },
    );
    if (result?.entries !== people)
      throw new Error(`expected ${people} entries, got ${JSON.stringify(result)}`);
    return (performance.now() - startedAt) / 1000;
  };
  const cpuBefore = process.cpuUsage();
  const firstSyncSeconds = await sync();
  const { user, system } = process.cpuUsage(cpuBefore);
  const firstSyncCpuSeconds = (user + system) / 1e6;
  const unchangedSyncSeconds = await sync();
  const times = { lookup: [] as number[], search: [] as number[] };
  for (let round = 0; round < lookups; round++) {
    const first = (round * 7919) % people;
    const numbers = Array.from(
      { length: numbersPerLookup },
      (_, n) => `+5548${mobile((first + n * 101) % people)}`,
    );
    times.lookup.push(await millisecondsOf(() => index.find(numbers, ['book'])));
    if (round % 20 > 0) continue;
    const words = searchWordsOf(
      `${given[round % given.length]} ${family[round % family.length]!.slice(0, 3)}`,
    );
    times.search.push(await millisecondsOf(() => index.search(words, ['book'], 200)));
  }
  const figures = {
    ...{ engine, firstSyncSeconds, firstSyncCpuSeconds, unchangedSyncSeconds },
    memoryMb: (await memory()) - memoryBefore,
    storeMb: (await storeBytes()) / megabyte,
    lookupP50Ms: quantile(times.lookup, 0.5),
    lookupP99Ms: quantile(times.lookup, 0.99),
    searchP99Ms: quantile(times.search, 0.99),
  };
  index.close();
  return figures;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Makes V8 grow its young generation, as it does once in every relay that serves: by 32 MB, whatever the work. What a
 * sync adds is counted beyond that.
 */
function growYoungGeneration(): void {
  let kept: object[] = [];
  for (let n = 0; n < 3_000_000; n++) {
    kept.push({ n });
    if (kept.length > 100_000) kept = [];
  }
}

/** Resident, once what can be collected was. */
async function memory(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await setImmediate();
  }
  return process.memoryUsage().rss / megabyte;
}

async function redisBytes(url: string): Promise<number> {
  const connection = await connectRedis({ url, onError: () => {} });
  const info = String(await connection.send('INFO', 'memory'));
  connection.close();
  return Number(/used_memory:(\d+)/.exec(info)![1]);
}

const labels: Record<Exclude<keyof DirectoryFigures, 'engine'>, string> = {
  firstSyncSeconds: 'first sync, s',
  firstSyncCpuSeconds: 'first sync, s of the processor',
  unchangedSyncSeconds: 'sync of an unchanged file, s',
  memoryMb: 'memory of the process, + MB',
  storeMb: 'index, MB',
  lookupP50Ms: `${numbersPerLookup} numbers, p50 ms`,
  lookupP99Ms: `${numbersPerLookup} numbers, p99 ms`,
  searchP99Ms: 'search by two words, p99 ms',
};

const rowsOf = (figures: readonly DirectoryFigures[]): string[][] => [
  ['', ...figures.map(({ engine }) => engine), 'promised'],
  ...(Object.keys(labels) as (keyof typeof labels)[]).map((name) => [
    labels[name],
    ...figures.map((each) => each[name].toFixed(each[name] < 10 ? 2 : 0)),
    promised[name] === undefined ? '' : `<= ${promised[name]}`,
  ]),
];
