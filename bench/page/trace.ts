/**
 * Reads the use of the page's main thread from a Chromium trace with a CPU profile. Each task is counted by itself.
 * A contender's share of a task is the share of samples with its script on the stack. That includes the layout and
 * garbage collection that the script causes. All times are CPU time in ms.
 */
import type { CDPSession } from 'playwright';

export interface Usage {
  /** All tasks of the main thread. */
  total: number;
  longestTask: number;
  /** The contender's own script. */
  own: number;
  /** The largest part of `own` within one task. */
  longestOwn: number;
}

export interface Trace {
  readonly usage: Usage;
  /** Every `performance.mark` of that name in the page, in order. */
  marks(name: string): Moment[];
  /** When the contender's script began, if it did. */
  readonly injected: Moment | undefined;
}

/** Milliseconds. */
interface Moment {
  /** Wall clock. */
  wall: number;
  /** The main thread's own time. */
  cpu: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  id?: string;
  pid: number;
  tid: number;
  /** Microseconds, of the wall clock and of the thread's own time. */
  ts: number;
  tts?: number;
  dur?: number;
  tdur?: number;
  args?: {
    name?: string;
    data?: {
      url?: string;
      startTime?: number;
      timeDeltas?: number[];
      cpuProfile?: {
        nodes?: { id: number; parent?: number; callFrame: { url?: string; functionName: string } }[];
        samples?: number[];
      };
    };
  };
}

const categories = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-v8.cpu_profiler',
  'blink.user_timing',
];
const scripts = new Set(['EvaluateScript', 'FunctionCall', 'RunMicrotasks']);

/** Starts a trace. @returns a function that ends and reads it. */
export async function startTrace(session: CDPSession): Promise<() => Promise<Trace>> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => {
    for (const event of value) events.push(event as TraceEvent);
  };
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: categories,
      excludedCategories: ['*'],
    },
  });
  return async () => {
    const done = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
    await session.send('Tracing.end');
    await done;
    session.off('Tracing.dataCollected', collect);
    return readTrace(events);
  };
}

function readTrace(events: readonly TraceEvent[]): Trace {
  const page = pageThread(events);
  const onPage = events.filter(({ pid, tid }) => `${pid}.${tid}` === page);
  const spans = onPage.filter(({ ph }) => ph === 'X').sort((one, other) => one.ts - other.ts);
  const tasks = spans.filter(({ name }) => name === 'RunTask').map((task) => ({ task, ...ZERO }));
  const taskAt = finder(tasks);

  for (const span of outermost(spans, scripts)) {
    const entry = isOwn(span.args?.data?.url) ? taskAt(span.ts) : undefined;
    if (entry) entry.calls += span.tdur ?? 0;
  }
  let last: { entry: Task; own: boolean } | undefined;
  for (const { at, own } of samplesOf(events, page)) {
    const entry = taskAt(at);
    if (!entry) continue;
    // Garbage collection counts for the script that ran before it in the task.
    const mine = own ?? (last?.entry === entry && last.own);
    last = { entry, own: mine };
    entry.samples++;
    if (mine) entry.ownSamples++;
  }

  const moment = ({ ts, tts = 0 }: TraceEvent): Moment => ({ wall: ts / 1_000, cpu: tts / 1_000 });
  const injected = spans.find(({ name, args }) => name === 'EvaluateScript' && isOwn(args?.data?.url));
  return {
    usage: usageOf(tasks),
    marks: (name) => onPage.filter((event) => event.name === name && event.ph === 'I').map(moment),
    injected: injected && moment(injected),
  };
}

function usageOf(tasks: readonly Task[]): Usage {
  const usage = { total: 0, longestTask: 0, own: 0, longestOwn: 0 };
  for (const { task, calls, samples, ownSamples } of tasks) {
    const time = (task.tdur ?? 0) / 1_000;
    const own = Math.max(calls / 1_000, samples === 0 ? 0 : (time * ownSamples) / samples);
    usage.total += time;
    usage.own += own;
    usage.longestTask = Math.max(usage.longestTask, time);
    usage.longestOwn = Math.max(usage.longestOwn, own);
  }
  return usage;
}

const ZERO = { calls: 0, samples: 0, ownSamples: 0 };
type Task = { task: TraceEvent } & typeof ZERO;

const isOwn = (url: string | undefined) => url?.startsWith('chrome-extension://') === true;

/** The busiest main thread: the others belong to the browser's own pages and the extension's. */
function pageThread(events: readonly TraceEvent[]): string | undefined {
  const mains = new Map<string, number>();
  for (const { name, pid, tid, args } of events)
    if (name === 'thread_name' && args?.name === 'CrRendererMain') mains.set(`${pid}.${tid}`, 0);
  for (const { name, pid, tid, tdur = 0 } of events) {
    const sum = mains.get(`${pid}.${tid}`);
    if (name === 'RunTask' && sum !== undefined) mains.set(`${pid}.${tid}`, sum + tdur);
  }
  return [...mains].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** Spans of these names that are not within another span of these names. */
function outermost(spans: readonly TraceEvent[], names: ReadonlySet<string>): TraceEvent[] {
  let end = 0;
  return spans.filter(({ name, ts, dur = 0 }) => {
    if (!names.has(name) || ts < end) return false;
    end = ts + dur;
    return true;
  });
}

/** Finds by time. @param entries in order, not overlapping. */
function finder<Entry extends { task: TraceEvent }>(
  entries: readonly Entry[],
): (at: number) => Entry | undefined {
  return (at) => {
    let low = 0;
    for (let high = entries.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (entries[middle]!.task.ts <= at) low = middle + 1;
      else high = middle;
    }
    const found = entries[low - 1];
    return found && at <= found.task.ts + (found.task.dur ?? 0) ? found : undefined;
  };
}

/**
 * Every sample of the profile, with its time in microseconds. `own` is true if the contender's script is on the stack,
 * and undefined during garbage collection.
 */
function* samplesOf(
  events: readonly TraceEvent[],
  page: string | undefined,
): Generator<{ at: number; own: boolean | undefined }> {
  // Another thread than the sampled one writes the chunks.
  const profile = events.find(({ name, pid, tid }) => name === 'Profile' && `${pid}.${tid}` === page);
  const own = new Map<number, boolean>();
  const garbage = new Set<number>();
  let at = profile?.args?.data?.startTime ?? 0;
  for (const { name, pid, id, args } of events) {
    if (name !== 'ProfileChunk' || pid !== profile?.pid || id !== profile.id) continue;
    const { cpuProfile, timeDeltas = [] } = args?.data ?? {};
    // A node comes after its parent.
    for (const { id, parent, callFrame } of cpuProfile?.nodes ?? []) {
      own.set(id, isOwn(callFrame.url) || (parent !== undefined && own.get(parent) === true));
      if (callFrame.functionName === '(garbage collector)') garbage.add(id);
    }
    for (const [index, node] of (cpuProfile?.samples ?? []).entries()) {
      at += timeDeltas[index] ?? 0;
      yield { at, own: garbage.has(node) ? undefined : own.get(node) === true };
    }
  }
}
