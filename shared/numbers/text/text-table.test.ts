import { expect, test } from 'vitest';
import { textTableCells } from './text-table.ts';

const cellsOf = (text: string) =>
  textTableCells(text).map(({ start, end, head }) => `${head}: ${text.slice(start, end)}`);

test.each([
  [
    'a query',
    ' session_id | phone\n------------+------\n 4155550147 | 4155550132\n 4155550148 | none\n(2 rows)\n\n| id | tel |\n| 1155550148 | |',
    ['session_id: 4155550147', 'phone: 4155550132', 'session_id: 4155550148', 'id: 1155550148'],
  ],
  ['columns', 'lote        celular\n5500112233  5512345678', ['lote: 5500112233', 'celular: 5512345678']],
  [
    'columns by their position',
    'seal        container    haulier\n07912900111 MSKU4455667  020 7946 0900\n            TCLU7788990  0161 496 0123',
    [
      'seal: 07912900111',
      'container: MSKU4455667',
      'haulier: 020 7946 0900',
      'container: TCLU7788990',
      'haulier: 0161 496 0123',
    ],
  ],
  [
    'columns whose heads begin elsewhere',
    'Opt  Item     Location    Lot         Avail\n     100-BLK  A-14       2609180526   1,188',
    ['Item: 100-BLK', 'Location: A-14', 'Lot: 2609180526', 'Avail: 1,188'],
  ],
  [
    'commas',
    'order_id,sku,phone\n4155550160,7005,4155550132',
    ['order_id: 4155550160', 'sku: 7005', 'phone: 4155550132'],
  ],
  ['signs', 'sku;fone\n1199123344;1133445566', ['sku: 1199123344', 'fone: 1133445566']],
])('reads the cells of %s with the heads over them', (_, text, cells) => {
  expect(cellsOf(text)).toEqual(cells);
});

test.each([
  'Ana  11 98765-4321\nRui  11 98765-4322',
  'Please call me\n11 98765-4321',
  'Please call, thanks\nAna, 11987654321',
  'Ana; Rui\nTel. 11 98765-4321',
])('leaves other lines alone: %j', (text) => {
  expect(cellsOf(text)).toEqual([]);
});
