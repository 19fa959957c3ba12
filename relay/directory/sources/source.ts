/** A source of names. It is read and never written. */
import { maskNumber } from '../../../shared/server/log.ts';
import type { WrittenPerson } from '../person.ts';

/** `tag` changes with the entry. An entry without `written` is unchanged or gone. */
export type PulledEntry =
  | { uid: string; tag?: string | undefined; written: WrittenPerson }
  | { uid: string; isUnchanged: true }
  | { uid: string; isGone: true };

export interface PullEnd {
  /** Whether every entry of the source was pulled. If so, a known entry that did not come is gone. */
  isComplete: boolean;
  /** The token says where the next pull goes on. Without a token the next pull starts from the beginning. */
  token?: string | undefined;
  /** How many entries the source has but does not give. */
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
  /** The file of this source. A change of the file starts a sync. */
  file?: string;
  /** @throws SourceError where the source cannot be read. */
  pull(context: PullContext): Pull;
  /** Tries address, name and password. @returns what answered. @throws SourceError */
  check(signal: AbortSignal): Promise<string>;
}

/** What is wrong with a source, in a sentence for its operator, without its password. It is also logged. */
export class SourceError extends Error {}

/** A piece of a file as a `SourceError` may show it (Law 7). */
export const maskNumbersIn = (text: string): string =>
  text.replace(/\+?\d(?:[\s().-]{0,2}\d){6,}/g, maskNumber);

/** Whether a time is farther away than the interval. A time in the future means that the clock was set back. */
export const isLongAgo = (at: number, intervalMs: number): boolean => Math.abs(Date.now() - at) > intervalMs;

/** How many entries are handed on in one batch. Between two batches the relay can do other work. */
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
