/**
 * The numbers in the page's own links, buttons and fields. The page keeps every event there. On hover and focus, our
 * tip appears beside the control, with a button that calls.
 */
import { findBlocksAndControls } from './blocks-and-controls.ts';
import { type ControlTarget, markTarget, type Target } from './click-target.ts';
import { isCallable, readControl, shownIn } from './control-reader.ts';
import { isTransparent } from './cover.ts';
import { deepActiveElement } from './elements.ts';
import { isFormField } from './form-field.ts';
import type { Controls, FrameParts } from './frame-parts.ts';
import { listen } from './listen.ts';
import { controlsNear } from './neighbours.ts';
import type { Point } from './overlay-place.ts';
import { isInside, type Marks } from './paint-marks.ts';
import { selectors } from './selectors.ts';
import { blockOf } from './text-blocks.ts';
import { withAncestors } from './tree.ts';

/** How far the pointer may be from the box around a number and its tip. */
const slackPx = 8;
/** After how long a control is read again. Settings and the words around a number may have changed. */
const rereadMs = 10_000;

export function createControls(parts: FrameParts, signal: AbortSignal): Controls {
  const { marks, observer, clicks, overlay } = parts;
  const numbersIn = rememberNumbers(parts);
  /** The control whose tip was closed by Escape. */
  let dismissed: unknown;

  listen(['input', 'change', 'focusout'], clicks.refresh, signal);
  const dismiss = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || clicks.current?.kind !== 'control') return;
    dismissed = clicks.current.key;
    clicks.refresh();
  };
  listen('keydown', dismiss, signal);
  // A press on the tip does not move the focus. The page might save or close a field that loses it.
  listen('mousedown', (event) => event.preventDefault(), signal, overlay.tip);
  listen('click', (event) => event.detail > 1 && event.stopImmediatePropagation(), signal, overlay.tip);

  return {
    targetAt(under, point) {
      const active = document.activeElement === overlay.host ? null : deepActiveElement();
      const combobox =
        under?.matches(selectors.comboboxParent) && under.querySelector(selectors.comboboxChild);
      const hovered = controlAround(combobox || under);
      const focused = active?.matches(':focus-visible') ? controlAround(active) : undefined;
      if (dismissed !== hovered && dismissed !== focused) dismissed = undefined;
      const { current } = clicks;
      const isShown = current?.kind === 'control' && current.key !== dismissed && current.isCurrent();
      const shown = isShown ? current : undefined;
      const tipBox = overlay.tip.getBoundingClientRect();
      // A number under the tip must not replace it before the pointer has reached the tip's button.
      if (shown && point && isNearBoxes(point, [tipBox])) return shown;
      const pointed =
        point && hovered && (numberAt(point, numbersIn(hovered)) ?? numberUnder(hovered, point, marks));
      const isOnTheWay = shown && point && isNearBoxes(point, [...shown.around()[0], tipBox]);
      const ofFocused = () => focused && numbersIn(focused).find(({ isInProse }) => !isInProse);
      const found: Target | undefined = pointed ?? (isOnTheWay ? shown : ofFocused());
      return found && found.key === dismissed ? undefined : found;
    },
    isControl: (element: Node): element is Element =>
      element instanceof Element && element.matches(selectors.control),
    findBlocksAndControls: () => findBlocksAndControls(observer.slicer),
    read: async (control) => (isCallable(control) ? readControl(control, parts) : []),
  };
}

/**
 * @returns a function that gives the last read numbers of a control. It reads again if the control has changed or after
 * some time.
 */
function rememberNumbers(parts: FrameParts) {
  const known = new WeakMap<Element, { shown: string; readAt: number; targets: readonly ControlTarget[] }>();
  return (control: Element): readonly ControlTarget[] => {
    const shown = shownIn(control);
    let entry = known.get(control);
    if (entry?.shown !== shown || performance.now() - entry.readAt > rereadMs) {
      const targets = entry?.shown === shown ? entry.targets : [];
      const reading = { shown, readAt: performance.now(), targets };
      entry = reading;
      known.set(control, reading);
      void readControl(control, parts).then((found) => {
        reading.targets = found;
        parts.clicks.refresh();
      });
    }
    return entry.targets.filter((target) => target.isCurrent());
  };
}

/** The number whose text is at a point. Else the first number there that is not in prose. */
function numberAt(point: Point, targets: readonly ControlTarget[]): ControlTarget | undefined {
  const under = targets.filter(({ boxes }) => boxes().some((box) => isInside(box, point.x, point.y)));
  return under.find(({ isTextAt }) => isTextAt?.(point)) ?? under.find(({ isInProse }) => !isInProse);
}

/** The marked number under a link or button that is stretched over it and is transparent. */
function numberUnder(control: Element, { x, y }: Point, marks: Marks): ControlTarget | undefined {
  if (isFormField(control)) return undefined;
  const root = control.getRootNode() as Document | ShadowRoot;
  for (const element of root.elementsFromPoint(x, y)) {
    const [mark] = marks.under(blockOf(element), x, y);
    const target = mark && markTarget(mark, marks);
    if (target?.owns(element) && target.isCurrent())
      return {
        ...target,
        kind: 'control',
        key: control,
        owns: (under) => control.contains(under),
        around: () => [target.boxes(), controlsNear(control)],
      };
    if (!isTransparent(element)) return undefined;
  }
  return undefined;
}

function controlAround(element: Element | null | undefined): Element | undefined {
  const control = withAncestors(element).find((at) => at.matches(selectors.control));
  return control && isCallable(control) ? control : undefined;
}

/** True if the point is in the box around all these boxes, or close to it. */
const isNearBoxes = ({ x, y }: Point, boxes: readonly DOMRect[]): boolean =>
  x >= Math.min(...boxes.map(({ left }) => left)) - slackPx &&
  x <= Math.max(...boxes.map(({ right }) => right)) + slackPx &&
  y >= Math.min(...boxes.map(({ top }) => top)) - slackPx &&
  y <= Math.max(...boxes.map(({ bottom }) => bottom)) + slackPx;
