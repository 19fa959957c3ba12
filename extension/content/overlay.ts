/** What we show in a page: a tip beside a number and a card, in one element on top of everything. */
import type { ContentSettings } from '../messages/content.ts';
import type { Layers } from './cover.ts';
import { watchCovers } from './cover-watcher.ts';
import type { Cover } from './gesture-state.ts';
import { createButtons } from './overlay-button.ts';
import { createCard } from './overlay-card.ts';
import { overlap, type Point } from './overlay-place.ts';
import { overlayStyle, tipDelayStyle } from './overlay-style.ts';
import { createTip } from './overlay-tip.ts';
import { createWords } from './overlay-words.ts';
import { createTopLayer } from './top-layer.ts';

/** The least time between two raises of the tip, if a page covers it again and again. */
const raiseIntervalMs = 500;

/** What happens to the tip: it moves with its number, is raised to the top, or is covered or uncovered. */
interface TipEvents {
  onMoved(): void;
  onRaised(): void;
  onCover(isCovered: boolean): void;
}

export type PageOverlay = ReturnType<typeof createOverlay>;

export function createOverlay(signal: AbortSignal) {
  let events: TipEvents | undefined;
  const words = createWords();
  const layer = createTopLayer(() => events?.onRaised(), signal);
  const coverOf = (part: HTMLElement, layers: Layers): Cover =>
    layer.coverOf(part, layers, covers.isCovered(part));
  const readLayersOver = async (part: HTMLElement): Promise<Layers> => {
    await covers.report(part);
    return layer.readLayers();
  };
  let uncoveredAt = 0;
  /** A button must be readable for a while after its part was raised or uncovered. */
  const raisedAt = () => Math.max(layer.raisedAt(), uncoveredAt);
  const makeButton = createButtons({ ...layer, coverOf, readLayersOver, raisedAt }, signal);
  const tip = createTip(layer, words, makeButton, () => events?.onMoved());
  const card = createCard(layer, tip, words, makeButton, signal);
  const onCover = (part: HTMLElement, isCovered: boolean) => {
    if (!isCovered && part.isConnected) uncoveredAt = performance.now();
    if (part === tip.tip) events?.onCover(isCovered);
  };
  const covers = watchCovers(layer, [tip.tip, card.card], onCover, signal);

  return {
    host: layer.host,
    link: tip.link,
    tip: tip.tip,
    hide: tip.hide,
    showTeamLine: tip.showTeamLine,
    isLegible: tip.isLegible,
    isOnTop: layer.isOnTop,
    isFocusing: layer.isFocusing,
    moveFocus: layer.moveFocus,
    /** True while our link is focused. */
    hasFocus: () => layer.shadow.activeElement === tip.link,
    showInPlace: layer.showInPlace,
    readLayers: layer.readLayers,
    readLayersOverTip: () => readLayersOver(tip.tip),
    /** Whether something of the page lies over the tip now. */
    coverOfTip: (layers: Layers): Cover => coverOf(tip.tip, layers),
    /** Puts the tip on top again. The page may cover it without an event, for example by a dialog in a shadow root. */
    raiseTip() {
      if (performance.now() - layer.raisedAt() > raiseIntervalMs) layer.raise();
    },
    listen(newEvents: TipEvents) {
      events = newEvents;
    },
    /**
     * Shows the tip, which `position` then moves to the number.
     * @returns whether it has a line for what the team knows
     */
    show(...shown: Parameters<typeof tip.show>): boolean {
      const hasTeamLine = tip.show(...shown);
      covers.look();
      return hasTeamLine;
    },
    position(boxes: readonly DOMRect[], avoid: readonly DOMRect[], pointer?: Point, isBeside?: boolean) {
      card.setPointer(pointer);
      tip.position(boxes, [card.card.getBoundingClientRect(), ...avoid], pointer, isBeside);
      if (overlap(card.card.getBoundingClientRect(), tip.tip.getBoundingClientRect())) card.place();
    },
    confirm: card.confirm,
    showNotice: card.showNotice,
    showCall: card.showCall,
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
