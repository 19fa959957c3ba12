// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { Target } from './click-target.ts';
import { linksInRow, nameBeside } from './name-beside.ts';

function linksBeside(html: string): string[] {
  document.body.innerHTML = html;
  return linksInRow({ kind: 'control', key: document.querySelector('i')! } as unknown as Target);
}

test("sends the links of the number's own row on this origin, each once", () => {
  const row = '<li><a href="/t/7">7</a><a href="/t/7">A</a><a href="//other.example/t/8">8</a><i>9</i></li>';
  expect(linksBeside(`<ul>${row}<li><a href="/t/9">9</a></li></ul>`)).toEqual([`${origin}/t/7`]);
});

test('sends no link of a number outside a row', () => {
  expect(linksBeside('<p><a href="/t/7">7</a><i>9</i></p>')).toEqual([]);
});

test('sends no link of a row with too many of them, or too long ones', () => {
  const links = Array.from({ length: 21 }, (_, id) => `<a href="/t/${id}">${id}</a>`);
  expect(linksBeside(`<ul><li>${links.join('')}<i>9</i></li></ul>`)).toEqual([]);
  const long = `<a href="/t/7">7</a><a href="/t/8?${'x'.repeat(2000)}">8</a>`;
  expect(linksBeside(`<ul><li>${long}<i>9</i></li></ul>`)).toEqual([]);
});

const head = '<tr><th>Id<th>Customer<th>Phone';
test.each([
  [
    'the words before the number, then the name in its row',
    '<td>Ana Lima<td>-<td><button>Tel 1',
    ['Tel', 'Ana Lima'],
  ],
  ['its label if nothing is before it', '<td>7<td>-<td><button>1', ['Phone:', '']],
])('offers %s', (_, cells, lines) => {
  document.body.innerHTML = `<table>${head}<tr>${cells}</table>`;
  const target = { kind: 'control', key: document.querySelector('button'), source: { text: '1' } };
  expect(nameBeside(target as unknown as Target).split('\n')).toEqual(lines);
});
