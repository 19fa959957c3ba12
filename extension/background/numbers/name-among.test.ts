import { expect, test } from 'vitest';
import { nameAmong } from './name-among.ts';

test.each([
  ['Ana Lima', 'Ana Lima'],
  ['Tel:\nAna Lima', 'Ana Lima'],
  ['Work phone:\nRecepción del hotel', 'Recepción del hotel'],
  ['Número de teléfono\nMobile no', undefined],
  ['\nCelular', undefined],
  ['Number:\nAna Lima', 'Ana Lima'],
  ['Contact number', undefined],
  ['Número:\nHome', undefined],
  ['No.:\nAna Lima', 'Ana Lima'],
  ['Nº\nnr', undefined],
  ['Di', 'Di'],
  ['Home Depot', 'Home Depot'],
  ['Main Office', 'Main Office'],
  ['Office 365', 'Office 365'],
  ['Casa do Trabalho', 'Casa do Trabalho'],
  ['Telma', 'Telma'],
  ['Zapata', 'Zapata'],
  ['Telefónica', 'Telefónica'],
  ['Casa Verde', 'Casa Verde'],
  ['Wife', 'Wife'],
  ['', undefined],
  [undefined, undefined],
])('takes the name from the words %j', (words, name) => {
  expect(nameAmong(words)).toBe(name);
});
