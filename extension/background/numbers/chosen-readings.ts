/** Agents' answers about numbers of doubtful countries: kept until the history is forgotten. */
import { remember } from '../../../shared/async/remember.ts';
import { database } from '../database.ts';

/** Readings that the agent chose before: `answerKey` -> `numberId`. */
export type ChosenReadings = ReadonlyMap<string, string>;

const maxChosen = 2_000;

const remembered = remember(loadChosen);

/** The reading that was chosen for each number, by its text. */
export const chosenReadings = (): Promise<ChosenReadings> => remembered.read();

async function loadChosen(): Promise<Map<string, string>> {
  const db = await database();
  const transaction = db.transaction('readings');
  const [keys, values] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
  return new Map(keys.map((key, index) => [key, values[index]!]));
}

export async function rememberReading(key: string, reading: string): Promise<void> {
  const db = await database();
  // An agent answers fewer questions. A full store is cleared, so that it does not grow.
  if ((await db.count('readings')) >= maxChosen) await db.clear('readings');
  await db.put('readings', reading, key);
  remembered.forget();
}

export async function forgetReadings(): Promise<void> {
  await (await database()).clear('readings');
  remembered.forget();
}
