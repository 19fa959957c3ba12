/** Checks that each call keeps Law 3. It keeps its own record of what was shown and pressed, apart from the machine. */
import { minVisibleMs, type Subject } from '../../extension/content/gesture-state.ts';

/** A press does not count for a call that comes later. */
const maxDialDelayMs = 7_000;

interface ShownTip {
  shown: string;
  /** Where its number was when the tip was put there. */
  slot: number | undefined;
  /** Since then, it has been at one place and not covered. */
  since: number;
  as: string;
}

export function createWatch() {
  /** The time that has passed. The clock that the machine reads may be set back. */
  let passedMs = 0;
  let tip: ShownTip | undefined;
  let released: ShownTip | undefined;
  let presses: { shown: string; at: number; by: string }[] = [];
  const dialled: string[] = [];
  const restart = () => {
    if (tip) tip.since = passedMs;
  };

  return {
    dialled,
    get tip(): Readonly<ShownTip> | undefined {
      return tip;
    },
    pass(ms: number): void {
      passedMs += Math.max(0, ms);
    },
    show(target: Subject, as: string): void {
      tip = { shown: target.source.text, slot: undefined, since: passedMs, as };
    },
    /** @returns true where the tip was moved */
    position(slot: number | undefined): boolean {
      if (!tip || tip.slot === slot) return false;
      tip.slot = slot;
      restart();
      return true;
    },
    /** @param isReleased a call that follows in the same step gives the focus back first. */
    hide(isReleased: boolean): void {
      released = isReleased ? tip : undefined;
      tip = undefined;
    },
    endStep(): void {
      released = undefined;
    },
    /** The tip is readable from now on. */
    restart,
    isReadable: (): boolean => !!tip && passedMs - tip.since >= minVisibleMs,
    /** A deliberate act on what the tip shows. */
    press(by: 'mouse' | 'touch' | 'key' | 'button' | 'command', agoMs = 0): void {
      if (tip) presses.push({ shown: tip.shown, at: passedMs - agoMs, by });
    },
    /** A call is placed. Throws where the law forbids it. */
    dial({ source: { text } }: Subject, isOnPage: boolean, isCovered: boolean): void {
      const fail: (why: string) => never = (why) => {
        throw new Error(`dialled ${text}: ${why}`);
      };
      dialled.push(text);
      const was = tip ?? released;
      if (was?.shown !== text) fail(`the tip shows ${was?.shown}`);
      if (!isOnPage) fail('the page shows something else');
      if (isCovered) fail('the tip is covered');
      if (passedMs - was.since < minVisibleMs) fail(`readable for ${passedMs - was.since} ms`);
      if (!presses.some(({ shown, at }) => shown === text && passedMs - at <= maxDialDelayMs))
        fail(`no press counts: ${JSON.stringify(presses)}`);
      presses = [];
    },
  };
}
