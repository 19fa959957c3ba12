import { type BlockText, readBlock } from '../../extension/content/block-text.ts';
import type { Block } from '../../extension/content/tree.ts';

/** Reads the text of a block without a pause. @param control as for `readBlock`. */
export function blockTextOf(block: Block, control?: Element): BlockText {
  const reading = readBlock(block, control);
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}
