export type BrowserName = 'chrome' | 'firefox';

declare const __BROWSER__: BrowserName;

/** Which of the two builds this is, set by the bundler. */
export const browserName: BrowserName = __BROWSER__;
