// @vitest-environment jsdom
import { beforeEach, describe, expect, test } from 'vitest';
import { digitKind, kindOf } from '../../shared/numbers/text/characters.ts';
import { digitClass } from '../../shared/numbers/text/digit-class.ts';
import { blockTextOf } from '../../testing/extension/block-text-of.ts';
import { placeOf } from './block-text.ts';
import { findBlocks, isTelephoneLink } from './text-blocks.ts';
import type { Block } from './tree.ts';
import { hasDigit } from './words.ts';

const page = (html: string) => {
  document.body.innerHTML = html;
  return document.body;
};
const blocksOf = (root: Node): Block[] =>
  [...new Set(findBlocks(root, () => {}))].filter((block) => block !== undefined);
const textsOf = (html: string) => blocksOf(page(html)).map((block) => blockTextOf(block).text);

beforeEach(() => page(''));

test('page, excerpts or scan: all know the same digits', () => {
  const digits = (isDigit: (code: number) => boolean) =>
    Array.from({ length: 0x10000 }, (_, code) => code).filter(isDigit);
  const known = digits((code) => kindOf(code) === digitKind);
  for (const expression of [hasDigit, new RegExp(digitClass)])
    expect(digits((code) => expression.test(String.fromCharCode(code)))).toEqual(known);
});

describe('blocks', () => {
  test('are the nearest elements around digits that are not inline by name', () => {
    const names = blocksOf(
      page('<div><p>tel <b>11</b></p><table><tr><td>22</td><td>none</td></tr></table></div>'),
    );
    expect(names.map((block) => (block as Element).localName)).toEqual(['p', 'td']);
  });

  test('one control of the page is read with the text around it, another is not', () => {
    const block = page('Tel. <a href="/1">11 2222</a> ou <a href="/2">33</a>');
    const [first] = block.querySelectorAll('a');
    expect(blockTextOf(block, first).text).toBe('Tel. 11 2222 ou \n');
    expect(blocksOf(first!)).toEqual([block]);
  });

  test.each([
    ['scripts and styles', '<script>1</script><style>.a1{}</style>'],
    ['fields', '<textarea>1</textarea><select><option>1</option></select><button>1</button>'],
    ['code', '<code>1</code><kbd>1</kbd>'],
    [
      'editors',
      '<div contenteditable><p>1</p></div><div role="textbox" contenteditable>1</div><p contenteditable="plaintext-only">1</p>',
    ],
    ['links of the page and telephone links', '<a href="/x">1</a><a href="tel:1">1</a>'],
    [
      'other controls',
      '<details><summary>1</summary></details><i role="option">1</i><i role="menuitem">1</i><i role="tab">1</i>',
    ],
    ['parts that opted out', '<section data-dialmark="off"><p>1</p></section>'],
  ])('%s have none', (_, html) => {
    expect(textsOf(html)).toEqual([]);
  });

  test('include what is not editable, listings, links without an address', () => {
    expect(textsOf('<div contenteditable="false">1</div><p><a>2</a></p>')).toEqual(['1', '2']);
    expect(textsOf('<div role="textbox">3</div><pre><code>4</code></pre>')).toEqual(['3', '4']);
  });

  test('end quietly when the page removes the current node', () => {
    const body = page('<p>1</p><p>2</p>');
    const walk = findBlocks(body, () => {});
    expect((walk.next().value as Element).textContent).toBe('1');
    body.innerHTML = '';
    expect(walk.next().done).toBe(true);
  });
});

describe('text of a block', () => {
  test('runs over inline elements', () => {
    expect(textsOf('<p>call <b>+55</b> <i>11</i> 98765-4321</p>')).toEqual(['call +55 11 98765-4321']);
  });

  test('collapses white space as the page shows it', () => {
    expect(textsOf('<p>\n  call\n\t (11)   98765-4321 <b> now</b></p>')).toEqual([
      'call (11) 98765-4321 now',
    ]);
  });

  test('keeps non-breaking spaces', () => {
    expect(textsOf('<p>11\u00a0\u00a098765</p>')).toEqual(['11\u00a0\u00a098765']);
  });

  test('breaks at line breaks, fields or blocks inside', () => {
    expect(textsOf('<div>11<br>22<input>33<p>44</p>55</div>')).toEqual(['11\n22\n33\n55', '44']);
  });
});

describe('place', () => {
  const read = (html: string, wanted: string) => {
    const body = page(html);
    const text = blockTextOf(body.firstElementChild!);
    const start = text.text.indexOf(wanted);
    const place = placeOf(text, start, start + wanted.length);
    const range = document.createRange();
    range.setStart(place.startContainer, place.startOffset);
    range.setEnd(place.endContainer, place.endOffset);
    return range.toString();
  };

  test.each([
    ['in one text node', '<p>call (11) 98765-4321 now</p>', '(11) 98765-4321', '(11) 98765-4321'],
    [
      'over inline elements',
      '<p>call <b>+55</b> <i>11</i> 98765-4321.</p>',
      '+55 11 98765-4321',
      '+55 11 98765-4321',
    ],
    ['after collapsed white space', '<p>\n   a \n  b   12\n  34  c</p>', '12 34', '12\n  34'],
    ['after a line break', '<p>11 22<br> 33 44</p>', '33 44', '33 44'],
  ])('%s', (_, html, wanted, raw) => {
    expect(read(html, wanted)).toBe(raw);
  });
});

test('recognises telephone links by their scheme in any letter case', () => {
  const links = page(
    '<a href=" TEL:1"></a><a href="callto:1"></a><a href="sip:a@b"></a><a href="/tel:1"></a><a></a>',
  );
  expect([...links.children].map(isTelephoneLink)).toEqual([true, true, true, false, false]);
});
