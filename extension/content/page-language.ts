/** The language that the page says, cut to what a request may hold. It is empty where the page says none. */
export const pageLanguage = (): string => document.documentElement.lang.slice(0, 35);
