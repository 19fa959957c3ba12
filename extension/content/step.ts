/** Next and previous number by keyboard, over the whole page and not just what is near the viewport. */
import type { Actor } from './act.ts';
import type { Marks } from './marks.ts';
import type { Observer } from './observe.ts';
import { markTarget } from './target.ts';
import { elementOf, parentOf } from './walk.ts';

export function stepper({ marks, observer, actor }: { marks: Marks; observer: Observer; actor: Actor }) {
  let stepping = false;

  const step = async (to: 'next' | 'previous'): Promise<void> => {
    const way = to === 'next' ? 1 : -1;
    const now = actor.current?.key;
    const mark = now instanceof Element ? undefined : now;
    const beside = mark && marks.of(mark.block)[marks.of(mark.block).indexOf(mark) + way];
    if (beside) return go(beside);
    const blocks = await observer.everyBlock();
    // Without a number to start from: the first one on the screen.
    const from = mark
      ? blocks.indexOf(mark.block) + way
      : blocks.findIndex((block) => elementOf(block)!.getBoundingClientRect().bottom > 0);
    for (let count = 0; count < blocks.length; count++) {
      const block = blocks[(Math.max(from, -1) + count * way + blocks.length * 2) % blocks.length]!;
      if (marks.of(block).length === 0) await observer.markNow(block);
      const seen = marks.of(block).filter((each) => markTarget(each, marks).stands());
      const found = seen.at(way > 0 ? 0 : -1);
      if (found) return go(found);
    }
  };
  const go = (mark: NonNullable<ReturnType<Marks['of']>[number]>) => {
    parentOf(mark.place.startContainer)?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    actor.focus(markTarget(mark, marks));
  };

  return async (to: 'next' | 'previous') => {
    if (stepping || !hasTheKeyboard()) return;
    stepping = true;
    try {
      await step(to);
    } finally {
      stepping = false;
    }
  };
}

/** The command goes to every frame of the tab: one of them has the focus, and the outermost answers where none has. */
function hasTheKeyboard(): boolean {
  const inner = document.activeElement instanceof HTMLIFrameElement;
  return !inner && (window === window.top || document.hasFocus());
}
