/**
 * The content script: finds numbers near the viewport, marks them without touching the page (Law 4), and turns a
 * trusted click into a message to the background, which alone judges and dials (Law 3). One AbortController undoes
 * everything.
 */
import type { ContentSettings, ToContent } from '../messages/content.ts';
import { connectToBackground } from './background-connection.ts';
import { handleClicks } from './click.ts';
import { createControls } from './controls.ts';
import type { Controls } from './frame-parts.ts';
import { createKeyboardNavigation } from './keyboard-navigation.ts';
import { listen } from './listen.ts';
import { NumberFinder } from './number-finder.ts';
import { listNumbers } from './numbers-of-frame.ts';
import { createOverlay } from './overlay.ts';
import { PageObserver } from './page-observer.ts';
import { Marks } from './paint-marks.ts';
import { createSkipLink } from './skip-link.ts';
import { createTimeSlicer } from './time-slicer.ts';

/** The least time between two reports that the numbers have changed. */
const minReportIntervalMs = 500;

const key = Symbol.for('dialmark.content');
const scope = globalThis as { [key]?: AbortSignal };
// A registered script and `executeScript` may both run in the same page: only the first one starts. If the page is a
// picture or a data file, it cannot show our elements. An element that it makes is not an `HTMLElement`.
if (scope[key]?.aborted !== false && document.createElement('a') instanceof HTMLElement) start();

function start(): void {
  const controller = new AbortController();
  const { signal } = controller;
  scope[key] = signal;
  restartWithPage(controller);

  const background = connectToBackground(controller);
  // An earlier version of the extension left these when it was updated while the page stayed open.
  for (const left of document.querySelectorAll(':root>dialmark-overlay')) left.remove();
  const overlay = createOverlay(signal);
  const marks = new Marks(signal);
  const slicer = createTimeSlicer(signal);
  const finder = new NumberFinder(background, slicer);
  const frame: { signal: AbortSignal; controls?: Controls } = { signal };
  const clicks = handleClicks(marks, overlay, background, frame);

  let skipLink: ReturnType<typeof createSkipLink> | undefined;
  let offersSkipLink = false;
  let lastReported = 0;
  let isReportDue = false;
  const onChange = () => {
    clicks.refresh();
    skipLink?.set(offersSkipLink && marks.size > 0);
    if (isReportDue || marks.size === lastReported) return;
    isReportDue = true;
    setTimeout(() => {
      isReportDue = false;
      lastReported = marks.size;
      void background.send('content.numbersChanged', {});
    }, minReportIntervalMs);
  };
  const applySettings = (settings: ContentSettings) => {
    overlay.applySettings(settings);
    clicks.applySettings(settings);
    marks.applySettings(settings);
    offersSkipLink = settings.offersSkipLink;
  };
  /** Starts all that reads the page. */
  const read = () => {
    const observer = new PageObserver({ marks, finder, background, slicer }, signal, onChange);
    const parts = { marks, finder, clicks, overlay, background, observer };
    const controls = createControls(parts, signal);
    frame.controls = controls;
    const step = createKeyboardNavigation(parts, controls);
    skipLink = createSkipLink(overlay, step, signal);
    return { rereadAll: () => observer.rereadAll(), list: () => listNumbers(parts, controls), step };
  };

  const started = background.send('content.hello', {}).then(({ value }): Partial<Answers> => {
    // The script must not run on this page, or not now. The next injection starts it again.
    if (!value) controller.abort();
    if (signal.aborted || !value) return {};
    applySettings(value);
    const reader = read();
    return {
      'background.step': ({ to, isEntered }) => reader.step(to, isEntered),
      'background.dialFocused': clicks.dialFocused,
      'background.call': ({ call }) => clicks.showCall(call),
      'background.list': reader.list,
      'background.stop': () => controller.abort(),
      'background.settings': ({ settings }) => {
        applySettings(settings);
        finder.clearCache();
        clicks.clearCache();
        reader.rereadAll();
      },
    };
  });
  // Registered at once: messages that arrive before the reply to `content.hello` wait for it.
  background.onMessage(async (message) => (await started)[message.type]?.(message as never));
}

/**
 * `document.open()` removes our listeners with the page's, but the script keeps running: clicks would not reach its
 * marks. A page from the browser's cache has missed the news of its call, and new settings. A prerendered page does not
 * get messages, and is not a tab's page until it is shown (Chromium 156).
 */
function restartWithPage(controller: AbortController): void {
  const { documentElement } = document;
  const restart = () => {
    controller.abort();
    start();
  };
  const observer = new MutationObserver(() => {
    if (document.documentElement && document.documentElement !== documentElement) restart();
  });
  observer.observe(document, { childList: true });
  controller.signal.addEventListener('abort', () => observer.disconnect());
  listen('pageshow', ({ persisted }) => persisted && restart(), controller.signal);
  listen('prerenderingchange', restart, controller.signal);
}

type Answers = { [Type in ToContent['type']]: (message: Extract<ToContent, { type: Type }>) => unknown };
