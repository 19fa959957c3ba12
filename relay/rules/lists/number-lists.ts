/**
 * The large lists of the rules file, each in a file of this relay's own. A child process builds one list at a time. If
 * it refuses a list, the old file stays in place and an alarm is raised.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { serializer } from '../../../shared/async/serialize.ts';
import { dayMs, hourMs, minuteMs } from '../../../shared/durations.ts';
import type { DoNotCallEntry } from '../../../shared/protocol/do-not-call.ts';
import type { NumberList } from '../../../shared/protocol/rules.ts';
import type { Callee } from '../../../shared/rules/callee.ts';
import { builtProgram } from '../../built-program.ts';
import { settingsPrefix } from '../../settings.ts';
import { nameOfKey } from '../listed-entry.ts';
import { type BuildJob, isOutdated, sourceOf } from './build-list.ts';
import { listPath } from './list-path.ts';
import { checkNumberFile, codeOfKey, NumberFile } from './number-file.ts';

const defaultRefreshHours = 24;
/** How long after a failed build the next one starts. If the list's own interval is shorter, it counts. */
const retryMs = 10 * minuteMs;

interface LoadedList {
  list: NumberList;
  path: string;
  file: NumberFile | undefined;
  timer: NodeJS.Timeout | undefined;
  failure: string | undefined;
}

interface ListState {
  name: string;
  count: number;
  /** Absent where it was never built. */
  builtAt?: Date;
  /** Why the last build was refused. */
  failure?: string;
  isOld: boolean;
}

export class NumberLists {
  private loaded: LoadedList[] = [];
  private readonly inTurn = serializer();
  private readonly stopped = new AbortController();

  /**
   * @param folder of the lists' files; made if it is missing.
   * @param onBuilt called after every successful build of a list.
   */
  constructor(
    private readonly folder: string,
    private readonly log: Logger,
    private readonly onBuilt: () => void = () => {},
  ) {}

  /**
   * Takes the lists of the rules, and builds those that are new, changed or due.
   * @param country of numbers without a country code, if the list does not name a country.
   */
  use(lists: readonly NumberList[], country: NumberList['country']): void {
    const before = this.loaded;
    const withCountry = country ? lists.map((list) => ({ country, ...list })) : lists;
    this.loaded = withCountry.map((list) => {
      const known = before.find((each) => JSON.stringify(each.list) === JSON.stringify(list));
      return known ?? this.load(list);
    });
    for (const gone of before.filter((each) => !this.loaded.includes(each))) {
      clearTimeout(gone.timer);
      gone.file?.close();
    }
    for (const each of this.loaded) if (!before.includes(each)) this.schedule(each, dueIn(each));
  }

  /** The entry of the first list that has the callee; undefined if it is not in any list. */
  find({ numbers, prefixes }: Callee): DoNotCallEntry | undefined {
    for (const { list, file } of this.loaded) {
      const key = file && [...numbers, ...(file.hasPrefixes ? prefixes : [])].find((each) => has(file, each));
      if (key !== undefined)
        return { ...nameOfKey(key), by: list.name, at: file!.builtAt.toISOString(), source: list.name };
    }
    return undefined;
  }

  /** The name of a list that forbids calls because it is too old or was never built. */
  tooOld(now: number): string | undefined {
    return this.loaded.find((each) => each.list.refuseWhenOld && isOld(each, now))?.list.name;
  }

  states(now: number): ListState[] {
    return this.loaded.map((each) => ({
      name: each.list.name,
      count: each.file?.count ?? 0,
      ...(each.file ? { builtAt: each.file.builtAt } : {}),
      ...(each.failure === undefined ? {} : { failure: each.failure }),
      isOld: isOld(each, now),
    }));
  }

  stop(): void {
    this.stopped.abort();
    for (const { timer, file } of this.loaded) {
      clearTimeout(timer);
      file?.close();
    }
    this.loaded = [];
  }

  private load(list: NumberList): LoadedList {
    const path = listPath(this.folder, list.name);
    const loaded: LoadedList = { list, path, file: undefined, timer: undefined, failure: undefined };
    if (!existsSync(path)) return loaded;
    this.open(loaded);
    void this.check(loaded);
    return loaded;
  }

