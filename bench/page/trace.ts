/**
 * The use of the page's main thread, from a Chromium trace with a CPU profile, task by task. A contender's share of a task is the
 * share of samples with its script on the stack, with the layout and young garbage that it causes. Counted apart are rendering
 * afterwards, and collections of the whole heap, which fall on whichever script allocates next. All times are CPU time in ms.
 */
import type { CDPSession } from 'playwright';

export interface Usage {
  /** All tasks of the main thread. */
  total: number;
  longestTask: number;
  /** The contender's own script. */
  own: number;
  /** The maximum of it within one task. */
  longestOwn: number;
  /** Collections of the page's whole heap that fell into tasks of the contender's. */
  collecting: number;
  /** Style, layout and painting, except what a script forced. */
  rendering: number;
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

const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing'];
const profiler = 'disabled-by-default-v8.cpu_profiler';
const scripts = new Set(['EvaluateScript', 'FunctionCall', 'RunMicrotasks']);
const rendering = new Set(['UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit']);

/**
 * Starts a trace. @returns a function that ends and reads it.
 * @param isScriptless the page has no script: all script in it is the contender's. The profiler, which alone took a task of 290 ms on a
 * page of 200 frames, is not needed then.
 */
export async function startTrace(session: CDPSession, isScriptless = false): Promise<() => Promise<Trace>> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => {
    for (const event of value) events.push(event as TraceEvent);
  };
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: isScriptless ? categories : [...categories, profiler],
      excludedCategories: ['*'],
    },
  });
  return async () => {
    const done = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
    await session.send('Tracing.end');
    await done;
    session.off('Tracing.dataCollected', collect);
    return readTrace(events, isScriptless);
  };
}

function readTrace(events: readonly TraceEvent[], isScriptless: boolean): Trace {
  const page = pageThread(events);
  const onPage = events.filter(({ pid, tid }) => `${pid}.${tid}` === page);
  const spans = onPage.filter(({ ph }) => ph === 'X').sort((one, other) => one.ts - other.ts);
  const tasks = spans.filter(({ name }) => name === 'RunTask').map((task) => ({ task, ...ZERO }));
  const taskAt = finder(tasks);

  const collections = outermost(spans, new Set(['MajorGC', 'V8.GC_MC_INCREMENTAL']));
  const collectionAt = finder(collections.map((task) => ({ task })));
  for (const { ts, tdur = 0 } of collections) {
    const entry = taskAt(ts);
    if (entry) entry.collecting += tdur;
  }
  for (const span of outermost(spans, scripts))
    if (isOwn(span.args?.data?.url)) {
      const entry = taskAt(span.ts);
      if (entry) entry.calls += (span.tdur ?? 0) - sumWithin(span, collections);
    }
  for (const span of outermost(spans, new Set([...scripts, ...rendering])))
    if (rendering.has(span.name)) {
      const entry = taskAt(span.ts);
      if (entry) entry.rendering += span.tdur ?? 0;
    }
  if (isScriptless)
    for (const { name, ts } of spans) {
      const entry = scripts.has(name) || name === 'RunPostTaskCallback' ? taskAt(ts) : undefined;
      if (entry) entry.calls = (entry.task.tdur ?? 0) - entry.collecting - entry.rendering;
    }
  let last: { entry: Task; own: boolean } | undefined;
  for (const { at, own } of samplesOf(events, page)) {
    const entry = taskAt(at);
    if (!entry || collectionAt(at)) continue;
    // Garbage counts for the script that ran before it in the task.
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
  const usage = { total: 0, longestTask: 0, own: 0, longestOwn: 0, collecting: 0, rendering: 0 };
  for (const { task, calls, samples, ownSamples, collecting, rendering } of tasks) {
    const time = (task.tdur ?? 0) / 1_000;
    const worked = time - collecting / 1_000;
    const own = Math.max(calls / 1_000, samples === 0 ? 0 : (worked * ownSamples) / samples);
    usage.total += time;
    usage.own += own;
    if (own > 0) usage.collecting += collecting / 1_000;
    usage.rendering += rendering / 1_000;
    usage.longestTask = Math.max(usage.longestTask, time);
    usage.longestOwn = Math.max(usage.longestOwn, own);
  }
  return usage;
}

const ZERO = { calls: 0, collecting: 0, rendering: 0, samples: 0, ownSamples: 0 };
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

/** Spans of these names that are within no other of them. */
function outermost(spans: readonly TraceEvent[], names: ReadonlySet<string>): TraceEvent[] {
  let end = 0;
  return spans.filter(({ name, ts, dur = 0 }) => {
    if (!names.has(name) || ts < end) return false;
    end = ts + dur;
    return true;
  });
}

/** CPU time of the `inner` spans within `outer`, in microseconds. */
function sumWithin(outer: TraceEvent, inner: readonly TraceEvent[]): number {
  return inner
    .filter(({ ts }) => ts >= outer.ts && ts <= outer.ts + (outer.dur ?? 0))
    .reduce((sum, { tdur = 0 }) => sum + tdur, 0);
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

/** Every sample of the profile, in microseconds; `own`: the contender's script is on the stack, undefined during garbage collection. */
function* samplesOf(
  events: readonly TraceEvent[],
  page: string | undefined,
): Generator<{ at: number; own: boolean | undefined }> {
  // The chunks come from a thread beside the one that is sampled.
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
