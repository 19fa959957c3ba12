/**
 * Part of a regular expression: any character of the kind `digitKind`. It has its own file, so that a content script
 * does not load the table.
 */
export const digitClass = '[0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\uff10-\\uff19]';
