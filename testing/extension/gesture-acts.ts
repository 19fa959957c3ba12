/** What the property test of the gesture lets happen. */
import type { Change } from './gesture-page.ts';

/** What may happen, by name. */
export interface Acts {
  wait: { ms: number };
  move: { slot: number };
  press: {
    pointer: 'mouse' | 'touch';
    isTrusted: boolean;
    isPrimary: boolean;
    drag: number;
    clicks: number;
    holdMs: number;
  };
  /** The page changes a number; `isSeen`: before the next frame. */
  interfere: { change: Change; which: number; slot: number; isSeen: boolean };
  /** The page changes a number between a press and its release. */
  pressAround: { pointer: 'mouse' | 'touch'; change: Change; which: number; slot: number };
  cover: { isCovered: boolean };
  /** The page opens a layer above the tip, which not every browser reports. */
  layer: { isReported: boolean };
  key: { key: string; isTrusted: boolean; isRepeat: boolean; isComposing: boolean };
  focus: { which: number; wasTab: boolean };
  /** The focus comes to our skip link. */
  focusSkipLink: { wasTab: boolean };
  blur: object;
  select: { text: string };
  step: { which: number };
  command: object;
  /** `isBrought`: the page has put the button under the resting pointer. */
  button: { isBrought: boolean };
  activate: { which: number };
  frame: object;
}
export type Action = { [Do in keyof Acts]: { do: Do } & Acts[Do] }[keyof Acts];
