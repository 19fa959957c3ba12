/**
 * The content script: finds numbers near the viewport, marks them without touching the page (Law 4), and turns a trusted
 * click into a message to the background, which alone judges and dials (Law 3). One AbortController undoes everything.
 */
import type { ContentSettings, ToContent } from '../messages.ts';
import { takeClicks } from './act.ts';
import { askingFinder } from './find.ts';
import { listNumbers } from './list.ts';
import { keepMarks } from './marks.ts';
import { observePage } from './observe.ts';
import { makeOverlay } from './overlay.ts';
import { connectRuntime } from './runtime.ts';
import { stepper } from './step.ts';

/** Registered scripts and `executeScript` may both bring us into the same page: the first one stays. */
const here = Symbol.for('dialmark.content');
const world = globalThis as { [here]?: AbortSignal };

if (world[here]?.aborted !== false) start();

function start(): void {
  const controller = new AbortController();
  const { signal } = controller;
  world[here] = signal;

  const runtime = connectRuntime(controller);
  // Left by a version of us that was updated while the page stayed open.
  for (const left of document.querySelectorAll(':root > dialmark-overlay')) left.remove();
  const overlay = makeOverlay(signal);
  const marks = keepMarks(signal);
  const finder = askingFinder(runtime);
  const actor = takeClicks({ marks, overlay, runtime, signal });

  let told = 0;
  let telling = false;
  const changed = () => {
    actor.refresh();
    if (telling || marks.size === told) return;
    telling = true;
    setTimeout(() => {
      telling = false;
      told = marks.size;
      void runtime.ask('content.found', { count: told });
    }, 500);
  };
  const use = (settings: ContentSettings) => {
    overlay.use(settings);
    marks.paint(settings);
  };

  const begun = runtime.ask('content.hello', {}).then((reply): Partial<Answers> => {
    // Not for this page, or not now: whatever brings us here again begins anew.
    if (!reply.ok) controller.abort();
    if (signal.aborted || !reply.ok) return {};
    use(reply.value);
    const observer = saysNoTelephones()
      ? undefined
      : observePage({ marks, finder, runtime, signal }, changed);
    const step = observer && stepper({ marks, observer, actor });
    return {
      'background.step': ({ to }) => void step?.(to),
      'background.dialFocused': actor.dialFocused,
      'background.call': ({ call }) => actor.showCall(call),
      'background.list': () => (observer ? listNumbers(observer, finder) : []),
      'background.stop': () => controller.abort(),
      'background.settings': ({ settings }) => {
        use(settings);
        finder.forget();
        observer?.again();
      },
    };
  });
  // From the start: what the background says while its greeting is on the way waits for it.
  runtime.listen(async (message) => (await begun)[message.type]?.(message as never));
}

type Answers = { [Type in ToContent['type']]: (message: Extract<ToContent, { type: Type }>) => unknown };

/** What a page asks of telephones themselves: leave my numbers alone. */
function saysNoTelephones(): boolean {
  const meta = document.querySelector('meta[name="format-detection" i]');
  return /telephone\s*=\s*no/i.test(meta?.getAttribute('content') ?? '');
}
