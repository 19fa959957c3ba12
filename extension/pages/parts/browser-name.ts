declare const __BROWSER__: 'chrome' | 'firefox';

/** Which of the two builds this is; the bundler puts it in. */
export const browserName: 'chrome' | 'firefox' = __BROWSER__;
