/**
 * The head of a column that holds area codes apart from their numbers, in English, Portuguese and Spanish. Large lists
 * are read as Latin-1, where a letter with an accent is two signs.
 */
export const areaCodeHead = /^(?:ddd|area code|c\S{1,2}digo (?:de )?\S{1,2}rea|lada)(?![a-z])/i;

/** @returns the digits without their zeros in front; undefined where the text holds no area code. */
export function readAreaCode(text: string): string | undefined {
  return /^\(?0*([1-9]\d{0,3})\)?$/.exec(text.trim())?.[1];
}
