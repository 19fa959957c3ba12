/** What only a person's command asks for: the list of this frame's numbers, and the walk from number to number by keyboard. */
import { currentFrame } from './frame.ts';
import { createKeyboardNavigation } from './keyboard-navigation.ts';
import { listNumbers } from './list-numbers.ts';
import { setLists } from './lists.ts';

const frame = currentFrame();
if (frame?.parts && !frame.commands) {
  const { observer, finder, lists } = frame.parts;
  setLists(lists);
  frame.commands = {
    list: () => listNumbers(observer, finder),
    step: createKeyboardNavigation(frame.parts),
  };
}
