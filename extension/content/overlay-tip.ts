/**
 * The tip, which shows what a number would dial, and our only real link. The link is over the number that the keyboard
 * reached.
 */
import type { JudgedNumber } from '../messages/views.ts';
import { div, divIf, overlayElement, setParts, setWords } from './elements.ts';
import type { Hint } from './gesture-state.ts';
import type { MakeButton } from './overlay-button.ts';
import { type Box, hasRoomFor, isNear, type Point, placeWithin } from './overlay-place.ts';
import type { OverlayWords } from './overlay-words.ts';
import type { TopLayer } from './top-layer.ts';

/** The least zoom at which the tip can be read. */
const minReadableZoom = 0.75;
/** The greatest distance of a tip from its number. If it is larger, other controls may be between them. */
const maxGapPx = 200;

export type OverlayTip = ReturnType<typeof createTip>;

export function createTip(layer: TopLayer, words: OverlayWords, makeButton: MakeButton, onMoved: () => void) {
  const link = overlayElement('a', 'link');
  const tip = overlayElement('div', 'tip');
  tip.id = 'tip';
  link.setAttribute('aria-describedby', tip.id);
  let boxes: readonly DOMRect[] = [];
  let shownBoxes = '';
  /** The last line, kept free for what the team knows. Nothing moves if its words arrive late or are missing. */
  const team = overlayElement('div', 'team line');
  let hasTeamLine = false;
  /**
   * The number that the button calls. For the same number, the button is kept, so that a hand on it may press again.
   */
  let called = '';
  let call: HTMLButtonElement | undefined;
  let isRefused = false;
  let onPress: (isBrought: boolean) => void;

  return {
    link,
    tip,
    boxes: () => boxes,
    setHasTeamLine(newHasTeamLine: boolean) {
      hasTeamLine = newHasTeamLine;
    },
    /** @param newIsRefused makes the button invisible and without effect; its place stays. */
    showTeamLine(words: string, newIsRefused = false) {
      isRefused = newIsRefused;
      call?.setAttribute('aria-hidden', String(isRefused));
      if (call) call.tabIndex = isRefused ? -1 : 0;
      setWords(team, words);
      team.className = isRefused ? 'team warn' : 'team line';
    },
    /**
     * Shows the tip, which is placed later. It has our link for the keyboard, or a button for touch and for controls.
     * @returns whether it has a line for what the team knows
     */
    show(
      number: JudgedNumber,
      as: 'tip' | 'link' | 'button',
      hint: Hint | undefined,
      onCall: (isBrought: boolean) => void,
    ): boolean {
      const { display, to } = number;
      labelLink(link, number, words);
      onPress = onCall;
      const isSame = called === display + to && tip.isConnected;
      called = display + to;
      if (as !== 'button') call = undefined;
      else if (!isSame || !call)
        call = makeButton('call', words.text('yes'), (isBrought) => isRefused || onPress(isBrought));
      const parts = [...linesOf(number, words.text, hint), hasTeamLine && team, call];
      setParts(
        tip,
        parts.filter((part) => !!part),
      );
      this.showTeamLine('');
      shownBoxes = '';
      // Moving a focused link would blur it.
      if (as !== 'link') link.remove();
      else if (!link.isConnected) layer.root.prepend(link);
      if (!tip.isConnected) layer.root.prepend(tip);
      layer.raise();
      return hasTeamLine;
    },
    /**
     * Moves link and tip to these boxes.
     * @param avoid the boxes that the tip must not cover if there is another place.
     * @param isBeside true to try the place after the boxes in the line first.
     */
    position(newBoxes: readonly DOMRect[], avoid: readonly Box[], pointer?: Point, isBeside?: boolean) {
      boxes = newBoxes;
      const before = shownBoxes;
      shownBoxes = boxes.map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)).join();
      if (shownBoxes !== before) link.replaceChildren(...boxes.map(boxOfLink));
      placeWithin(tip, boxes, avoid, pointer, isBeside);
      if (shownBoxes !== before) onMoved();
    },
    hide() {
      link.remove();
      tip.remove();
      layer.lower();
    },
    /**
     * True while the tip is as large as its text needs, inside the viewport and at its number, or where the viewport is
     * too small for it.
     */
    isLegible: () =>
      !hasRoomFor(tip) ||
      (isWholeTip(tip) && boxes.some((box) => isNear(box, tip.getBoundingClientRect(), maxGapPx))),
  };
}

const dialledDigits = ({ display }: JudgedNumber): string => display.replace(/[^\d+]/g, '');

/** What the tip says of a number. */
function linesOf(number: JudgedNumber, text: OverlayWords['text'], hint: Hint | undefined) {
  const { to, extension, reason } = number;
  return [
    div('title', text('call', withPlace(number))),
    div('line', text('ringsFirst')),
    divIf('line', to !== dialledDigits(number) && text('dials', to)),
    divIf('line', extension && text('extension', extension)),
    divIf('warn', reason),
    divIf('title', hint && text(hint)),
  ];
}

/** The part of our link over one box of its number. */
function boxOfLink({ left, top, width, height }: DOMRect): HTMLElement {
  const part = overlayElement('span', 'box');
  part.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
  return part;
}

/** True while the tip is as large as its text needs and inside the viewport. */
function isWholeTip(tip: HTMLElement): boolean {
  const { left, top, right, bottom, width, height } = tip.getBoundingClientRect();
  return (
    tip.isConnected &&
    (tip.currentCSSZoom ?? 1) >= minReadableZoom &&
    width >= tip.offsetWidth * minReadableZoom &&
    height >= tip.offsetHeight * minReadableZoom &&
    left >= 0 &&
    top >= 0 &&
    right <= innerWidth &&
    bottom <= innerHeight
  );
}

/** A number, with its place if that is abroad. */
export const withPlace = ({ display, place }: { display: string; place?: string | undefined }): string =>
  place ? `${display}, ${place}` : display;

function labelLink(link: HTMLAnchorElement, number: JudgedNumber, words: OverlayWords): void {
  link.href = `tel:${dialledDigits(number)}`;
  link.ariaLabel = words.text('call', number.display);
}
