/** Lists that came with the settings; empty until then. */
import type { ContentLists } from '../messages.ts';

const read = (lists: Partial<ContentLists>) => ({
  ...lists,
  /** Elements that are in the line by name. */
  inline: new Set(lists.inline),
  /** Code, fields, editors, pictures and media: texts that are not meant to be called, or that are being edited. */
  untouchable: new Set(lists.untouchable),
  /** Elements that may have a shadow root, besides custom ones. */
  hosts: new Set(lists.hosts),
  /** Boxes that hold more than one thing each: a label outside of them is not the number's. */
  outer: new Set(lists.outer),
});

export let lists = read({});

export function setLists(sent: ContentLists): void {
  lists = read(sent);
}
