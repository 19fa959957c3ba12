/** Chooses the name of a person or organisation from the words beside a number in the page. */
import { unaccented } from '../../../shared/numbers/text/lexicon.ts';

/** Whole words: a stem as in `tele*` is the beginning of names, too. */
const telephoneWords = new Set(
  (
    'tel telf tlf tfno telefon telefone telefones telefono telefonos telefoni telefoon telephone phone phones ph ' +
    'fon fone fones fono mobile mobil mobiltelefon movil movel telemovel telemoveis cel cell celular celulares ' +
    'cellulare gsm handy handynummer portable festnetz fixo fixe fijo cep fax whatsapp whats wpp'
  ).split(' '),
);
/** Words beside them in a label: `Work phone`, `Mobile no`, `Número de telefone`. */
const otherWords = new Set(
  (
    'contact contato contacto kontakt work home office business private privat main other day daytime alternate ' +
    'trabalho residencial comercial casa trabajo oficina bureau domicile ufficio lavoro is ev ' +
    'number no nr n num numero nummer numara of de del do da di'
  ).split(' '),
);

/**
 * @param words lines of a content script, the likeliest name first.
 * @returns the first line that is not only a label of telephones: not `Tel`, `Work phone` or `Mobile no`.
 */
export const nameAmong = (words = ''): string | undefined =>
  words.split('\n').find((line) => line !== '' && !isTelephoneLabel(line));

function isTelephoneLabel(line: string): boolean {
  const words = (unaccented(line.toLowerCase()).match(/[\p{L}\p{M}]+/gu) ?? []).filter(
    (word) => !otherWords.has(word),
  );
  return words.length > 0 && words.every((word) => telephoneWords.has(word));
}
