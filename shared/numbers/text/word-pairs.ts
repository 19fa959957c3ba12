/** Words before a number whose meaning changes with the word beside them. */
import type { ScannedText } from './scanned-text.ts';
import { isBehindNumberSign, wordStart } from './unknown-word.ts';

/** Whether a word for telephones means something else here. */
export const isNoPhoneWord = (scanned: ScannedText, start: number, end: number): boolean =>
  isGreenThing(scanned.text, start, end) || isFixedThing(scanned, start, end) || isPhase(scanned, start);

/** 5 kW 3-ph: a meter's phases. */
const isPhase = ({ text }: ScannedText, start: number): boolean =>
  /\d-$/.test(text.slice(Math.max(0, start - 2), start));

/** A Carta verde is an insurance. Numero verde, Numéro vert, Linha verde: free of charge. */
const isGreenThing = (text: string, start: number, end: number): boolean =>
  /^verde?$|^vert$/i.test(text.slice(start, end)) &&
  !/(?:n[uúù]m[eéè]ro|n[.º°]+|l[ií]n(?:ha|ea))\s$/iu.test(text.slice(Math.max(0, start - 8), start));

/** Plazo fijo, custo fixo: behind a noun that no list has, the word for a landline describes that noun. */
function isFixedThing(scanned: ScannedText, start: number, end: number): boolean {
  const { text } = scanned;
  if (!/^(?:fijo|fixo|fisso|fixe)$/i.test(text.slice(start, end)) || text[start - 1] !== ' ') return false;
  const before = wordStart(scanned, start - 1);
  return start - before > 4 && scanned.wordKind(before, start - 1) === undefined;
}

/**
 * NIF cliente, Cod. cliente, Nº cliente, Kunden-Nr.: the word or sign beside the word for a client says that an id
 * follows. In English, a client's "number" is as likely a telephone number.
 * @param number where the number begins.
 */
export function isThingOfClient(scanned: ScannedText, start: number, end: number, number: number): boolean {
  const { text } = scanned;
  if (isBehindNumberSign(text, start) || /(?:^|\P{L})n\. $/iu.test(text.slice(Math.max(0, start - 4), start)))
    return true;
  if (/^[\s.-]{0,2}(?:nr\b|n[.\s]?[º°])/iu.test(text.slice(end, number))) return true;
  return isBehindThing(scanned, start);
}

function isBehindThing(scanned: ScannedText, start: number): boolean {
  const space = /\p{L}(\.? )$/u.exec(scanned.text.slice(Math.max(0, start - 3), start))?.[1];
  if (space === undefined) return false;
  const end = start - space.length;
  return scanned.wordKind(wordStart(scanned, end), end) === 'otherThing';
}

/** A/c no. 9188447102: the account of a bank, as it is written in India and Britain. */
export const isAccount = ({ text }: ScannedText, start: number, end: number): boolean =>
  end - start === 1 && /(?:^|\P{L})a\/c$/iu.test(text.slice(Math.max(0, start - 3), end));

/**
 * Pedido atrasado, Order shipped: a participle says what happened to the thing. The number behind it is of somebody to
 * call.
 */
const participle = /(?:[aei]d[oa]s?|[aeiru]t[oaie]|ée?s?|ed|nte)$/u;

/**
 * Whether the words behind the thing at `start` continue its name: Orden de servicio 999-163-8000, Código devolución
 * 654-789-123.
 */
export function isCompound(scanned: ScannedText, start: number, end: number, number: number): boolean {
  const { text } = scanned;
  const behindThing = text.slice(end, number);
  if (/^\s(?:de|do|da|di|du|del|of)\s\p{Ll}+[\s:]*$/u.test(behindThing)) return true;
  const word = /^\s(\p{Ll}{4,})[\s:]*$/u.exec(behindThing)?.[1];
  if (word === undefined || participle.test(word)) return false;
  const isUnlisted = scanned.wordKind(end + 1, end + 1 + word.length) === undefined;
  return isUnlisted && !/[\p{L}\p{Nd}]/u.test(text.slice(Math.max(0, start - 2), start));
}

/** "Caixa postal" before a whole number means that the caller left a message. A P.O. box has six digits at most. */
export function isVoicemail(scanned: ScannedText, start: number, end: number, number: number): boolean {
  const { text } = scanned;
  if (end - start !== 6 || text.slice(start, end).toLowerCase() !== 'postal') return false;
  if (text.slice(Math.max(0, start - 6), start).toLowerCase() !== 'caixa ') return false;
  return digitsOfNumber(scanned, number) > 7;
}

/**
 * Whether the word is a mobile in the language of the number behind it. "Cep" is one in Turkish, and in Portuguese a
 * postal code, which has eight digits: 88015-200. "HP" is one in Indonesian, and power or a maker elsewhere.
 */
export function isLocalMobile(scanned: ScannedText, start: number, end: number, number: number): boolean {
  if (end - start < 2 || end - start > 3) return false;
  const word = scanned.text.slice(start, end).toLowerCase();
  const written = scanned.text.slice(number, number + 20);
  if (word === 'hp') return /^(?:0|\+?62[ -]?)8\d[\d -]{7,}/.test(written);
  return word === 'cep' && !/^\d{5}-?\d{3}\b/.test(written) && digitsOfNumber(scanned, number) > 9;
}

/** How many digits there are from `number` on, with only signs of a telephone number between them. */
function digitsOfNumber(scanned: ScannedText, number: number): number {
  const [written = ''] = /^[+\s().\p{Nd}/-]*/u.exec(scanned.text.slice(number, number + 24)) ?? [];
  return written.replace(/\P{Nd}/gu, '').length;
}
