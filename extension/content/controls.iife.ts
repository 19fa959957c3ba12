/** What only a link, button or field of the page needs that may hold a number. */
import { createControls } from './controls.ts';
import { currentFrame } from './frame.ts';
import { setLists } from './lists.ts';

const frame = currentFrame();
if (frame?.parts && !frame.controls) {
  setLists(frame.parts.lists);
  frame.controls = createControls(frame.parts, frame.signal);
  frame.parts.clicks.refresh();
}
