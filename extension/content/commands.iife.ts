/** What only a person's command asks for: the list of this frame's numbers, and the walk from number to number by keyboard. */
import { currentFrame } from './frame.ts';
import { createKeyboardNavigation } from './keyboard-navigation.ts';
import { listNumbers } from './list-numbers.ts';
import { setPageRules } from './received-page-rules.ts';

const frame = currentFrame();
if (frame?.parts && frame.controls && !frame.commands) {
  const { parts, controls } = frame;
  setPageRules(parts.rules);
  frame.commands = {
    list: () => listNumbers(parts, controls),
    step: createKeyboardNavigation(parts, controls),
  };
}
