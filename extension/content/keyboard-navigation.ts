/** Moves the focus to the next or previous number by keyboard, over the whole page and not just near the viewport. */
import type { ClickHandler } from './click.ts';
import { markTarget } from './click-target.ts';
import type { PageObserver } from './page-observer.ts';
import type { Mark, Marks } from './paint-marks.ts';
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
    if (neighbour && focus(neighbour)) return;
    const blocks = await observer.allBlocks();
    // Without a number to start from: the first one on the screen.
    const from = mark
      ? blocks.indexOf(mark.block) + offset
      : blocks.findIndex((block) => elementOf(block)!.getBoundingClientRect().bottom > 0);
    for (let count = 0; count < blocks.length; count++) {
      const block = blocks[(Math.max(from, -1) + count * offset + blocks.length * 2) % blocks.length]!;
      if (marks.of(block).length === 0) await observer.markNow(block);
      const found = [...marks.of(block)];
      if (offset < 0) found.reverse();
      if (found.some(focus)) return;
    }
  };
  /** @returns false for a number that no person can see, wherever the page is scrolled to. */
  const focus = (mark: Mark): boolean => {
    const target = markTarget(mark, marks);
    const element = parentOf(mark.place.startContainer)!;
    if (!target.isCurrent() || isInert(element)) return false;
    // Under a header that stays, the nearest place is not one where it can be seen.
    for (const block of ['nearest', 'center'] as const) {
      element.scrollIntoView({ block, behavior: 'instant' });
      if (clicks.focus(target)) return true;
    }
    return false;
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

/** True behind a modal dialog, or where the page said so. */
function isInert(element: Element): boolean {
  const modals = [...document.querySelectorAll(':modal')];
  let isInside = modals.length === 0;
  for (let at: Element | null = element; at; at = parentOf(at)) {
    if (at.hasAttribute('inert')) return true;
    isInside ||= modals.includes(at);
  }
  return !isInside;
}

/** The command goes to every frame of the tab: the focused one handles it, and the outermost where none has the focus. */
function hasKeyboard(): boolean {
  const inner = document.activeElement instanceof HTMLIFrameElement;
  return !inner && (window === window.top || document.hasFocus());
}
