/** What we show in a page: a tip beside a number and a card, in one element on top of everything. */
import type { ContentSettings } from '../messages/content.ts';
import type { JudgedNumber } from '../messages/views.ts';
import type { Cover } from './gesture-state.ts';
import { createButtons } from './overlay-button.ts';
import { createCard } from './overlay-card.ts';
import { overlap, type Point } from './overlay-place.ts';
import { overlayStyle, tipDelayStyle } from './overlay-style.ts';
import { createTip } from './overlay-tip.ts';
import { createWords } from './overlay-words.ts';
import { createTopLayer } from './top-layer.ts';

/** What of the tip changed without our doing. */
export interface TipEvents {
  onMoved(): void;
  onRaised(): void;
  onCover(isCovered: boolean): void;
}

export type PageOverlay = ReturnType<typeof createOverlay>;

export function createOverlay(signal: AbortSignal) {
  let events: TipEvents | undefined;
  const words = createWords();
  const layer = createTopLayer(
    {
      onRaised: () => events?.onRaised(),
      onCover: (part, isCovered) => part === tip.tip && events?.onCover(isCovered),
    },
    signal,
  );
  const makeButton = createButtons(layer, signal);
  const tip = createTip(layer, words, makeButton, () => events?.onMoved());
  const card = createCard(layer, tip, words, makeButton, signal);
  const watchCovers = layer.watch(tip.tip, card.card);

  return {
    host: layer.host,
    link: tip.link,
    tip: tip.tip,
    hide: tip.hide,
    showTeamLine: tip.showTeamLine,
    isLegible: tip.isLegible,
    isOnTop: layer.isOnTop,
    isRaising: layer.isRaising,
    /** True while our link is focused. */
    hasFocus: () => layer.shadow.activeElement === tip.link,
    /** Whether something of the page lies over the tip now. */
    coverOfTip: (): Cover => layer.coverOf(tip.tip),
    listen(newEvents: TipEvents) {
      events = newEvents;
    },
    /** Shows the tip, which `position` then moves to the number. */
    show(number: JudgedNumber, as: 'tip' | 'link' | 'button', isHinted: boolean, onCall: () => void) {
      tip.show(number, as, isHinted, onCall);
      watchCovers();
    },
    position(boxes: readonly DOMRect[], pointer?: Point, avoid?: readonly DOMRect[]) {
      card.setPointer(pointer);
      tip.position(boxes, card.card.getBoundingClientRect(), pointer, avoid);
      if (overlap(card.card.getBoundingClientRect(), tip.tip.getBoundingClientRect())) card.place();
    },
    confirm: card.confirm,
    showCard: card.show,
    hideCard: card.hide,
    applySettings({ texts, tipDelayMs, direction, colorScheme, hasTeamLine }: ContentSettings) {
      tip.setHasTeamLine(hasTeamLine);
      words.set(texts);
      layer.sheet.replaceSync(overlayStyle + tipDelayStyle(tipDelayMs));
      layer.root.dir = direction;
      layer.root.style.colorScheme = colorScheme;
    },
    /** `content_<key>` in the agent's language. */
    text: words.text,
    error: words.error,
  };
}
