/** Moves the focus to the next or previous number by keyboard, over the whole page and not just near the viewport. */
import type { ClickHandler } from './click.ts';
import { markTarget } from './click-target.ts';
import type { PageObserver } from './page-observer.ts';
import type { Marks } from './paint-marks.ts';
import { elementOf, parentOf } from './text-blocks.ts';

export function createKeyboardNavigation({
  marks,
  observer,
  clicks,
}: {
  marks: Marks;
  observer: PageObserver;
  clicks: ClickHandler;
}) {
  let isMoving = false;

  const move = async (to: 'next' | 'previous'): Promise<void> => {
    const offset = to === 'next' ? 1 : -1;
    const key = clicks.current?.key;
    const mark = key instanceof Element ? undefined : key;
    const neighbour = mark && marks.of(mark.block)[marks.of(mark.block).indexOf(mark) + offset];
    if (neighbour) return focus(neighbour);
    const blocks = await observer.allBlocks();
    // Without a number to start from: the first one on the screen.
    const from = mark
      ? blocks.indexOf(mark.block) + offset
      : blocks.findIndex((block) => elementOf(block)!.getBoundingClientRect().bottom > 0);
    for (let count = 0; count < blocks.length; count++) {
      const block = blocks[(Math.max(from, -1) + count * offset + blocks.length * 2) % blocks.length]!;
      if (marks.of(block).length === 0) await observer.markNow(block);
      const visible = marks.of(block).filter((each) => markTarget(each, marks).isCurrent());
      const found = visible.at(offset > 0 ? 0 : -1);
      if (found) return focus(found);
    }
  };
  const focus = (mark: NonNullable<ReturnType<Marks['of']>[number]>) => {
    parentOf(mark.place.startContainer)?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    clicks.focus(markTarget(mark, marks));
  };

  return async (to: 'next' | 'previous') => {
    if (isMoving || !hasKeyboard()) return;
    isMoving = true;
    try {
      await move(to);
    } finally {
      isMoving = false;
    }
  };
}

/** The command goes to every frame of the tab: the focused one handles it, and the outermost where none has the focus. */
function hasKeyboard(): boolean {
  const inner = document.activeElement instanceof HTMLIFrameElement;
  return !inner && (window === window.top || document.hasFocus());
}
