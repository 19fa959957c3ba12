/** The store for tests and trials: the same SQL on a database that lives in this process and dies with it. */

import { operationMethods } from './operations.ts';
import { BatchCommitter } from './sqlite/batch-commit.ts';
import { type Store, type StoredEvent, StoreError } from './store.ts';

export function openMemoryStore(): Store {
  const committer = new BatchCommitter({ path: ':memory:' });
  let eventListener: (events: readonly StoredEvent[]) => void = () => {};
  let changeListener: () => void = () => {};
  return {
    ...operationMethods(async (operation) => {
      const { outcomes, events } = committer.perform([operation]);
      if (events.length > 0) eventListener(events);
      const outcome = outcomes[0]!;
      if ('error' in outcome) throw new StoreError(outcome.error, outcome.code);
      // A store with a file reports these changes of another process. Here, this process makes all of them.
      const { group, name, isWrite } = operation;
      if (isWrite && (group === 'keys' || name === 'deleteCalls' || name === 'retry')) changeListener();
      return outcome.value;
    }),
    durability: 'none',
    shared: false,
    epoch: committer.epoch,
    onEvents: (listener) => {
      eventListener = listener;
    },
    onChanged: (listener) => {
      changeListener = listener;
    },
    onEpoch: () => {},
    listDoubts: async () => [],
    close: async () => committer.close(),
  };
}
