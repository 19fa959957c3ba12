/** Expressions for the digits and words that make reading a text worthwhile. The background judges what they find. */
import { digitClass } from '../../shared/numbers/text/characters.ts';

export const hasDigit = new RegExp(digitClass);

/** Seven digits or more with little between, or fewer after a word that announces a number (an extension, a short code). */
export const candidateDigits = new RegExp(
  `(?:(?:tel|ph|fon|cel|mob|ramal|ext|anex|inter|disc|call|dial|lig|llam|whats|sac|durchw)[^\\n]{0,20}?\\d[\\d .-]{1,6}\\d)|${digitClass}(?:[^\\p{L}\\p{Nd}:;,%\\n]{0,5}${digitClass}){6,}`,
  'giu',
);

/** Words with which a field says that it holds a telephone number. */
export const phoneField =
  /\btel|phone|fone\b|\bfono?\b|cell?ular|\bcel\b|m[oó]v[ei]l|\bmobi?l|handy|whats|\bfax\b/i;
