/** What only a link, button or field of the page needs that may hold a number. */
import { createControls } from './controls.ts';
import { currentFrame } from './frame.ts';
import { setPageRules } from './received-page-rules.ts';

const frame = currentFrame();
if (frame?.parts && !frame.controls) {
  setPageRules(frame.parts.rules);
  frame.controls = createControls(frame.parts, frame.signal);
  frame.parts.clicks.refresh();
}