  /**
   * The file is used while its checksum is compared: a list with one wrong number protects better than a missing list.
   */
  private async check(loaded: LoadedList): Promise<void> {
    const { file, list, path } = loaded;
    if (!file) return;
    try {
      await checkNumberFile(path);
    } catch (error) {
      if (loaded.file !== file || !this.loaded.includes(loaded)) return;
      file.close();
      loaded.file = undefined;
      loaded.failure = (error as Error).message;
      this.log.error(
        { list: list.name, error: loaded.failure },
        'a list of numbers is damaged; it is built again',
      );
      this.schedule(loaded, 0);
    }
  }

  private open(loaded: LoadedList): void {
    const before = loaded.file;
    try {
      loaded.file = new NumberFile(loaded.path);
      before?.close();
    } catch (error) {
      loaded.failure = (error as Error).message;
      this.log.error({ list: loaded.list.name, error: loaded.failure }, 'a list of numbers cannot be read');
    }
  }

  private schedule(loaded: LoadedList, inMs: number): void {
    const isDue = inMs <= dayMs;
    const next = () => {
      if (!isDue) return this.schedule(loaded, dueIn(loaded));
      this.inTurn(() => this.build(loaded)).catch((error: Error) => this.fail(loaded, error.message));
    };
    clearTimeout(loaded.timer);
    // A timer cannot hold more than 24 days, so the wait is cut into days.
    loaded.timer = setTimeout(next, Math.min(inMs, dayMs));
    loaded.timer.unref();
  }

  private async build(loaded: LoadedList): Promise<void> {
    if (this.stopped.signal.aborted || !this.loaded.includes(loaded)) return;
    const { list, path } = loaded;
    const built = await runBuild({ list, path }, this.stopped.signal);
    if (this.stopped.signal.aborted || !this.loaded.includes(loaded)) return;
    if ('error' in built) return this.fail(loaded, built.error);
    loaded.failure = undefined;
    this.open(loaded);
    this.log.info({ list: list.name, ...built }, 'a list of numbers is built');
    this.onBuilt();
    this.schedule(loaded, refreshOf(list));
  }

  private fail(loaded: LoadedList, error: string): void {
    loaded.failure = error;
    this.log.error({ list: loaded.list.name, error }, 'a list of numbers is not taken; the old one stays');
    this.schedule(loaded, Math.min(refreshOf(loaded.list), retryMs));
  }
}

function has(file: NumberFile, key: string): boolean {
  const code = codeOfKey(key);
  return code !== undefined && file.has(code);
}

const refreshOf = ({ refreshHours = defaultRefreshHours }: NumberList): number => refreshHours * hourMs;

function dueIn({ list, file }: LoadedList): number {
  const age = file ? Date.now() - file.builtAt.getTime() : 0;
  // The age is negative if the clock was ahead when the file was built. Such an age would delay the next build.
  return file?.source === sourceOf(list) && age >= 0 ? Math.max(0, refreshOf(list) - age) : 0;
}

/** A list that was never built does not protect. It counts as too old if its rule sets an age or `refuseWhenOld`. */
function isOld({ list, file }: LoadedList, now: number): boolean {
  if (file) return isOutdated(list, file, now);
  return list.refuseWhenOld === true || list.maxAgeDays !== undefined;
}

type Built = { count: number; unread: number } | { error: string };

/** Never rejects. */
const runBuild = (job: BuildJob, signal: AbortSignal): Promise<Built> =>
  new Promise<Built>((resolve) => {
    // If the machine has too few file descriptors, the child has no pipes. If memory is short, `spawn` throws.
    const child: ChildProcess = spawn(process.execPath, [fileURLToPath(builtProgram('list-builder'))], {
      // The child gets none of the relay's secrets.
      env: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !name.startsWith(settingsPrefix)),
      ),
      signal,
    });
    child.on('error', (error) => resolve({ error: error.message }));
    let [out, problems] = ['', ''];
    child.stdout?.on('data', (text) => {
      out += text;
    });
    child.stderr?.on('data', (text) => {
      problems = (problems + text).slice(-500);
    });
    child.on('close', (code, ended) => {
      try {
        resolve(JSON.parse(out) as Built);
      } catch {
        resolve({ error: `the list's process ended with ${ended ?? code}: ${problems.trim()}` });
      }
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(job));
  }).catch((error: Error) => ({ error: error.message }));
