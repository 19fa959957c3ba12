/** The operations of a store as data, so that they can be batched and handed to another thread. */
import type { Operations, Store } from './store.ts';

type Group = keyof Operations;

/** A write needs a transaction; a batch of reads does not wait for the disk. */
const access = {
  calls: {
    place: 'write',
    apply: 'write',
    find: 'read',
    history: 'read',
    listOpen: 'read',
    eventsAfter: 'read',
    listOverdue: 'read',
    listInterrupted: 'read',
  },
  keys: { add: 'write', list: 'read', findByHash: 'read', revoke: 'write' },
  forwards: {
    claim: 'write',
    settle: 'write',
    release: 'write',
    list: 'read',
    retry: 'write',
    drop: 'write',
  },
  maintenance: { prune: 'write', findCallsOfNumber: 'read', deleteCalls: 'write', check: 'write' },
} as const satisfies { [G in Group]: Record<keyof Operations[G], 'read' | 'write'> };

export interface Operation {
  group: Group;
  name: string;
  input: unknown[];
}

export function isWrite({ group, name }: Operation): boolean {
  return (access[group] as Record<string, 'read' | 'write'>)[name] === 'write';
}

/** Calls an operation on the objects that implement them. */
export function runOperation(on: Operations, { group, name, input }: Operation): unknown {
  return (on[group] as unknown as Record<string, (...input: unknown[]) => unknown>)[name]!(...input);
}

/** Makes the store's asynchronous methods of one function that performs any operation. */
export function methodsOf(perform: (operation: Operation) => Promise<unknown>): Pick<Store, Group> {
  return Object.fromEntries(
    Object.entries(access).map(([group, names]) => [
      group,
      Object.fromEntries(
        Object.keys(names).map((name) => [
          name,
          (...input: unknown[]) => perform({ group: group as Group, name, input }),
        ]),
      ),
    ]),
  ) as unknown as Pick<Store, Group>;
}
