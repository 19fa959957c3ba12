/** What agents answered about numbers of doubtful countries: asked once, then remembered until the history is forgotten. */
import { database } from '../database.ts';
import type { ChosenReadings } from './resolve-number.ts';

const maxChosen = 2_000;

let cached: Promise<Map<string, string>> | undefined;

/** By number as written: which reading was chosen. */
export function chosenReadings(): Promise<ChosenReadings> {
  cached ??= load().catch((error) => {
    cached = undefined;
    throw error;
  });
  return cached;
}

async function load(): Promise<Map<string, string>> {
  const db = await database();
  const transaction = db.transaction('readings');
  const [keys, values] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
  return new Map(keys.map((key, index) => [key, values[index]!]));
}

export async function rememberReading(key: string, reading: string): Promise<void> {
  const db = await database();
  // More questions than an agent answers: a full store is forgotten rather than grown.
  if ((await db.count('readings')) >= maxChosen) await db.clear('readings');
  await db.put('readings', reading, key);
  cached = undefined;
}

export async function forgetReadings(): Promise<void> {
  await (await database()).clear('readings');
  cached = undefined;
}
