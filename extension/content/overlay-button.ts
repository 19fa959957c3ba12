/** The buttons in tip and card. A button that acts must be readable for a while, uncovered, and entered by hand. */
import type { Layers } from './cover.ts';
import { overlayElement } from './elements.ts';
import { minVisibleMs } from './gesture-state.ts';
import { listen } from './listen.ts';
import type { TopLayer } from './top-layer.ts';

export type MakeButton = ReturnType<typeof createButtons>;

interface ButtonLayer extends Pick<TopLayer, 'coverOf' | 'raise' | 'raisedAt'> {
  /** Reads what may lie over a part, once the browser has reported on it. */
  readLayersOver(part: HTMLElement): Promise<Layers>;
}

export function createButtons(layer: ButtonLayer, signal: AbortSignal) {
  /** Where the pointer was last. If it enters a button right there, the page has moved the button. */
  let rest: { x: number; y: number } | undefined;
  const track = ({ x, y, isTrusted, pointerType }: PointerEvent) => {
    if (isTrusted && pointerType !== 'touch') rest = { x, y };
  };
  listen(['pointermove', 'pointerdown'], track, signal);

  /**
   * Makes a button for trusted clicks only. `isBrought`: the page has put it under the resting pointer.
   * @param guarded for a button that acts: the part that must be readable for a while after it was placed.
   */
  return (
    kind: string,
    label: string,
    onClick: (isBrought: boolean) => void,
    guarded?: { part: HTMLElement; placedAt(): number },
  ): HTMLButtonElement => {
    const made = overlayElement('button', kind, label);
    made.ariaLabel = label;
    let isBrought = false;
    made.addEventListener('pointerenter', (event) => {
      const { x, y, isTrusted, pointerType } = event;
      if (isTrusted) isBrought = pointerType !== 'touch' && x === rest?.x && y === rest.y;
    });
    made.addEventListener('click', async (event) => {
      if (!event.isTrusted) return;
      // The page may cover the part during the click. We go above the cover before the browser's report arrives.
      const clickedAt = performance.now();
      const isByPage = isBrought && !!(event as PointerEvent).pointerType;
      if (!guarded) return onClick(isByPage);
      if (isByPage) return;
      const layers = await layer.readLayersOver(guarded.part);
      const readableSince = Math.max(guarded.placedAt(), layer.raisedAt());
      if (!made.isConnected) return;
      if (layer.coverOf(guarded.part, layers) !== 'clear') layer.raise();
      else if (clickedAt - readableSince >= minVisibleMs) onClick(false);
    });
    return made;
  };
}
