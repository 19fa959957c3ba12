import { expect, it } from 'vitest';
import { readTypedNumber } from './typed-number.ts';

it.each([
  ['+34 912 345 678', '+34912345678', ['34912345678']],
  ['(48) 9999-8888', '+5548999998888', ['4899998888', '5548999998888', '554899998888']],
  ['+55 48 99999-8888', '+5548999998888', ['5548999998888', '554899998888']],
  ['(48) 3322-4455', '+554833224455', ['4833224455', '554833224455']],
  ['+52 1 55 1234 5678', '+525512345678', ['5215512345678', '525512345678']],
  ['+44 (0)20 7946 0018', '+442079460018', ['442079460018']],
  ['+1 415 555 2671 ext. 12', '+14155552671', ['14155552671']],
  ['+39 06 1234567', '+39061234567', ['39061234567']],
  ['11 05', '1105', ['1105']],
])('reads %s as it is typed in Brazil', (text, number, forms) => {
  expect(readTypedNumber(text, { country: 'BR', dialExtensions: [] })).toEqual({ number, forms });
});

it.each([
  ['99999-8888', '+5548999998888'],
  ['3222-1112', '+554832221112'],
  ['9999-8888', '+5548999998888'],
  ['99998888', '+5548999998888'],
  ['(11) 99999-8888', '+5511999998888'],
  ['+34 912 345 678', '+34912345678'],
])('reads %s with the area code of the settings', (text, number) => {
  expect(readTypedNumber(text, { country: 'BR', areaCode: '48', dialExtensions: [] }).number).toBe(number);
});

it('takes digits for a whole number where the relay has no country', () => {
  const settings = { country: undefined, dialExtensions: [] };
  expect(readTypedNumber('55 48 3322-4455', settings).number).toBe('+554833224455');
});
