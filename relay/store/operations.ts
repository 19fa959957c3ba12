/** The operations of a store as data, so that they can be batched and sent to the thread that has the database. */
import type { Asynchronous, Operations, Store } from './store.ts';

type Group = keyof Operations;

export interface Operation {
  group: Group;
  name: string;
  input: unknown[];
  /** A write needs a transaction; a batch of reads does not wait for the disk. */
  isWrite: boolean;
}

/** Calls an operation on the objects that implement them. */
export function runOperation(operations: Operations, { group, name, input }: Operation): unknown {
  const implementation = operations[group] as unknown as Record<string, (...input: unknown[]) => unknown>;
  return implementation[name]!(...input);
}

/** @param perform performs one operation. @returns the store's methods, each of which calls it. */
export function operationMethods(perform: (operation: Operation) => Promise<unknown>): Pick<Store, Group> {
  const method =
    (isWrite: boolean) =>
    <G extends Group, N extends keyof Operations[G] & string>(group: G, name: N) =>
      ((...input: unknown[]) => perform({ group, name, input, isWrite })) as Asynchronous<Operations[G]>[N];
  const [read, write] = [method(false), method(true)];
  return {
    calls: {
      place: write('calls', 'place'),
      apply: write('calls', 'apply'),
      amend: write('calls', 'amend'),
      listDueEntries: read('calls', 'listDueEntries'),
      listUnlogged: read('calls', 'listUnlogged'),
      listCallbacks: read('calls', 'listCallbacks'),
      find: read('calls', 'find'),
      history: read('calls', 'history'),
      listOpen: read('calls', 'listOpen'),
      eventsAfter: read('calls', 'eventsAfter'),
      listOverdue: read('calls', 'listOverdue'),
      listInterrupted: read('calls', 'listInterrupted'),
    },
    keys: {
      add: write('keys', 'add'),
      list: read('keys', 'list'),
      findByHash: read('keys', 'findByHash'),
      revoke: write('keys', 'revoke'),
      expire: write('keys', 'expire'),
      markUsed: write('keys', 'markUsed'),
    },
    forwards: {
      claim: write('forwards', 'claim'),
      settle: write('forwards', 'settle'),
      release: write('forwards', 'release'),
      list: read('forwards', 'list'),
      retry: write('forwards', 'retry'),
      drop: write('forwards', 'drop'),
    },
    rules: {
      list: write('rules', 'list'),
      unlist: write('rules', 'unlist'),
      listed: read('rules', 'listed'),
      status: read('rules', 'status'),
      tallies: read('rules', 'tallies'),
      lastTalks: read('rules', 'lastTalks'),
      record: write('rules', 'record'),
      audit: read('rules', 'audit'),
    },
    sheets: {
      add: write('sheets', 'add'),
      list: read('sheets', 'list'),
      find: read('sheets', 'find'),
      items: read('sheets', 'items'),
      claim: write('sheets', 'claim'),
      release: write('sheets', 'release'),
      reopen: write('sheets', 'reopen'),
      remove: write('sheets', 'remove'),
    },
    maintenance: {
      prune: write('maintenance', 'prune'),
      findCallsOfNumber: read('maintenance', 'findCallsOfNumber'),
      deleteCalls: write('maintenance', 'deleteCalls'),
      deleteTraces: write('maintenance', 'deleteTraces'),
      listForgotten: read('maintenance', 'listForgotten'),
      forgottenKey: write('maintenance', 'forgottenKey'),
      setForgotten: write('maintenance', 'setForgotten'),
      check: write('maintenance', 'check'),
    },
  };
}
