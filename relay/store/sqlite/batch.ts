/** What the relay's thread and the store's thread say to each other. */
import type { Operations, StoredEvent } from '../store.ts';

export type OperationName = keyof Operations;

export type Batch = { name: OperationName; input: unknown[] }[];

export type Outcome = { value: unknown } | { error: string; code: string };

export interface Answer {
  outcomes: Outcome[];
  /** Of the whole batch, after its commit. */
  events: StoredEvent[];
  /** Milliseconds. */
  commitTime: number;
}

export type FromWorker =
  | { kind: 'ready'; epoch: string }
  | { kind: 'failed'; message: string; code: string }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'changed' }
  | { kind: 'closed' };

/** These need a transaction; a batch without any of them does not wait for the disk. */
export const writing: ReadonlySet<OperationName> = new Set<OperationName>([
  'place',
  'apply',
  'claimForwards',
  'settleForward',
  'releaseForwards',
  'retryForwards',
  'dropForward',
  'addKey',
  'revokeKey',
  'prune',
  'forget',
  'check',
]);

export const operationNames = [
  'place',
  'apply',
  'call',
  'history',
  'openCalls',
  'eventsAfter',
  'overdue',
  'interrupted',
  'claimForwards',
  'settleForward',
  'releaseForwards',
  'forwards',
  'retryForwards',
  'dropForward',
  'addKey',
  'keys',
  'keyByHash',
  'revokeKey',
  'prune',
  'forget',
  'check',
] as const satisfies readonly OperationName[];
