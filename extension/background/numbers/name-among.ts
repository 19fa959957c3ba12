/** Chooses the name of a person or organisation from the words beside a number in the page. */
import { unaccented } from '../../../shared/numbers/text/lexicon.ts';

/** Whole words: a stem as in `tele*` is the beginning of names, too. */
const telephoneWords = new Set(
  (
    'tel telf tlf tfno telefon telefone telefones telefono telefonos telefoni telefoon telephone phone phones ph ' +
    'fon fone fones fono mobile mobil mobiltelefon movil movel telemovel telemoveis cel cell celular celulares ' +
    'cellulare gsm handy handynummer portable festnetz fixo fixe fijo cep fax whatsapp whats wpp ' +
    'number num numero nummer numara'
  ).split(' '),
);
/** Words for a place or a kind of number, alone or beside them: `Home`, `Work phone`. */
const placeWords = new Set(
  (
    'contact contato contacto kontakt work home office business private privat main other day daytime alternate ' +
    'trabalho residencial comercial casa trabajo oficina bureau domicile ufficio lavoro'
  ).split(' '),
);
/** Of a number, also alone: the head of a column, `Nr.`. */
const abbreviations = new Set(['no', 'nr', 'n', 'nº', 'n°']);
/** Short words beside telephone words: `Mobile no`, `Número de telefone`. Alone, they may be names: `Di`. */
const shortWords = new Set([...abbreviations, ...'is ev of de del do da di'.split(' ')]);

/**
 * @param words lines of a content script, the likeliest name first.
 * @returns the first line that is not only a label of numbers: not `Tel`, `Work phone` or `Number`.
 */
export const nameAmong = (words = ''): string | undefined =>
  words.split('\n').find((line) => line !== '' && !isNumberLabel(line));

function isNumberLabel(line: string): boolean {
  const all = unaccented(line.toLowerCase()).match(/[\p{L}\p{M}º°]+/gu) ?? [];
  if (all.length === 1 && abbreviations.has(all[0]!)) return true;
  const words = all.filter((word) => !shortWords.has(word));
  // Two words of places are the name of one: Main Office. Office 365 is a name, too.
  const isOfTelephone =
    words.some((word) => telephoneWords.has(word)) || (words.length === 1 && !/\d/.test(line));
  return isOfTelephone && words.every((word) => telephoneWords.has(word) || placeWords.has(word));
}
