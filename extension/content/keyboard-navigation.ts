/** Moves the focus to the next or previous number by keyboard, over the whole page and not just near the viewport. */
import { elementOfTarget, markTarget, type Target } from './click-target.ts';
import { hasInertAttribute } from './elements.ts';
import type { Controls, FrameParts } from './frame-parts.ts';
import { isSameTarget } from './gesture-state.ts';
import { type Block, boxElementOf, withAncestors } from './tree.ts';

export function createKeyboardNavigation({ marks, observer, clicks }: FrameParts, controls: Controls) {
  let isMoving = false;

  const targetsIn = async (place: Block): Promise<readonly Target[]> => {
    if (controls.isControl(place)) return controls.read(place);
    if (marks.of(place).length === 0) await observer.markNow(place);
    return marks.of(place).map((mark) => markTarget(mark, marks));
  };
  /** The place of a number: its control or its block of text. Undefined for a telephone link. */
  const placeOf = ({ kind, key }: Target): Block | undefined =>
    kind === 'mark' ? key.block : kind === 'control' ? key : undefined;

  /**
   * @param isEntered true to begin at the frame's edge, not at the focused number.
   * @returns false after the last number.
   */
  const move = async (to: 'next' | 'previous', isEntered?: boolean): Promise<boolean> => {
    const offset = to === 'next' ? 1 : -1;
    const current = isEntered ? undefined : clicks.current;
    const here = current && placeOf(current);
    const besides = here ? await targetsIn(here) : [];
    const neighbour = besides[besides.findIndex((target) => isSameTarget(target, current)) + offset];
    if (neighbour && (await focus(neighbour))) return true;
    const places = await controls.findBlocksAndControls();
    let at = offset > 0 ? 0 : places.length - 1;
    if (here) at = places.indexOf(here) + offset;
    // Without a current number, or in a telephone link, the search starts at the first place on the screen.
    else if (!isEntered)
      at = places.findIndex((place) => boxElementOf(place).getBoundingClientRect().bottom > 0);
    for (; places[at]; at += offset) {
      const found = await targetsIn(places[at]!);
      for (const target of offset < 0 ? found.toReversed() : found) if (await focus(target)) return true;
    }
    return false;
  };
  /** @returns false if a person cannot see the number, wherever the page is scrolled to. */
  const focus = async (target: Target): Promise<boolean> => {
    const element = elementOfTarget(target);
    if (!target.isCurrent() || isInert(element)) return false;
    // At the nearest scroll position, a fixed header may hide the number.
    for (const block of ['nearest', 'center'] as const) {
      element.scrollIntoView({ block, behavior: 'instant' });
      if (await clicks.focus(target)) return true;
    }
    return false;
  };

  /**
   * @param isEntered as for `move`. If undefined, the search goes on from the frame's other end.
   * @returns false if the focus was not moved.
   */
  return async (to: 'next' | 'previous', isEntered?: boolean): Promise<boolean> => {
    if (isMoving) return true;
    isMoving = true;
    try {
      return (await move(to, isEntered)) || (isEntered === undefined && (await move(to, true)));
    } finally {
      isMoving = false;
    }
  };
}

/** True for an element behind a modal dialog or inside an `inert` element. */
function isInert(element: Element): boolean {
  const modals = [...document.querySelectorAll(':modal')];
  const around = withAncestors(element);
  return (
    around.some(hasInertAttribute) || (modals.length > 0 && !modals.some((modal) => around.includes(modal)))
  );
}
