/**
 * What a story may do with a browser, the same for Chromium (Playwright) and Firefox (WebDriver BiDi).
 * Pointer and keyboard actions are real input, delivered by the browser as trusted events.
 */
export interface TestBrowser {
  readonly name: 'chromium' | 'firefox';
  /** `chrome-extension://…` or `moz-extension://…`, no slash at the end. */
  readonly extensionOrigin: string;
  newTab(url?: string): Promise<Tab>;
  /** Every tab that is open now, also those that the extension or a page opened. */
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
  /** What the person asked the system for: less movement, colours of their own. */
  setReducedMotion(wanted: boolean): Promise<void>;
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
  /** Brings it to the front; a tab in the back is drawn and timed sparingly. */
  activate(): Promise<void>;
  /** A JavaScript expression in the page's own world; its awaited value must be JSON. */
  evaluate<T = unknown>(expression: string): Promise<T>;
  /** Moves to the middle of the first element that matches, scrolled into view, and clicks there. */
  click(selector: string): Promise<void>;
  /** Clicks into the field, replaces what is in it, and types. */
  fill(selector: string, text: string): Promise<void>;
  select(selector: string, value: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Holds a key down until it has repeated so often, twice by default, then releases it. */
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
  /** Every part of our overlay's closed shadow tree, outermost first; empty where there is no overlay. */
  overlay(): Promise<OverlayPart[]>;
  /** Clicks the middle of the overlay's first element with this attribute value or text. */
  clickInOverlay(match: {
    selector: { tag?: string; attribute?: [string, string]; text?: string };
  }): Promise<void>;
  /**
   * Lets `evaluate` see into the overlay: its host's `shadowRoot` is the closed root from now on, as if it
   * were open. The tree, its style and its listeners stay the very ones that people have before them.
   */
  openOverlay(): Promise<void>;
  /** In CSS pixels. */
  setViewport(size: { width: number; height: number }): Promise<void>;
  /** What went wrong in the page's console so far: uncaught errors and console.error, as text. */
  errors(): readonly string[];
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}
