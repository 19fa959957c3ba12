/**
 * The content script: finds numbers near the viewport, marks them without touching the page (Law 4), and turns a trusted
 * click into a message to the background, which alone judges and dials (Law 3). One AbortController undoes everything.
 */
import type { ContentSettings, ToContent } from '../messages/content.ts';
import { connectToBackground } from './background-connection.ts';
import { handleClicks } from './click.ts';
import { currentFrame, type Frame, setFrame } from './frame.ts';
import { labelOf } from './labels.ts';
import { createNumberFinder } from './number-finder.ts';
import { createOverlay } from './overlay.ts';
import { observePage } from './page-observer.ts';
import { paintMarks } from './paint-marks.ts';
import { rules, setPageRules } from './received-page-rules.ts';

// A registered script and `executeScript` may both run in the same page: the first one stays.
if (currentFrame()?.signal.aborted !== false) start();

function start(): void {
  const controller = new AbortController();
  const { signal } = controller;
  const frame = setFrame({ signal });

  const background = connectToBackground(controller);
  // Left by an earlier version of the extension, updated while the page stayed open.
  for (const left of document.querySelectorAll(':root > dialmark-overlay')) left.remove();
  const overlay = createOverlay(signal);
  const marks = paintMarks(signal);
  const finder = createNumberFinder(background);
  const clicks = handleClicks(marks, overlay, background, frame);
  const parts = { marks, finder, clicks, overlay, background, labelOf };

  let lastReported = 0;
  let isReportDue = false;
  const onChange = () => {
    clicks.refresh();
    if (isReportDue || marks.size === lastReported) return;
    isReportDue = true;
    setTimeout(() => {
      isReportDue = false;
      lastReported = marks.size;
      void background.send('content.numbersChanged', {});
    }, 500);
  };
  const applySettings = (settings: ContentSettings) => {
    setPageRules(settings.rules);
    overlay.applySettings(settings);
    marks.applySettings(settings);
  };

  const commands = async (): Promise<Frame['commands']> => {
    if (frame.parts && !frame.commands) await background.send('content.load', { script: 'commands' });
    return frame.commands;
  };

  const started = background.send('content.hello', {}).then((reply): Partial<Answers> => {
    // Not on this page, or not now: the next injection starts again.
    if (!reply.ok) controller.abort();
    if (signal.aborted || !reply.ok) return {};
    applySettings(reply.value);
    const observer = document.querySelector(rules.optOut!) ? undefined : observePage(parts, signal, onChange);
    if (observer) frame.parts = { ...parts, observer, rules: reply.value.rules };
    return {
      'background.step': async ({ to }) => (await commands())?.step(to),
      'background.dialFocused': clicks.dialFocused,
      'background.call': ({ call }) => clicks.showCall(call),
      'background.list': async () => (await commands())?.list() ?? [],
      'background.stop': () => controller.abort(),
      'background.settings': ({ settings }) => {
        applySettings(settings);
        finder.clearCache();
        clicks.clearCache();
        observer?.rereadAll();
      },
    };
  });
  // Registered at once: messages that arrive before the reply to `content.hello` wait for it.
  background.onMessage(async (message) => (await started)[message.type]?.(message as never));
}

type Answers = { [Type in ToContent['type']]: (message: Extract<ToContent, { type: Type }>) => unknown };
