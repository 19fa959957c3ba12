/** As the page says, cut to what a request may hold; empty where it says nothing. */
export const pageLanguage = (): string => document.documentElement.lang.slice(0, 35);
