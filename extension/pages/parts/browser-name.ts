declare const __BROWSER__: 'chrome' | 'firefox';

/** Which of the two builds this is, set by the bundler. */
export const browserName: 'chrome' | 'firefox' = __BROWSER__;
