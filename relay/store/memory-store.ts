/** The store for tests and trials: the same SQL on a database that lives in this process and dies with it. */
import { operationNames, writing } from './sqlite/batch.ts';
import { SqliteDatabase } from './sqlite/database.ts';
import { type Operations, type Store, type StoredEvent, StoreError } from './store.ts';

/** What another process does to a store that has a file; here nobody else can. */
const shared: ReadonlySet<keyof Operations> = new Set([
  'addKey',
  'revokeKey',
  'forget',
  'retryForwards',
] as const);

export function openMemoryStore(): Store {
  const database = new SqliteDatabase({ path: ':memory:' });
  let listener: (events: readonly StoredEvent[]) => void = () => {};
  let changed: () => void = () => {};

  const perform = async (name: keyof Operations, input: unknown[]): Promise<unknown> => {
    const operation = () => (database[name] as (...input: unknown[]) => unknown)(...input);
    try {
      if (!writing.has(name)) return operation();
      const { result, events } = database.transaction(operation);
      if (events.length > 0) listener(events);
      if (shared.has(name)) changed();
      return result;
    } catch (error) {
      throw new StoreError((error as Error).message, String((error as { code?: string }).code));
    }
  };

  return {
    ...(Object.fromEntries(
      operationNames.map((name) => [name, (...input: unknown[]) => perform(name, input)]),
    ) as Pick<Store, keyof Operations>),
    durability: 'none',
    shared: false,
    epoch: database.epoch,
    onEvents: (next) => {
      listener = next;
    },
    onChanged: (next) => {
      changed = next;
    },
    onEpoch: () => {},
    close: async () => database.close(),
  };
}
