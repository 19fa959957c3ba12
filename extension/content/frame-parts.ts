/** The parts of the content script that others need. */
import type { BackgroundConnection } from './background-connection.ts';
import type { ClickHandler } from './click.ts';
import type { ControlTarget, Target } from './click-target.ts';
import type { NumberFinder } from './number-finder.ts';
import type { PageOverlay } from './overlay.ts';
import type { Point } from './overlay-place.ts';
import type { PageObserver } from './page-observer.ts';
import type { Marks } from './paint-marks.ts';
import type { Block } from './tree.ts';

export interface FrameParts {
  marks: Marks;
  finder: NumberFinder;
  observer: PageObserver;
  clicks: ClickHandler;
  overlay: PageOverlay;
  background: BackgroundConnection;
}

/** Reads the numbers in the page's own links, buttons and fields. */
export interface Controls {
  /**
   * The number at a point, or the number whose tip the pointer is moving to. Else the first number in the focused
   * control.
   */
  targetAt(under: Element | undefined, point: Point | undefined): Target | undefined;
  /** Finds everything that may hold a number, also far from the viewport. */
  findBlocksAndControls(): Promise<Block[]>;
  isControl(place: Node): place is Element;
  /** Reads a control now. @returns its numbers, in order */
  read(control: Element): Promise<ControlTarget[]>;
}
