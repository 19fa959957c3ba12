/**
 * Part of an expression: any character of the kind `digitKind`. Apart from the table, which a content script
 * does not need.
 */
export const digitClass = '[0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\uff10-\\uff19]';
