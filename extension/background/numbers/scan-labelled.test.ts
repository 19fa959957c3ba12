import { expect, test } from 'vitest';
import { scanLabelled } from './scan-labelled.ts';

const digits = '4155550132';

test.each([
  'Call ID:',
  'Contact ID:',
  'Call Sid:',
  'Support Case:',
  'Phone IMEI:',
  'Office Key:',
  'Contato protocolo:',
  'Appel ref:',
  'Beleg-Nr:',
  'Consumer No.',
  'Aluno n.º',
  'Aluno n.º:',
  'OS:',
])('a label of another thing rules bare digits out, though it has a phone word: %s', (label) => {
  expect(scanLabelled(digits, label)).toEqual([]);
});

test.each([
  'Phone: Value:',
  'Ana: Telefone:',
  'Contact: Neide:',
  'Telefone do pedido:',
  'Support phone:',
  'Phone (home):',
  'Neide',
  'Eletricista',
])('a label for telephones or a name leaves bare digits: %s', (label) => {
  expect(scanLabelled(digits, label)).toHaveLength(1);
});

test.each(['Aluno n.º', 'Hosp. no.', 'N° BL:', 'N. DDT:', 'N.º objeto:'])(
  'a label with the sign of a number rules grouped digits out: %s',
  (label) => {
    expect(scanLabelled('415 555 0132', label)).toEqual([]);
  },
);

test.each([
  'Rezeption:',
  'N.º do encarregado:',
  'Neide:',
  'N° de gardien:',
  'Phone no.',
  'Emergency no.:',
  'Linha direta #:',
  'Diretto #:',
])('a label that may be of a person leaves grouped digits: %s', (label) => {
  expect(scanLabelled('415 555 0132', label)).toHaveLength(1);
});

test('a colon that is aligned behind a gap belongs to its label', () => {
  expect(scanLabelled(' Cep          : 0541 736 28 50', '')).toMatchObject([{ contextWords: 'mobile' }]);
});

test.each([
  ['Contact mobile', 'mobile'],
  ['Kontakt Telefon', 'phone'],
  ['Office phone:', 'phone'],
  ['text gsm', 'phone'],
  ['Contact person', 'none'],
])('a word for telephones announces bare digits behind a word for contacts: %s', (label, contextWords) => {
  expect(scanLabelled(digits, label)).toMatchObject([{ contextWords }]);
});
