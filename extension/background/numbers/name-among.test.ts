import { expect, test } from 'vitest';
import { nameAmong } from './name-among.ts';

test.each([
  ['Ana Lima', 'Ana Lima'],
  ['Tel\nAna Lima', 'Ana Lima'],
  ['Work phone:\nCliente: Ana Lima\nEndereço', 'Cliente: Ana Lima'],
  ['Mobile no\nContact phone', undefined],
  ['Telma', 'Telma'],
  ['Wife', 'Wife'],
  ['Tel\nRecepción del hotel', 'Recepción del hotel'],
  ['Telefonzentrale', undefined],
  ['', undefined],
  [undefined, undefined],
])('takes the name from the words %j', (words, name) => {
  expect(nameAmong(words)).toBe(name);
});
