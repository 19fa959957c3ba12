/** A source of names. It is read and never written. */
import type { WrittenPerson } from '../person.ts';

/** `tag` changes with the entry. Without `written` the entry is as it was. */
export type PulledEntry =
  | { uid: string; tag?: string | undefined; written: WrittenPerson }
  | { uid: string; isUnchanged: true }
  | { uid: string; isGone: true };

export interface PullEnd {
  /** Whether every entry of the source was pulled: one that was not is gone. */
  isComplete: boolean;
  /** The token of where the next pull goes on. Without one it begins again. */
  token?: string | undefined;
  /** Entries that the source has and does not give. */
  leftOut?: number;
}

interface PullContext {
  /** The token of the last pull. Without one, everything is pulled. */
  token?: string | undefined;
  /** The tag of each entry that is known, by its uid. */
  knownTags(uids: readonly string[]): Promise<(string | undefined)[]>;
  signal: AbortSignal;
}

export type Pull = AsyncGenerator<readonly PulledEntry[], PullEnd, void>;

export interface Source {
  /** The file that it reads; a change of it starts a sync. */
  file?: string;
  /** @throws SourceError where the source cannot be read. */
  pull(context: PullContext): Pull;
  /** Tries address, name and password. @returns what answered. @throws SourceError */
  check(signal: AbortSignal): Promise<string>;
}

/** What is wrong with a source, in a sentence for its operator, without its password. */
export class SourceError extends Error {}

/** Whether a time is longer ago than the interval, or as far ahead: the clock was set back since. */
export const isLongAgo = (at: number, intervalMs: number): boolean => Math.abs(Date.now() - at) > intervalMs;

/** Entries that are handed on at once, so that the relay does other work between two batches. */
export const batchSize = 50;

export async function* inBatches(entries: AsyncIterable<PulledEntry>): AsyncGenerator<PulledEntry[], void> {
  let batch: PulledEntry[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
