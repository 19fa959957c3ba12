/**
 * What a test may do with a browser: Chromium by Playwright, Firefox by WebDriver BiDi. Pointer and keyboard actions
 * are real input. The browser delivers them as trusted events.
 */
export interface TestBrowser {
  readonly name: 'chromium' | 'firefox';
  /** `chrome-extension://…` or `moz-extension://…`, without a slash at the end. */
  readonly extensionOrigin: string;
  newTab(url?: string): Promise<Tab>;
  /** Every open tab, also the tabs that the extension or a page opened. */
  openTabs(): Promise<Tab[]>;
  /**
   * Lets the next `permissions.request` for this host succeed without the native prompt. Headless browsers do not show
   * that prompt. The click that requests it must still be a real one.
   */
  allowHost(host: string): Promise<void>;
  /** Stops the background as the browser's idle stop does. Resolves when it is gone. */
  stopBackground(): Promise<void>;
  /** Restarts the extension as an update does: scripts in open pages lose their background. */
  reloadExtension(): Promise<void>;
  /** Turns the extension off and on again, as a person does in the browser's list of extensions. */
  turnOffAndOn(): Promise<void>;
  setColorScheme(scheme: 'light' | 'dark'): Promise<void>;
  /** Sets whether the person has asked the system for their own colours. */
  setForcedColors(wanted: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface Point {
  x: number;
  y: number;
}

/** One step of a gesture. Times are real. */
export type PointerStep = { move: Point } | { down: number } | { up: number } | { waitMs: number };

type PointerType = 'mouse' | 'touch' | 'pen';

/** A part of our overlay's closed shadow tree, as the browser's own tools see it. */
export interface OverlayPart {
  tag: string;
  text: string;
  attributes: Record<string, string>;
}

/** Between two repetitions of a held key, as systems have it. */
export const repeatEveryMs = 33;

export interface Tab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  url(): Promise<string>;
  /** Brings the tab to the front. Browsers draw and run timers less often in other tabs. */
  activate(): Promise<void>;
  /** Evaluates an expression in the page's own world. Its awaited value must be JSON. */
  evaluate<T = unknown>(expression: string): Promise<T>;
  /** Moves to the middle of the first element that matches, scrolled into view, and clicks there. */
  click(selector: string): Promise<void>;
  /** Clicks into the field, replaces what is in it, and types. */
  fill(selector: string, text: string): Promise<void>;
  select(selector: string, value: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Holds a key down until it has repeated, twice by default, then releases it. */
  hold(key: string, repeats?: number): Promise<void>;
  moveTo(point: Point): Promise<void>;
  clickAt(point: Point): Promise<void>;
  /**
   * Performs a gesture step by step; `down` and `up` name the button (0: primary). Finger and pen have to
   * move before they are down.
   */
  gesture(steps: readonly PointerStep[], pointerType?: PointerType): Promise<void>;
  /** Visible text of the first element that matches, or an empty string. */
  text(selector: string): Promise<string>;
  attribute(selector: string, name: string): Promise<string | null>;
  count(selector: string): Promise<number>;
  /** Middle of the first occurrence of this text in the page, scrolled into view. Works across inline elements. */
  pointOfText(text: string): Promise<Point>;
  /** Every part of our overlay's closed shadow tree, outermost first. Empty without an overlay. */
  overlay(): Promise<OverlayPart[]>;
  /** Clicks the middle of the overlay's first element with this attribute value or text. */
  clickInOverlay(match: {
    selector: { tag?: string; attribute?: [string, string]; text?: string };
  }): Promise<void>;
  /**
   * Lets `evaluate` read the overlay: its host's `shadowRoot` returns the closed root from now on. The tree, its style
   * and its listeners stay as they are.
   */
  openOverlay(): Promise<void>;
  /** In CSS pixels. */
  setViewport(size: { width: number; height: number }): Promise<void>;
  /** The errors in the page's console so far: uncaught errors and console.error, as text. */
  errors(): readonly string[];
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}
