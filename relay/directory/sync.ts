/**
 * Updates the index from a source. New entries are stored as they come. Entries that are gone are removed at the end.
 * If nearly all entries would go, nothing is removed and the sync fails.
 */
import { hash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { DirectoryIndex, IndexEntry, SourceState } from './index/directory-index.ts';
import { readPerson } from './person.ts';
import type { ReadingRules } from './read-numbers.ts';
import { type PulledEntry, type Source, SourceError } from './sources/source.ts';

interface SyncTarget {
  name: string;
  source: Source;
  /** Where and as which user the source is read. If one of them changes, everything is read again. */
  address?: readonly (string | undefined)[];
  rules: ReadingRules;
  index: DirectoryIndex;
  readForgotten(): Promise<Forgotten>;
}

interface Forgotten {
  has(number: string): boolean;
  /** Changes when the set of forgotten numbers changes. */
  digest: string;
}

export interface SyncOptions {
  signal: AbortSignal;
  /** Accepts a source that lost nearly all of its entries. */
  acceptsFewer?: boolean;
  /** Reads everything again, whatever was known. */
  isFull?: boolean;
}

export interface SyncResult {
  changed: number;
  removed: number;
  entries: number;
  /** Texts in which no number was found. */
  unread: number;
  /** How many entries the source has but did not give. Their known names are kept. */
  leftOut: number;
  /** Why entries that are gone were kept, or why the source could not be read. */
  problem?: string;
}

/** A source that shrinks by this factor or more is taken for broken. */
const maxShrinkFactor = 100;
const removalBatch = 500;
/** Raise it when numbers are read in another way. Then each entry is read again. */
const readingVersion = 1;
/** A sync that does not extend its claim for this long counts as dead. Then another sync may begin. */
const claimMs = 120_000;

/** @returns undefined where another process syncs this source now; with the problem where it cannot be read. */
export async function syncSource(target: SyncTarget, options: SyncOptions): Promise<SyncResult | undefined> {
  const { index, name } = target;
  const owner = randomUUID();
  if (!(await index.claim(name, owner, claimMs))) return undefined;
  try {
    return await new Sync(target, options, owner).run();
  } finally {
    await index.release(name, owner);
  }
}

class Sync {
  private readonly seen = new Set<number>();
  private readonly gone = new Set<string>();
  private changed = 0;
  private unread = 0;
  private leftOut = 0;
  private isComplete = false;
  /** The forgotten numbers as they were read last. */
  private forgotten!: Forgotten;

  constructor(
    private readonly target: SyncTarget,
    private readonly options: SyncOptions,
    /** The owner of the claim. */
    private readonly owner: string,
  ) {}

  async run(): Promise<SyncResult> {
    const { index, name } = this.target;
    const state = (await index.sources()).get(name) ?? {};
    const before = await index.countOf(name);
    this.forgotten = await this.target.readForgotten();
    const reading = this.reading();
    let problem: string | undefined;
    let removed = 0;
    try {
      const token = await this.pull(state, state.read === reading && !this.options.isFull);
      removed = await this.removeGone(before);
      await index.saveSource(name, {
        ...(token === undefined ? {} : { token }),
        syncedAt: new Date().toISOString(),
        read: reading,
        unread: this.isComplete ? this.unread : (state.unread ?? 0) + this.unread,
        leftOut: this.leftOut,
      });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      problem = error.message;
      if (!this.options.signal.aborted && (await this.isClaimed()))
        await index.saveSource(name, { ...state, problem });
    }
    if (this.changed + removed > 0) await index.newEpoch();
    const result = {
      changed: this.changed,
      removed,
      entries: await index.countOf(name),
      unread: this.unread,
      leftOut: this.leftOut,
    };
    return problem === undefined ? result : { ...result, problem };
  }

  /** @param isKnown whether what was read before still counts. @returns where the next pull goes on. */
  private async pull(state: SourceState, isKnown: boolean): Promise<string | undefined> {
    const { index, name, source } = this.target;
    const pull = source.pull({
      token: isKnown ? state.token : undefined,
      knownTags: async (uids) =>
        isKnown ? (await index.known(name, uids)).map((entry) => entry?.tag) : uids.map(() => undefined),
      signal: this.options.signal,
    });
    try {
      for (;;) {
        const { value, done } = await pull.next();
        if (done) {
          this.isComplete = value.isComplete;
          this.leftOut = value.leftOut ?? 0;
          return value.token;
        }
        await this.take(value, isKnown);
        await this.extendClaim();
        // Lets calls and notifications run before the next batch.
        await setImmediate();
        if (this.options.signal.aborted) throw new SourceError('the sync was stopped');
      }
    } finally {
      // If the index fails, the source still has a reply or a file open. This closes it.
      await pull.return({ isComplete: false });
    }
  }

  private async take(batch: readonly PulledEntry[], isKnown: boolean): Promise<void> {
    const { index, name, rules } = this.target;
    // Equal rows have the same uid. If several cards have the same uid, the last one counts.
    const pulled = [...new Map(batch.map((entry) => [entry.uid, entry])).values()];
    const known = await index.known(
      name,
      pulled.map(({ uid }) => uid),
    );
    const entries: IndexEntry[] = [];
    for (const [at, entry] of pulled.entries()) {
      const before = known[at];
      if (!('written' in entry)) {
        if (before) this.mark(entry.uid, before.id, 'isGone' in entry);
        continue;
      }
      const tag = entry.tag ?? hash('sha256', JSON.stringify(entry.written), 'base64url').slice(0, 16);
      if (isKnown && before?.tag === tag) {
        this.mark(entry.uid, before.id, false);
        continue;
      }
      const { person, unread } = readPerson(entry.written, rules);
      this.unread += unread;
      const numbers = person?.numbers.filter(({ number }) => !this.forgotten.has(number)) ?? [];
      if (person && numbers.length > 0) entries.push({ uid: entry.uid, tag, person: { ...person, numbers } });
      else if (before) this.mark(entry.uid, before.id, true);
    }
    if (entries.length === 0) return;
    const ids = await index.put(name, entries);
    for (const [at, id] of ids.entries()) this.mark(entries[at]!.uid, id, false);
    this.changed += entries.length;
    await this.removeForgotten(entries);
  }

  /** The last part of a reply counts: an entry may be gone in one part and back in another, or the reverse. */
  private mark(uid: string, id: number, isGone: boolean): void {
    if (isGone) {
      this.gone.add(uid);
      this.seen.delete(id);
    } else {
      this.gone.delete(uid);
      this.seen.add(id);
    }
  }

  /** Numbers of these entries that were forgotten since the last batch. */
  private async removeForgotten(entries: readonly IndexEntry[]): Promise<void> {
    const { index, readForgotten } = this.target;
    const forgotten = await readForgotten();
    if (forgotten.digest === this.forgotten.digest) return;
    this.forgotten = forgotten;
    for (const { number } of entries.flatMap(({ person }) => person.numbers))
      if (forgotten.has(number)) await index.removeNumber(number);
  }

  /** @throws SourceError if nearly all entries would be removed. */
  private async removeGone(before: number): Promise<number> {
    const { index, name } = this.target;
    const gone = this.isComplete ? await this.unseen() : [...this.gone];
    if (gone.length === 0) return 0;
    const left = (await index.countOf(name)) - gone.length;
    if (left * maxShrinkFactor <= before && !this.options.acceptsFewer)
      throw new SourceError(
        `it has ${left} of ${before} entries left; what was known is kept. If that is right: ` +
          `directory sync ${name} --accept-fewer`,
      );
    for (let at = 0; at < gone.length; at += removalBatch) {
      await this.extendClaim();
      await index.remove(name, gone.slice(at, at + removalBatch));
      await setImmediate();
    }
    return gone.length;
  }

  private async unseen(): Promise<string[]> {
    const { index, name } = this.target;
    const unseen: string[] = [];
    for (let after = ''; ; ) {
      const page = await index.list(name, after, removalBatch);
      for (const { id, uid } of page) if (!this.seen.has(id)) unseen.push(uid);
      if (page.length < removalBatch) return unseen;
      after = page.at(-1)!.uid;
      await setImmediate();
    }
  }

  /** False where this sync was taken for dead, and another one has begun. */
  private isClaimed(): Promise<boolean> {
    return this.target.index.claim(this.target.name, this.owner, claimMs);
  }

  private async extendClaim(): Promise<void> {
    if (!(await this.isClaimed()))
      throw new SourceError('it took too long, and another process reads it now');
  }

  /** A digest of all that the reading depends on. If it changes, entries are read again. */
  private reading(): string {
    const { address, rules } = this.target;
    const read = JSON.stringify([readingVersion, address, rules, this.forgotten.digest]);
    return hash('sha256', read, 'base64url').slice(0, 12);
  }
}
