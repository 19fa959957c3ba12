// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { numbersNear } from './neighbours.ts';

test.each([
  ['tel:0800555', 1],
  [' tel:0800555', 1],
  ['CALLTO:0800555', 1],
  ['sip:1105@pbx.example', 1],
  ['sms:0800555', 0],
  ['https://example.com/tel:0800555', 0],
])('keeps the tip off a link to %j where following it calls', (href, count) => {
  document.body.innerHTML = '<a>Ligue</a>';
  document.querySelector('a')!.setAttribute('href', href);
  const box = document.body.getBoundingClientRect();
  expect(numbersNear(box, { near: () => [] })).toHaveLength(count);
});
