/** The language that the page names, cut to the length that a request may have. Empty if the page does not name it. */
export const pageLanguage = (): string => document.documentElement.lang.slice(0, 35);
