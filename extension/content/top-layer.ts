/**
 * Our one element in the page: `<dialmark-overlay>` after `<body>`, with a closed shadow root, in the top layer. The
 * page can see, move and remove it, but not look inside or act. It is raised again whenever the page may have covered
 * it.
 */
import { coverOf, type Layers, readLayers } from './cover.ts';
import { deepActiveElement, overlayElement } from './elements.ts';
import type { Cover } from './gesture-state.ts';
import { listen } from './listen.ts';
import { selectors } from './selectors.ts';
import { createTimeSlicer } from './time-slicer.ts';
import { withAncestors } from './tree.ts';

/** Events on our own element that the page does not get. */
const ownEvents = [
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'click',
  'dblclick',
  'keydown',
  'keyup',
  'focusin',
] as const;

export type TopLayer = ReturnType<typeof createTopLayer>;

export function createTopLayer(onRaised: () => void, signal: AbortSignal) {
  // Created in a document without custom elements. If the page defined this name before, `attachInternals()` could give
  // it our closed root. That works only if the element was already defined when the root was attached.
  const host = document.implementation.createHTMLDocument().createElement('dialmark-overlay');
  const shadow = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  const root = overlayElement('div', 'root');
  shadow.append(root);
  /** The page's elements that were in the top layer, below us, when we were last put on top. */
  let below: readonly Element[] = [];
  let focusing: Element | null = null;
  let raisedAt = 0;

  const attachTo = (home: Element) => {
    if (host.parentNode !== home) home.append(host);
    // A root that moves to another document loses its sheets.
    shadow.adoptedStyleSheets = [sheet];
    host.popover = 'manual';
  };
  const moveFocus = (to: Element | null) => {
    focusing = to;
    (to as Partial<HTMLElement> | null)?.focus?.({ preventScroll: true });
    focusing = null;
  };
  const isOpen = () => host.matches(':popover-open');
  const others = () => [...document.querySelectorAll(selectors.inTopLayer)].filter((other) => other !== host);
  const isModal = (element: Element) => element.matches(selectors.modal);
  /**
   * The element that must contain ours. Everything outside of a modal dialog or a full screen is inert. The dialog that
   * was opened last has the focus.
   */
  const home = () =>
    withAncestors(deepActiveElement()).find(isModal) ??
    others().findLast(isModal) ??
    document.documentElement;
  /** True while the page has not put anything into the document's top layer after us. */
  const isOnTop = () =>
    isOpen() && host.parentNode === home() && others().every((other) => below.includes(other));
  const raise = () => {
    const focused = shadow.activeElement;
    if (focused && isOnTop()) return;
    focusing = focused;
    attachTo(home());
    // It is shown again, to be above everything that the page has put into the top layer meanwhile.
    if (isOpen()) host.hidePopover();
    host.showPopover();
    below = others();
    // The page may zoom its root: our lengths are those of the viewport.
    root.style.zoom = String(1 / (host.currentCSSZoom || 1));
    moveFocus(focused);
    raisedAt = performance.now();
    onRaised();
  };
  // The page shows something in the top layer. We go above it, and what it may have hidden must be seen again first.
  const goAbove = (event: Event & Partial<ToggleEvent>) => {
    if (event.target === host || event.newState === 'closed' || !root.firstChild) return;
    below = [];
    requestAnimationFrame(() => !signal.aborted && root.firstChild && !isOnTop() && raise());
  };
  listen(['beforetoggle', 'fullscreenchange'], goAbove, signal);
  // The size of our root has changed: the dialog that contains us may have been closed or removed.
  const observer = new ResizeObserver(() => {
    const { parentElement: parent } = host;
    if (root.firstChild && parent && parent !== document.documentElement && !isOnTop()) raise();
  });
  observer.observe(root);

  signal.addEventListener('abort', () => {
    observer.disconnect();
    host.remove();
  });
  const stop = (event: Event) => event.stopPropagation();
  // Stops these events here. The page's menu or dialog would otherwise take them for a click outside. Only its
  // capturing listeners still get them.
  for (const type of ownEvents) shadow.addEventListener(type, stop, { signal });

  return {
    host,
    shadow,
    root,
    sheet,
    raise,
    isOnTop,
    /** True while our own code moves the focus to this element. The page may move it elsewhere meanwhile. */
    isFocusing: (element: Element) => element === focusing,
    moveFocus,
    raisedAt: () => raisedAt,
    /** Adds a part that is shown outside of the top layer, too. */
    showInPlace(part: HTMLElement) {
      shadow.append(part);
      if (!host.isConnected) attachTo(document.documentElement);
    },
    /** Leaves the top layer and the page's dialog, if our root is empty. */
    lower() {
      if (root.firstChild || !isOpen()) return;
      host.hidePopover();
      attachTo(document.documentElement);
    },
    /** Whether something of the page lies over this part now; `isReported`: the browser says so. */
    coverOf: (part: HTMLElement, layers: Layers, isReported?: boolean): Cover =>
      isOnTop() && !isReported ? coverOf(part, host, layers) : 'covered',
    /** Reads what may lie over a part or a number. The promise does not settle if we leave the page meanwhile. */
    readLayers: () =>
      new Promise<Layers>((onRead) => {
        readLayers(host, createTimeSlicer(signal)).then(onRead, () => {});
      }),
  };
}
