/**
 * What the two scripts of one frame share: `main.iife.ts` runs in every page, `commands.iife.ts` only where somebody asked for the
 * list of numbers or walks by keyboard, so that no other page loads it.
 */
import type { ContentLists, NumberOnPage } from '../messages.ts';
import type { ClickHandler } from './click.ts';
import type { NumberFinder } from './number-finder.ts';
import type { PageObserver } from './page-observer.ts';
import type { Marks } from './paint-marks.ts';

export interface Frame {
  /** Aborted once the content script has left the page. */
  signal: AbortSignal;
  /** Set once the background has sent the settings, unless the page opts out of telephone numbers. */
  parts?: {
    marks: Marks;
    finder: NumberFinder;
    observer: PageObserver;
    clicks: ClickHandler;
    lists: ContentLists;
  };
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
