import { expect, test } from 'vitest';
import type { FoundNumber } from '../../messages/content.ts';
import { withoutThings } from './things-on-page.ts';

type Words = FoundNumber['source']['contextWords'];

/** A text of a page in which `number` was found. */
function read(text: string, number = '', label = '', contextWords: Words = 'none') {
  const start = text.indexOf(number);
  const source = { text: number, contextWords };
  const found = { start, end: start + number.length, source } as FoundNumber;
  return { text, label, found: number ? [found] : [] };
}
const left = (...texts: ReturnType<typeof read>[]) =>
  withoutThings(texts).flatMap((found) => found.map(({ source }) => source.text));

test.each([
  ['cells with too few digits', '651-4471882', '2844718820'],
  ['cells with codes', 'HX-4471-0032', 'HX-4471-0033'],
])('digits are a thing in a column whose other cells are not numbers: %s', (_name, one, other) => {
  const cell = read('8447188271', '8447188271', 'PNR,');
  expect(left(read(one, '', 'PNR:'), cell, read(other, '', 'PNR,'))).toEqual([]);
  expect(left(read(one, '', 'PNR:'), cell, read(other, '', 'Train:'))).toEqual(['8447188271']);
});

test('a column whose other cells are mostly numbers keeps its numbers', () => {
  const cells = ['8447188271', '9844718820'].map((text) => read(text, text, 'Ravi:'));
  expect(left(...cells, read('651-4471882', '', 'Ravi:'))).toEqual(['8447188271', '9844718820']);
});

test('digits are a thing if the same text has a thing that begins in the same way', () => {
  const number = '030 711 8845';
  expect(left(read(`Zähler 0307118844, am Gehäuse ${number}`, number))).toEqual([]);
  expect(left(read(`Zähler 0307219944, am Gehäuse ${number}`, number))).toEqual([number]);
  expect(left(read(`Zähler 0307118, am Gehäuse ${number}`, number))).toEqual([number]);
  const withExtension = `${number} (int. 3)`;
  expect(left(read(`Zähler 03071188451, ${withExtension}`, withExtension))).toEqual([withExtension]);
  expect(left(read('Zähler 0307118844'), read(number, number))).toEqual([number]);
});

test('digits are a thing if a longer thing ends with them, unless it adds a calling code only', () => {
  const found = read('— 55 4471 8827, es el de la tarjeta', '55 4471 8827');
  expect(left(read('la CLABE es 012 180 0155 4471 8827'), found)).toEqual([]);
  expect(left(read('chat 525544718827@c.us'), found)).toEqual(['55 4471 8827']);
});

test('digits that are written as a thing elsewhere are that thing', () => {
  const found = read('o 291 188 447 não é dele', '291 188 447');
  expect(left(read('291 188 447', '', 'NIF:'), found)).toEqual([]);
  const id = read('291188447', '', 'ID:');
  expect(left(id, read('que o 291188447 não é dele', '291188447'))).toEqual([]);
  expect(left(id, read('291188447', '291188447', 'Ana'))).toEqual(['291188447']);
});

test.each([
  ['a phone word', '11 3456-7890', 'phone'],
  ['a plus', '+55 11 3456-7890', 'none'],
  ['brackets', '(11) 3456-7890', 'none'],
] as const)('%s outweighs what else is on the page', (_name, text, words) => {
  const id = text.replace(/\D/g, '').slice(0, -1);
  expect(left(read(`Pedido ${id}2, ${text}`, text, '', words))).toEqual([text]);
});
