/** Expressions for the digits and words that make reading a text worthwhile. The background judges what they find. */
import { digitClass } from '../../shared/numbers/text/digit-class.ts';

export const hasDigit = new RegExp(digitClass);

const nextDigit = `[^\\p{L}\\p{Nd}:;,%\\n]{0,5}${digitClass}`;
/**
 * The most digits of a match. An excerpt has fewer characters. Without a maximum, one match may run through the whole
 * text.
 */
const maxDigits = 1_000;
/** The longest candidate. Each digit may follow five characters of two units each. */
export const maxCandidateLength = 11 * (maxDigits + 1);

/** Matches seven or more digits with little between them, or fewer digits after a word such as `tel` or `ext`. */
export const candidateDigits = new RegExp(
  '(?:(?:tel|ph|fon|cel|mob|ramal|ext|anex|inter|disc|call|dial|lig|llam|whats|sac|durchw)' +
    `[^\\n]{0,20}?\\d[\\d .-]{1,6}\\d)|${digitClass}(?:${nextDigit}){6,${maxDigits}}`,
  'giu',
);
/** Matches what continues a candidate of `maxDigits` digits. */
export const moreDigits = new RegExp(`(?:${nextDigit}){1,${maxDigits}}`, 'uy');

/** Words with which a field says that it holds a telephone number. */
export const phoneField =
  /\btel|phone|fone\b|\bfono?\b|cell?ular|\bcel\b|m[oó]v[ei]l|\bmobi?l|handy|whats|\bfax\b/i;
/** Words of a field that holds a telephone number or a name: Contact no. */
export const contactField = /contac?t|kontakt|letişim|irtibat/i;
/** Words of a field that holds an area code: DDD, Vorwahl */
export const areaCodeField =
  /\bddd\b|area ?code|c[oó]d\p{L}* (?:de )?[aá]rea|tel area|vorwahl|indicati[fv]|prefi[xj]|prefisso|\bstd\b|\blada\b|alan kodu/iu;
