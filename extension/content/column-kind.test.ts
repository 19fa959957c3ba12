// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { blockTextOf } from '../../testing/extension/block-text-of.ts';
import { excerptsOfBlock } from './excerpts.ts';

/** The label with which the second cell of the first row is sent. */
function labelIn(...rows: readonly string[]): string {
  const lines = rows.map((number, index) => `<tr><td>Item ${index}</td><td>${number}</td><td>new</td></tr>`);
  document.body.innerHTML = `<table><tr><th>Item</th><th>Bay</th><th>Use</th></tr>${lines.join('')}</table>`;
  const cell = document.querySelectorAll('td')[1]!;
  return [...excerptsOfBlock(cell, blockTextOf(cell))].find((excerpt) => excerpt !== undefined)!.label;
}

test.each([
  ['counted one after the other', ['901-334-0412', '901-334-0413']],
  ['counted in steps', ['901-334-0412', '901-334-0460']],
  ['counted downwards', ['0532 614 28 97', '0532 614 28 90']],
  ['before a code', ['030-44821-117', 'HX-4471-0032']],
  ['before more digits than a number has', ['030-44821-117', '000000000040218873']],
])('digits %s have a label of numbered things', (_, rows) => {
  expect(labelIn(...rows)).toBe('Bay #:');
});

test.each([
  ['with points', '06.24.90.71.83'],
  ['in pairs', '06 24 90 71 83'],
  ['with brackets', '(062) 490-7183'],
])('digits near ones that are written %s have no label of things', (_, other) => {
  expect(labelIn('0689254713', other)).toBe('Bay,');
});

test.each([
  ['of different numbers', ['901-334-0412', '901-335-2200']],
  ['of one number twice', ['901-334-0412', '901-334-0412']],
  ['of different lengths', ['901-334-0412', '901-334-041']],
  ['of one row', ['901-334-0412']],
  ['of numbers and extensions', ['901-334-0412', 'EXT. 4471']],
  ['of digits in one form', ['0689254713', '0624907183']],
  ['of digits and a longer id', ['0689254713', '06.24.90.71.83.2']],
  ['of a number and a name', ['901-334-0412', 'ANA 901-334-0999']],
])('a column %s keeps its label', (_, rows) => {
  expect(labelIn(...rows)).toBe('Bay:');
});

test('digits that are counted along the rows of a layout have a label of numbered things', () => {
  Element.prototype.getBoundingClientRect = function () {
    const isHead = this.localName === 'b' || this.querySelector('b') !== null;
    const left = 50 * [...(this.parentElement?.children ?? [])].indexOf(this);
    return {
      ...new DOMRect(),
      x: left,
      left,
      width: 50,
      right: left + 50,
      top: isHead ? 0 : 10,
      bottom: isHead ? 10 : 20,
    };
  };
  const row = (...cells: readonly string[]) => `<div style="display:flex">${cells.join('')}</div>`;
  document.body.innerHTML =
    row('<b>Item</b>', '<b>Bay</b>', '<b>Use</b>') +
    row('<p>One</p>', '<p id="cell">901-334-0412</p>', '<p>new</p>') +
    row('<p>Two</p>', '<p>901-334-0413</p>', '<p>new</p>');
  const cell = document.querySelector('#cell')!;
  const excerpt = [...excerptsOfBlock(cell, blockTextOf(cell))].find((found) => found !== undefined);
  expect(excerpt!.label).toBe('One: Bay #:');
});

test('digits in cells with a script are counted', () => {
  const script =
    '<script>on(qsl("td"), { over: show, out: partial(show, "hidden 100"), then: hide });</script>';
  expect(labelIn(`${script}901-334-0412`, `901-334-0413${script}`)).toBe('Bay #:');
});

test('the offices of a record keep their labels', () => {
  document.body.innerHTML = `<table><tr><th>Atelier</th><td>020 7946 0101</td></tr>
    <tr><th>Depot</th><td>020 7946 0102</td></tr><tr><th>Opened</th><td>2019</td></tr></table>`;
  const cell = document.querySelector('td')!;
  const excerpt = [...excerptsOfBlock(cell, blockTextOf(cell))].find((found) => found !== undefined);
  expect(excerpt!.label).toBe('Atelier:');
});
