/**
 * What the scripts of one frame share: `main.iife.ts` runs in every page, `controls.iife.ts` only where a link, button or field that
 * may hold a number was pointed at or focused, `commands.iife.ts` only where somebody asked for the list of numbers or walks by
 * keyboard, so that no other page loads them.
 */
import type { NumberOnPage } from '../messages/views.ts';
import type { PageRules } from '../page-rules.ts';
import type { BackgroundConnection } from './background-connection.ts';
import type { ClickHandler } from './click.ts';
import type { Target } from './click-target.ts';
import type { labelOf } from './labels.ts';
import type { NumberFinder } from './number-finder.ts';
import type { Overlay } from './overlay.ts';
import type { Point } from './overlay-place.ts';
import type { PageObserver } from './page-observer.ts';
import type { Marks } from './paint-marks.ts';
import type { Block } from './tree.ts';

/** Set once the background has sent the settings, unless the page opts out of telephone numbers. */
export interface FrameParts {
  marks: Marks;
  finder: NumberFinder;
  observer: PageObserver;
  clicks: ClickHandler;
  overlay: Overlay;
  background: BackgroundConnection;
  labelOf: typeof labelOf;
  rules: PageRules;
}

/** Reads the numbers in the page's own links, buttons and fields. */
export interface Controls {
  /** The number at a point, the one whose tip the pointer is on its way to, or the first in the focused control. */
  targetAt(under: Element | undefined, point: Point | undefined): Target | undefined;
  /** Everything that may hold a number, far from the viewport too. */
  findBlocksAndControls(): Promise<Block[]>;
  isControl(place: Node): place is Element;
  /** Reads a control now. @returns its numbers, in order */
  read(control: Element): Promise<Target[]>;
}

export interface Frame {
  /** Aborted once the content script has left the page. */
  signal: AbortSignal;
  parts?: FrameParts;
  /** Set by the controls' script. */
  controls?: Controls;
  /** Set by the commands' script. */
  commands?: {
    list(): Promise<NumberOnPage[]>;
    step(to: 'next' | 'previous'): Promise<void>;
  };
}

const key = Symbol.for('dialmark.content');
const scope = globalThis as { [key]?: Frame };

export const currentFrame = (): Frame | undefined => scope[key];
export const setFrame = (frame: Frame): Frame => (scope[key] = frame);
