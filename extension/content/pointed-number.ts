/** Gives the marked number under the mouse a hand as cursor and an offer in the context menu. */
import type { BackgroundConnection } from './background-connection.ts';
import { elementUnder, type Target } from './click-target.ts';
import type { Point } from './overlay-place.ts';

export type PointedNumber = ReturnType<typeof createPointedNumber>;

export function createPointedNumber(background: BackgroundConnection, signal: AbortSignal) {
  let offered: string | undefined;
  let hand: Animation | undefined;

  /**
   * Only an animation sets a cursor without a change of a node or sheet. It does not need our element under the
   * pointer.
   */
  const showHand = (under?: Element) => {
    if (under === (hand?.effect as KeyframeEffect | undefined)?.target) return;
    hand?.cancel();
    hand = under?.animate({ cursor: ['pointer', 'pointer'] }, { duration: 1, fill: 'both' });
  };
  signal.addEventListener('abort', () => showHand());

  return {
    show(target: Target | undefined, at: Point | undefined) {
      // The page's links and controls have menu and cursor of their own.
      const marked = target?.kind === 'mark' ? target : undefined;
      const display = marked?.number.display;
      if (display !== offered) {
        offered = display;
        void background.send('content.pointAt', { number: display, source: marked?.source });
      }
      showHand(marked && at && elementUnder(at.x, at.y));
    },
  };
}
