/** Names by number, from every source: keeps them up to date while the relay runs, and answers who has a number. */
import { unwatchFile, watchFile } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { coalesce } from '../../shared/async/coalesce.ts';
import { minuteMs } from '../../shared/durations.ts';
import { type DirectoryEntry, nameText } from '../../shared/protocol/number-status.ts';
import { OutageReports } from '../../shared/server/outage-reports.ts';
import type { Metrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import type { SourceSettings } from './directory-settings.ts';
import { ForgottenNumbers } from './forgotten-numbers.ts';
import type { DirectoryIndex, FoundPerson, SourceState } from './index/directory-index.ts';
import { type Names, namesOf } from './names-of-number.ts';
import { sameSubscriber } from './read-numbers.ts';
import type { Source } from './sources/source.ts';
import { type SyncOptions, type SyncResult, syncSource } from './sync.ts';
import { searchWords, searchWordsOf } from './words.ts';

const maxSearchResults = 20;
/** The most entries that are found. The best of them are shown. */
const maxSearched = 200;
const maxSearchedWords = 4;
/** How often a source is read. A change is visible within a minute. */
const intervalMs = minuteMs / 2;
const fileIntervalMs = 1000;
/** How often an unchanged file is read again: to repeat failed reads, and to keep its age below an alert's limit. */
const unchangedFileIntervalMs = 15 * minuteMs;
const epochIntervalMs = 1000;
const removalBatch = 25;

interface OpenedSource extends Source {
  settings: SourceSettings;
}

interface ListedSource {
  name: string;
  kind: string;
  entries: number;
  state: SourceState;
}

interface DirectoryOptions {
  sources: readonly OpenedSource[];
  /** Patterns of internal extensions. */
  extensions: readonly string[];
  index: DirectoryIndex;
  store: Store;
  metrics: Metrics;
  log: Logger;
}

export class Directory {
  private readonly stopped = new AbortController();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly watched: { file: string; reload: () => void }[] = [];
  private readonly running = new Set<Promise<unknown>>();
  private readonly syncedAt = new Map<string, number>();
  private readonly counts = new Map<string, number>();
  private readonly problems = new Map<string, string>();
  private readonly retried = new Set<OpenedSource>();
  private readonly failures: OutageReports;
  private known = '';

  constructor(private readonly options: DirectoryOptions) {
    const { metrics, sources, log } = options;
    this.failures = new OutageReports((error) =>
      log.error({ error: error.message }, 'the directory cannot be read'),
    );
    const names = sources.map(({ settings }) => settings.name);
    // The age of a source that was never read counts from the start of the relay.
    const startedAt = Date.now();
    const ageOf = (name: string) => (Date.now() - (this.syncedAt.get(name) ?? startedAt)) / 1000;
    metrics.gauges(
      'dialmark_directory_age_seconds',
      'Since the last sync of a source',
      'source',
      names,
      ageOf,
    );
    metrics.gauges(
      'dialmark_directory_entries',
      'Entries of a source',
      'source',
      names,
      (name) => this.counts.get(name) ?? 0,
    );
  }

  get sources(): readonly OpenedSource[] {
    return this.options.sources;
  }

  /** Changes with every change of a name, in this process or another. */
  get epoch(): string {
    return this.known;
  }

  /** @param onChange called when names changed. */
  async start(onChange: () => void): Promise<void> {
    const { index, sources } = this.options;
    this.known = await index.epoch();
    const states = await index.sources();
    for (const name of states.keys())
      if (!sources.some(({ settings }) => settings.name === name))
        void this.logFailure(this.track(this.removeSource(name)));
    for (const { settings } of sources) {
      const { syncedAt } = states.get(settings.name) ?? {};
      if (syncedAt) this.syncedAt.set(settings.name, Date.parse(syncedAt));
      this.counts.set(settings.name, await index.countOf(settings.name));
    }
    this.every(epochIntervalMs, epochIntervalMs, async () => {
      const epoch = await index.epoch();
      this.failures.end();
      if (epoch === this.known) return;
      this.known = epoch;
      onChange();
    });
    for (const source of sources) {
      const run: () => Promise<void> = coalesce(() =>
        this.logFailure(this.track(this.syncAndLog(source, () => this.retry(source, run)))),
      );
      this.every(0, source.file === undefined ? intervalMs : unchangedFileIntervalMs, run);
      if (source.file === undefined) continue;
      const reload = () => void run();
      this.watched.push({ file: source.file, reload });
      watchFile(source.file, { interval: fileIntervalMs, persistent: false }, reload);
    }
  }

  /** Resolves when no sync is under way. */
  async stop(): Promise<void> {
    this.stopped.abort();
    for (const timer of this.timers) clearTimeout(timer);
    for (const { file, reload } of this.watched) unwatchFile(file, reload);
    await Promise.allSettled(this.running);
    this.options.index.close();
  }

  /** @returns undefined where another process syncs the source now. */
  async sync(source: OpenedSource, options: Partial<SyncOptions> = {}): Promise<SyncResult | undefined> {
    const stopped = this.stopped.signal;
    const signal = options.signal ? AbortSignal.any([stopped, options.signal]) : stopped;
    const { index, extensions, store } = this.options;
    const { name, country, areaCode, kind, url, database, user } = source.settings;
    const address = [kind, url, database, user];
    const rules = { country, areaCode, extensions };
    const target = { name, source, address, rules, index, readForgotten: () => ForgottenNumbers.read(store) };
    return syncSource(target, { ...options, signal });
  }

  async list(): Promise<ListedSource[]> {
    const { index, sources } = this.options;
    const states = await index.sources();
    const listed = async ({ settings: { name, kind } }: OpenedSource): Promise<ListedSource> => ({
      ...{ name, kind, entries: await index.countOf(name), state: states.get(name) ?? {} },
    });
    return Promise.all(sources.map(listed));
  }

  /** People of every source, including sources that not every agent may see. */
  async peopleOf(number: string): Promise<FoundPerson[]> {
    const names = this.sources.map(({ settings }) => settings.name);
    const [found] = await this.options.index.find([sameSubscriber(number)], names);
    return found!.people;
  }

  /** The names of each number, in the order of the numbers. @param team of the agent who asks. */
  async namesOf(numbers: readonly string[], team: string | undefined): Promise<Names[]> {
    return (await this.options.index.find(numbers.map(sameSubscriber), this.visibleTo(team))).map(namesOf);
  }

  /** The name for a call, which any team may read: without sources of some teams. Undefined if it is not clear. */
  async lineFor(numbers: readonly string[]): Promise<string | undefined> {
    const lines = (await this.namesOf(numbers, undefined)).flatMap((names) => nameText(names) ?? []);
    return lines.length === 1 ? lines[0] : undefined;
  }

  /** People who have a record in a CRM; each record once. @param team of the agent who asks. */
  async recordsOf(numbers: readonly string[], team: string | undefined): Promise<FoundPerson[]> {
    const found = await this.options.index.find(numbers.map(sameSubscriber), this.visibleTo(team));
    const people = found.flatMap((each) => each.people).filter(({ record }) => record !== undefined);
    return [...new Map(people.map((person) => [`${person.source}/${person.record}`, person])).values()];
  }

  /** Whether a source that only some teams may see has one of these numbers. */
  async isLimited(numbers: readonly string[]): Promise<boolean> {
    const limited = this.sources.flatMap(({ settings: { name, teams } }) => (teams ? [name] : []));
    const found = await this.options.index.find(numbers.map(sameSubscriber), limited);
    return found.some(({ count }) => count > 0);
  }

  async search(text: string, team: string | undefined): Promise<DirectoryEntry[]> {
    const words = searchWordsOf(text);
    if (words.length === 0) return [];
    // The longest words are searched, since a single letter is slow to search. All words filter what was found.
    const byLength = [...words].sort((a, b) => b.length - a.length);
    const [longest = '', ...others] = byLength.slice(0, maxSearchedWords);
    const searched = [longest, ...others.filter((word) => word.length > 1)];
    const found = await this.options.index.search(searched, this.visibleTo(team), maxSearched);
    const matching = found
      .map((person) => ({ person, own: searchWords(person) }))
      .filter(({ own }) => words.every((word) => own.some((each) => each.startsWith(word))));
    // First those whose own name begins with what was typed.
    const rank = ({ own }: { own: string[] }) => (own[0]!.startsWith(words[0]!) ? 0 : 1);
    return matching
      .sort((a, b) => rank(a) - rank(b) || a.person.name.localeCompare(b.person.name))
      .slice(0, maxSearchResults)
      .map(({ person: { source: _, record: _record, ...person } }) => ({
        ...person,
        numbers: [...person.numbers],
      }));
  }

  /** Removes the names of a source that is not set any more. It pauses between batches: there may be 100,000. */
  private async removeSource(name: string): Promise<void> {
    const { index } = this.options;
    while (!this.stopped.signal.aborted) {
      const page = await index.list(name, '', removalBatch);
      if (page.length === 0) return index.saveSource(name, {});
      await index.remove(
        name,
        page.map(({ uid }) => uid),
      );
      await setImmediate();
    }
  }

  private visibleTo(team: string | undefined): string[] {
    return this.options.sources
      .filter(({ settings: { teams } }) => !teams || (team !== undefined && teams.includes(team)))
      .map(({ settings }) => settings.name);
  }

  /** @param onBusy called if another process syncs the source now, or died in the middle of a sync. */
  private async syncAndLog(source: OpenedSource, onBusy: () => void): Promise<void> {
    const { log, index } = this.options;
    const { name } = source.settings;
    const startedAt = performance.now();
    const result = await this.sync(source).catch((error: Error) => ({ problem: error.message }));
    // Another relay may have synced it.
    const { syncedAt } = (await index.sources()).get(name) ?? {};
    if (syncedAt) this.syncedAt.set(name, Date.parse(syncedAt));
    this.counts.set(name, await index.countOf(name));
    if (!result) onBusy();
    if (!result || this.stopped.signal.aborted) return;
    const known = this.problems.get(name);
    this.problems.delete(name);
    if (result.problem !== undefined) {
      this.problems.set(name, result.problem);
      // The problem may last for days, and the sync runs twice a minute. So it is logged once.
      if (result.problem !== known)
        log.error({ source: name, problem: result.problem }, 'names were not synced');
    } else if ('changed' in result && result.changed + result.removed > 0)
      log.info({ source: name, ...result, ms: Math.round(performance.now() - startedAt) }, 'names synced');
  }

  /** Plans one more sync, however often the file changes meanwhile. A source without a file is synced again anyway. */
  private retry(source: OpenedSource, run: () => Promise<void>): void {
    if (source.file === undefined || this.retried.has(source)) return;
    this.retried.add(source);
    this.after(intervalMs, () => {
      this.retried.delete(source);
      return run();
    });
  }

  /** The next run starts one interval after the last one ended. */
  private every(firstMs: number, intervalMs: number, work: () => Promise<void>): void {
    this.after(firstMs, async () => {
      await this.logFailure(work());
      this.every(intervalMs, intervalMs, work);
    });
  }

  private after(ms: number, work: () => Promise<void>): void {
    if (this.stopped.signal.aborted) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void work();
    }, ms);
    timer.unref();
    this.timers.add(timer);
  }

  /** The index may be out of reach for a while, like the store. */
  private logFailure(work: Promise<void>): Promise<void> {
    return work.catch((error: Error) => this.failures.report(error));
  }

  private track<T>(work: Promise<T>): Promise<T> {
    const settled = work.finally(() => this.running.delete(settled));
    this.running.add(settled);
    return settled;
  }
}
